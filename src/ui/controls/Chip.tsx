import { Check, CirclePause, CircleSlash, Clock, RotateCw, SkipForward, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';
import type { Icon } from '../icon.ts';

export type Tone = 'ok' | 'bad' | 'warn' | 'mute' | 'accent';

const BOX: Record<Tone, string> = {
  ok: 'border-ok-line bg-ok-bg text-ok-fg',
  bad: 'border-bad-line bg-bad-bg text-bad-fg',
  warn: 'border-warn-line bg-warn-bg text-warn-fg',
  mute: 'border-mute-line bg-mute-bg text-mute-fg',
  accent: 'border-accent-line bg-accent-soft text-accent',
};

const INK: Record<Tone, string> = {
  ok: 'text-ok-fg',
  bad: 'text-bad-fg',
  warn: 'text-warn-fg',
  mute: 'text-mute-fg',
  accent: 'text-accent',
};

/** Status icons. By default the tone determines the icon. */
export const statusIcons = {
  succeeded: Check,
  failed: X,
  retrying: RotateCw,
  pending: Clock,
  skipped: SkipForward,
  paused: CirclePause,
  disabled: CircleSlash,
} as const satisfies Record<string, Icon>;

const ICON: Record<Tone, Icon> = {
  ok: Check,
  bad: X,
  warn: RotateCw,
  mute: SkipForward,
  accent: Clock,
};

export interface ChipProps {
  tone: Tone;
  /** The status in sentence case. */
  children: ReactNode;
  icon?: Icon | undefined;
  /** Details in monospace: `erp 503`. */
  data?: ReactNode;
  /** Without the box, for successes: a tick and the word. */
  quiet?: boolean | undefined;
  /** A tooltip with the full text. */
  title?: string | undefined;
}

/** A status: icon, label and details. Filled for problems, quiet for successes. */
export function Chip({ tone, children, icon: Mark = ICON[tone], data, quiet = false, title }: ChipProps) {
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 items-center gap-1 text-12 font-medium whitespace-nowrap',
        quiet ? cx('min-w-0', INK[tone]) : cx('max-w-full flex-none rounded-sm border pr-1.5 pl-[5px]', BOX[tone]),
      )}
    >
      <Mark size={12} strokeWidth={2} className="flex-none" aria-hidden />
      <span className={cx(quiet && 'min-w-0 truncate', quiet && tone === 'ok' && 'font-normal text-fg-2')}>
        {children}
      </span>
      {data === undefined ? null : (
        <span className="min-w-0 font-mono text-11 tracking-[-0.01em] [font-variant-ligatures:none]">{data}</span>
      )}
    </span>
  );
}
