import { useQuery } from '@tanstack/react-query';
import type { HostedFunction } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { formatCount, formatDuration, formatPercent, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';

export const SPANS = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
] as const;
export type Span = (typeof SPANS)[number]['value'];
const WORDS: Record<Span, string> = {
  '24h': 'the last 24 hours',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
};

type Stats = Reply<'versionStats'>;

/** The distribution of runs over versions; nothing for users who may not see the runs. */
export function useShares({ function_id }: HostedFunction, range: Span, own: boolean): Stats | undefined {
  const query = q('versionStats', { params: { function_id }, query: { range } });
  return useQuery({ ...query, enabled: own }).data;
}

interface SharesHeadProps {
  readonly fn: HostedFunction;
  readonly stats: Stats | undefined;
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

/** The head of the list: the time range and total of the shares. */
export function SharesHead({ fn: { function_id }, stats, span, onSpan }: SharesHeadProps) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1 text-12 text-fg-3">
      <span role="status" className="flex-1 whitespace-nowrap">
        {stats ? plural(stats.runs, 'run') : ''}
      </span>
      <SegmentedControl label="Runs of" size="sm" options={SPANS} value={span} onChange={onSpan} />
      <CopyAsCurl
        size="sm"
        text={() => curlText('versionStats', { params: { function_id }, query: { range: span } })}
        what="run statistics by version"
      />
    </div>
  );
}

interface VersionShareProps {
  readonly functionId: string;
  readonly version: number;
  readonly stats: Stats;
  readonly span: Span;
}

/** The version's share of the runs and its failure rate. */
export function VersionShare({ functionId, version, stats, span }: VersionShareProps) {
  const found = stats.versions.find((each) => each.version === version);
  if (stats.runs === 0) return null; // the head states it once for all
  if (!found) return <p className="mt-1 text-12 text-fg-3">No runs</p>;
  const { runs, failed, p50_ms } = found;
  const share = runs / stats.runs;
  return (
    <div className="mt-1 flex items-center gap-2 text-12" title={`Of the runs of ${WORDS[span]}`}>
      <span className="relative h-1.5 w-14 flex-none overflow-hidden rounded-[2px] bg-press" aria-hidden>
        <span className="absolute inset-y-0 left-0 bg-chart-1" style={{ width: `max(2px, ${share * 100}%)` }} />
        {failed > 0 ? (
          <span
            className="absolute inset-y-0 left-0 bg-bad-solid"
            style={{ width: `max(2px, ${(failed / stats.runs) * 100}%)` }}
          />
        ) : null}
      </span>
      <Link className="link data flex-none" to={path.function(functionId, 'runs', { version, since: span })}>
        {formatCount(runs)}
        <span className="sr-only">
          {runs === 1 ? ' run' : ' runs'} of version {version}
        </span>{' '}
        · {formatPercent(share)}
      </Link>
      {failed > 0 ? (
        <Link
          className="link flex-none text-bad-fg underline underline-offset-2"
          to={path.function(functionId, 'runs', { version, status: 'FAILED', since: span })}
        >
          {formatCount(failed)} failed
        </Link>
      ) : null}
      {p50_ms === null ? null : <span className="min-w-0 truncate text-fg-3">p50 {formatDuration(p50_ms)}</span>}
    </div>
  );
}
