import type { ComponentType, SVGProps } from 'react';

/** An icon component that uses `currentColor`, such as those of lucide-react. */
export type Icon = ComponentType<SVGProps<SVGSVGElement> & { size?: number | string }>;
