import { cx } from './cx.ts';

export type Health =
  | 'healthy'
  | 'retrying'
  | 'behind'
  | 'held'
  | 'failing'
  | 'paused'
  | 'disabled'
  | 'disabled automatically';

const SHAPE: Record<Health, string> = {
  healthy: 'size-2 rounded-full bg-ok-solid',
  retrying: 'size-2 rounded-full border-2 border-warn-solid',
  behind: 'size-2 rounded-full border-2 border-warn-solid',
  held: 'size-2 rounded-full border-2 border-bad-solid',
  failing: 'size-[7px] rotate-45 rounded-[1px] bg-bad-solid',
  paused: 'h-2 w-1.5 border-x-2 border-mute-solid',
  disabled: 'h-0.5 w-2 rounded-[1px] bg-mute-solid',
  'disabled automatically': 'h-0.5 w-2 rounded-[1px] bg-bad-solid',
};

interface HealthDotProps {
  health: Health;
  /** The name of the resource, for screen readers: "erp". */
  name?: string | undefined;
}

/** Health by shape and colour: dot, ring, diamond, bars, dash. The word is beside it or for screen readers. */
export function HealthDot({ health, name }: HealthDotProps) {
  const words = name ? `${name}: ${health}` : health;
  return (
    <span className="inline-grid size-2.5 flex-none place-items-center" title={words}>
      <span className={cx('ui-ink block', SHAPE[health])} />
      <span className="sr-only">{words}</span>
    </span>
  );
}
