import { Check, Clock, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNow } from '../hooks/use-now.ts';
import { formatSpan } from '../lib/format.ts';
import { cx } from './cx.ts';
import { Time } from './Time.tsx';

export interface RailStop {
  readonly ok: boolean;
  /** The result: `503`, `timeout`. The title of the stop, and its text for screen readers. */
  readonly result: string;
}

export interface RetryRailProps {
  /** Finished attempts, oldest first. */
  made: readonly RailStop[];
  /** The retry schedule: the wait before the second attempt, before the third, … */
  waitsMs: readonly number[];
  /** When the next attempt is due; null if there are no further attempts. */
  nextAt?: string | null | undefined;
  /** The maximum random shift of the next attempt, in ms either way. */
  jitterMs?: number | undefined;
  /** At the end of the line below: attempt now, cancel. */
  actions?: ReactNode;
}

type StopKind = 'ok' | 'bad' | 'next' | 'coming';

const RING: Record<StopKind, string> = {
  ok: 'border-ok-solid bg-ok-bg text-ok-fg',
  bad: 'border-bad-solid bg-bad-bg text-bad-fg',
  next: 'border-warn-solid bg-warn-bg text-warn-fg',
  coming: 'border-line-2 bg-page',
};

/** The attempts of a delivery as stops on a line with the waits between them, and the countdown to the next attempt. */
export function RetryRail({ made, waitsMs, nextAt, jitterMs, actions }: RetryRailProps) {
  const waiting = nextAt !== null && nextAt !== undefined;
  const done = made.at(-1)?.ok === true;
  const total = Math.max(made.length + (waiting ? 1 : 0), done ? 0 : waitsMs.length + 1);
  const stops = Array.from({ length: total }, (_, index) => {
    const stop = made[index];
    const kind: StopKind = stop ? (stop.ok ? 'ok' : 'bad') : waiting && index === made.length ? 'next' : 'coming';
    const words = stop ? stop.result : kind === 'next' ? 'next' : 'not yet';
    return { index, kind, words, waitMs: index === 0 ? undefined : waitsMs[index - 1] };
  });
  return (
    <div>
      <ol aria-label={`${made.length} of ${total} attempts made`} className="relative flex overflow-x-auto py-0.5">
        {stops.map(({ index, kind, words, waitMs }) => (
          <li key={index} className={cx('flex items-start', index > 0 && 'min-w-11 flex-1')}>
            {index > 0 ? (
              <span className="min-w-0 flex-1 text-center">
                <span
                  aria-hidden
                  className={cx(
                    'mt-[7px] block border-t-[1.5px]',
                    kind === 'ok' || kind === 'bad' ? 'border-fg-3' : 'border-dashed border-line-2',
                  )}
                />
                {waitMs === undefined ? null : (
                  <span className="mt-1.5 block text-11 whitespace-nowrap text-fg-3">+{formatSpan(waitMs)}</span>
                )}
              </span>
            ) : null}
            <span
              title={`Attempt ${index + 1}: ${words}`}
              className={cx(
                'grid flex-none place-items-center rounded-full border-[1.5px]',
                kind === 'coming' ? 'm-[3.5px] size-[9px]' : 'size-4',
                RING[kind],
              )}
            >
              {kind === 'coming' ? null : <StopIcon kind={kind} />}
              <span className="sr-only">
                Attempt {index + 1}: {words}
              </span>
            </span>
          </li>
        ))}
      </ol>
      {waiting || actions ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-12">
          {waiting ? <Countdown at={nextAt} jitterMs={jitterMs} /> : null}
          {actions ? <span className="ml-auto flex items-center gap-1">{actions}</span> : null}
        </div>
      ) : null}
    </div>
  );
}

function StopIcon({ kind }: { kind: 'ok' | 'bad' | 'next' }) {
  const Icon = kind === 'ok' ? Check : kind === 'bad' ? X : Clock;
  return <Icon size={10} strokeWidth={2.5} aria-hidden />;
}

function Countdown({ at, jitterMs }: { at: string; jitterMs: number | undefined }) {
  const leftMs = new Date(at).getTime() - useNow(1_000);
  return (
    <>
      <span className="font-medium text-warn-fg">
        {leftMs > 500 ? `Next attempt in ${formatSpan(leftMs)}` : 'Next attempt now'}
      </span>
      <span className="text-fg-3">
        <Time at={at} as="clock" />
        {jitterMs ? ` ± ${formatSpan(jitterMs)}` : null}
      </span>
    </>
  );
}
