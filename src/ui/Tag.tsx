import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import type { Icon } from './icon.ts';

export interface TagProps {
  children: ReactNode;
  icon?: Icon | undefined;
  /** Monospace, for a runtime, a version or a method. */
  mono?: boolean | undefined;
}

/** A neutral attribute: runtime, version, visibility, role. */
export function Tag({ children, icon: Mark, mono = false }: TagProps) {
  return (
    <span
      className={cx(
        'inline-flex h-[18px] flex-none items-center gap-1 rounded-sm border border-line-2 px-[5px] text-11 whitespace-nowrap text-fg-2',
        mono ? 'font-mono tracking-[-0.01em] [font-variant-ligatures:none]' : 'font-medium',
      )}
    >
      {Mark ? <Mark size={11} strokeWidth={2} aria-hidden /> : null}
      {children}
    </span>
  );
}
