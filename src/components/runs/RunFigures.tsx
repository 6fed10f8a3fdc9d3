import { CALL_RANGES, type CallRange } from '../../../contract/states.ts';
import { q } from '../../api/queries.ts';
import { useFittingStats } from '../../charts/use-fitting-stats.ts';
import { RunDurations } from './RunDurations.tsx';
import { RunTimes } from './RunTimes.tsx';
import type { runQueryOf } from './run-query.ts';

/** The time and duration filters of the list of runs. */
export interface RunLimits {
  readonly since: string;
  readonly until: string;
  /** Milliseconds. */
  readonly min: string;
  readonly max: string;
}

interface RunFiguresProps {
  readonly functionId: string | undefined;
  /** The query of the list, which the statistics share. */
  readonly asked: ReturnType<typeof runQueryOf>;
  readonly limits: RunLimits;
  readonly onPick: (limits: { [K in keyof RunLimits | 'status']?: string | undefined }) => void;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The named range, or the shortest one that contains an instant; undefined if the data decides. */
function rangeOf(since: string): CallRange | undefined {
  const named = CALL_RANGES.find((each) => each === since);
  const ageMs = Date.now() - Date.parse(since);
  return named ?? (ageMs > 7 * DAY_MS ? '30d' : ageMs > DAY_MS ? '7d' : ageMs > HOUR_MS ? '24h' : undefined);
}

/** Charts of runs over time and of their durations, above the list that they filter. */
export function RunFigures({ functionId, asked, limits, onPick }: RunFiguresProps) {
  const { q: text, version, status, caller, key_id } = asked;
  const query = { function_id: functionId, q: text, version, status, caller, key_id };
  const {
    range,
    stats: data,
    error,
  } = useFittingStats((each) => q('runStats', { query: { ...query, range: each } }), rangeOf(limits.since));
  if (!data) return <div aria-busy={error === null} className="h-23 flex-none" />;
  if (data.runs === 0) return null;
  const onFailed = status === 'FAILED' ? undefined : () => onPick({ status: 'FAILED' });
  return (
    <div className="flex flex-none flex-wrap items-end gap-x-6 gap-y-1 px-4 pb-2 max-sm:px-3 lg:flex-nowrap">
      <RunTimes
        stats={data}
        range={range}
        since={limits.since}
        until={limits.until}
        onPick={onPick}
        onFailed={onFailed}
      />
      <RunDurations stats={data} min={limits.min} max={limits.max} onPick={onPick} />
    </div>
  );
}
