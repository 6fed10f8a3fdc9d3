import { type KeyboardEvent, useState } from 'react';
import type { CallRange } from '../../../contract/states.ts';
import type { Reply } from '../../api/operation.ts';
import { spanText } from '../../charts/chart-times.ts';
import { RANGE_WORDS } from '../../charts/ranges.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { usePreference } from '../../hooks/use-preference.ts';
import { formatCount } from '../../lib/format.ts';
import { timeZone } from '../../stores/time-zone.ts';
import { Time } from '../../ui/Time.tsx';
import { RunBar } from './RunBar.tsx';

interface RunTimesProps {
  readonly stats: Reply<'runStats'>;
  readonly range: CallRange;
  /** The time filter of the list, as instants. */
  readonly since: string;
  readonly until: string;
  readonly onPick: (limits: { since: string | undefined; until: string | undefined }) => void;
  /** Filters the list to failed runs; undefined if it already is. */
  readonly onFailed: (() => void) | undefined;
}

/** The number of bars that fit beside the durations, each wide enough for touch. */
const BARS_MAX = { wide: 24, narrow: 12 };
const NARROW = '(width < 80rem)';
/** The number of bars between two time labels. */
const TICK = 4;

/** A histogram of runs over time. A bar filters the list. The bars are one tab stop, with arrow keys between them. */
export function RunTimes({ stats, range, since, until, onPick, onFailed }: RunTimesProps) {
  const [zone] = usePreference(timeZone);
  /** A time within the last focused bar, because the bars change with the width. */
  const [entered, setEntered] = useState<number>();
  const bars = barsOf(stats, useMedia(NARROW) ? BARS_MAX.narrow : BARS_MAX.wide);
  const most = Math.max(...bars.map(({ runs }) => runs));
  const last = bars.findIndex(({ from, to }) => entered !== undefined && from <= entered && entered < to);
  const at = last >= 0 ? last : bars.findLastIndex(({ runs }) => runs > 0);
  return (
    <section aria-label="Runs over time" className="min-w-0 flex-none">
      <p className="text-12 text-fg-2">
        Runs in the {RANGE_WORDS[range]}: {formatCount(stats.runs)}
        {stats.failed > 0 ? (
          <>
            ,{' '}
            {onFailed ? (
              <button type="button" className="min-h-6 text-bad-fg underline underline-offset-2" onClick={onFailed}>
                {formatCount(stats.failed)} failed
              </button>
            ) : (
              <span className="text-bad-fg">{formatCount(stats.failed)} failed</span>
            )}
          </>
        ) : null}
        {stats.searched_since > stats.since ? (
          <>
            , searched since <Time at={stats.searched_since} as="clock" />
          </>
        ) : null}
      </p>
      <div
        role="toolbar"
        aria-label="Runs over time"
        className="flex h-16 items-end max-md:hidden"
        onKeyDown={(event) => walk(event, at)}
      >
        {bars.map((bar, index) => {
          const ends = {
            since: new Date(bar.from * 1_000).toISOString(),
            until: new Date(bar.to * 1_000).toISOString(),
          };
          const chosen = since === ends.since && until === ends.until;
          const span = spanText(bar, zone);
          return (
            <RunBar
              key={bar.from}
              span={span}
              runs={bar.runs}
              failed={bar.failed}
              most={most}
              chosen={chosen}
              tabIndex={index === at ? 0 : -1}
              onFocus={() => setEntered(bar.from)}
              onPick={() => onPick(chosen ? { since: undefined, until: undefined } : ends)}
              caption={index % TICK === 0 ? span.slice(...(stats.bucket_seconds > 3_600 ? [0, 5] : [6, 11])) : ''}
            />
          );
        })}
      </div>
    </section>
  );
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly failed: number;
}

/**
 * Buckets merged into bars; seconds since the epoch. Bars start at multiples of their length, so that a selected bar
 * stays the same while time passes.
 */
function barsOf({ buckets, bucket_seconds }: Reply<'runStats'>, most: number): readonly Bar[] {
  const seconds = Math.ceil(buckets.length / most) * bucket_seconds;
  const bars = new Map<number, Bar>();
  for (const { at, runs, failed } of buckets) {
    const from = Math.floor(Date.parse(at) / 1_000 / seconds) * seconds;
    const bar = bars.get(from);
    bars.set(from, { from, to: from + seconds, runs: (bar?.runs ?? 0) + runs, failed: (bar?.failed ?? 0) + failed });
  }
  return [...bars.values()];
}

function walk(event: KeyboardEvent<HTMLDivElement>, at: number): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
  const next = to === undefined ? undefined : buttons[to];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
