import type { Reply } from '../../api/operation.ts';
import { formatDuration } from '../../lib/format.ts';
import { RunBar } from './RunBar.tsx';

interface RunDurationsProps {
  readonly stats: Reply<'runStats'>;
  /** The duration filter of the list, in milliseconds. */
  readonly min: string;
  readonly max: string;
  readonly onPick: (range: { min: string | undefined; max: string | undefined }) => void;
}

/** A round number of milliseconds: `200 ms`, `2 s`. */
export const edgeText = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

/** A histogram of run durations. A bar filters the list. */
export function RunDurations({ stats, min, max, onPick }: RunDurationsProps) {
  const { durations, p50_ms, p95_ms, p99_ms } = stats;
  const first = durations.findIndex(({ runs }) => runs > 0);
  if (first < 0) return null;
  const shown = durations.slice(first, durations.findLastIndex(({ runs }) => runs > 0) + 1);
  const most = Math.max(...shown.map(({ runs }) => runs));
  return (
    <section aria-label="Durations" className="max-w-full min-w-0 max-lg:flex-none">
      <p className="text-12 text-fg-2">
        Durations: <span className="whitespace-nowrap">p50 {formatDuration(p50_ms ?? 0)},</span>{' '}
        <span className="whitespace-nowrap">p95 {formatDuration(p95_ms ?? 0)},</span>{' '}
        <span className="whitespace-nowrap">p99 {formatDuration(p99_ms ?? 0)}</span>
      </p>
      <ol className="flex h-16 max-w-full items-end overflow-x-auto">
        {shown.map(({ from_ms, to_ms, runs, failed }) => {
          const chosen = min === String(from_ms) && max === (to_ms === null ? '' : String(to_ms));
          const span = to_ms === null ? `${edgeText(from_ms)} or more` : `${edgeText(from_ms)} to ${edgeText(to_ms)}`;
          return (
            <li key={from_ms} className="flex flex-none flex-col">
              <RunBar
                wide
                span={span}
                runs={runs}
                failed={failed}
                most={most}
                chosen={chosen}
                onPick={() =>
                  onPick(
                    chosen
                      ? { min: undefined, max: undefined }
                      : { min: String(from_ms), max: to_ms === null ? undefined : String(to_ms) },
                  )
                }
                caption={edgeText(from_ms)}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
