import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CALL_RANGES, type CallRange, type RunStatus } from '../../contract/states.ts';
import { q } from '../api/queries.ts';
import { RunDurations } from './RunDurations.tsx';
import { RunTimes } from './RunTimes.tsx';

/** What the list of runs is limited to. */
export interface RunLimits {
  readonly since: string;
  readonly until: string;
  /** Milliseconds. */
  readonly min: string;
  readonly max: string;
}

interface RunFiguresProps {
  readonly functionId: string | undefined;
  readonly version: string | undefined;
  readonly status: RunStatus | undefined;
  readonly limits: RunLimits;
  readonly onPick: (limits: { [K in keyof RunLimits]?: string | undefined }) => void;
}

const DAY_MS = 86_400_000;

/** The span that is named, else the one that an instant lies in; the last day where there is none. */
function rangeOf(since: string): CallRange {
  const named = CALL_RANGES.find((each) => each === since);
  return named ?? (Date.now() - Date.parse(since) > DAY_MS ? '7d' : '24h');
}

/** When the runs were and how long they took, over the list that each bar limits to its own. */
export function RunFigures({ functionId, version, status, limits, onPick }: RunFiguresProps) {
  const range = rangeOf(limits.since);
  const query = { range, function_id: functionId, version, status };
  const { data } = useQuery({ ...q('runStats', { query }), placeholderData: keepPreviousData });
  if (!data) return <div className="h-23 flex-none" />;
  if (data.runs === 0) return null;
  return (
    <div className="flex flex-none flex-wrap items-end gap-x-6 gap-y-1 px-4 pb-2 max-sm:px-3 lg:flex-nowrap">
      <RunTimes stats={data} range={range} since={limits.since} until={limits.until} onPick={onPick} />
      <RunDurations stats={data} min={limits.min} max={limits.max} onPick={onPick} />
    </div>
  );
}
