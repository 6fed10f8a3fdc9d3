import type { ComponentType, SVGProps } from 'react';

/** Any icon that draws itself in `currentColor`: those of lucide-react fit. */
export type Icon = ComponentType<SVGProps<SVGSVGElement> & { size?: number | string }>;
