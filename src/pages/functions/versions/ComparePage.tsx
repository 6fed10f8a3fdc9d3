import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { parseExactly } from '../../../../contract/text/exact-json.ts';
import { toApiError } from '../../../api/api-error.ts';
import type { LogEvent, Run } from '../../../api/entities.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { RunChip } from '../../../components/status.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { formatCount, formatDuration, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { idIn, runQuery } from '../function-queries.ts';

const CodeDiff = lazy(() => import('../../../editor/CodeDiff.tsx').then((module) => ({ default: module.CodeDiff })));

const PARTS = [
  { value: 'response', label: 'Response' },
  { value: 'request', label: 'Request' },
  { value: 'logs', label: 'Logs' },
] as const;
const defaults = { part: 'response' };
const LINES = 1000;

export const handle: Handle = { crumb: ({ params }) => `Runs compared with ${middleCut(params['runId'] ?? '')}` };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(runQuery(idIn(params), params['runId'] ?? ''), runQuery(idIn(params), params['otherId'] ?? ''));

/** Two runs side by side: their facts, and the differences between their requests, responses and logs. */
export function Component() {
  const { runId = '', otherId = '', ...rest } = useParams();
  const functionId = idIn(rest);
  const runs = [
    usePrefetchedQuery(runQuery(functionId, runId)).data,
    usePrefetchedQuery(runQuery(functionId, otherId)).data,
  ] as const;
  const logs = [useLines(functionId, runId), useLines(functionId, otherId)] as const;
  const [url, set] = useUrlState(defaults);
  const part = PARTS.find(({ value }) => value === url.part)?.value ?? 'response';
  const [onCompared] = useState(() => () => {});
  const threw = runs.some(({ error }) => error !== null);
  const texts = runs.map((run, index) => (part === 'logs' ? logs[index]?.text : textOf(run, part, threw)));
  const unread = part === 'logs' ? logs.find(({ error }) => error !== null) : undefined;
  const failure = unread?.error ? toApiError(unread.error) : undefined;
  const cut = part === 'logs' && logs.some(({ more }) => more);
  return (
    <>
      <PageHead title="Two runs compared" />
      <div className="grid flex-none grid-cols-2 border-t border-line max-sm:grid-cols-1">
        {runs.map((run, index) => (
          <RunHead key={run.run_id} run={run} letter={index === 0 ? 'A' : 'B'} />
        ))}
      </div>
      <div className="flex min-h-10 flex-none items-center gap-2 border-t border-line bg-sunken px-4 py-1 max-sm:px-3">
        <SegmentedControl
          label="Compared"
          size="sm"
          options={PARTS}
          value={part}
          onChange={(next) => set({ part: next })}
        />
        <span role="status" className="text-12 text-fg-2">
          {texts[0] !== undefined && texts[0] === texts[1] ? 'No differences. ' : ''}
          {cut ? `Only the first ${formatCount(LINES)} lines of each are compared.` : ''}
        </span>
      </div>
      <div className="min-h-0 flex-1 border-t border-line">
        <Suspense fallback={<Loading />}>
          {failure ? (
            <ErrorState
              title="The log lines could not be loaded"
              detail={failure.message}
              requestId={failure.requestId}
              onRetry={() => void Promise.all(logs.map(({ refetch }) => refetch()))}
            />
          ) : texts[0] === undefined || texts[1] === undefined ? (
            <Loading />
          ) : (
            <CodeDiff
              key={`${runId} ${otherId} ${part}`}
              path={part === 'logs' ? 'log.txt' : `${part}.json`}
              original={texts[0]}
              modified={texts[1]}
              originalLabel={`${part} of run ${runId}`}
              modifiedLabel={`${part} of run ${otherId}`}
              layout="split"
              changesOnly={false}
              onCompared={onCompared}
            />
          )}
        </Suspense>
      </div>
    </>
  );
}

function Loading() {
  return (
    <div className="p-4">
      <SkeletonLines lines={8} label="Loading the comparison" />
    </div>
  );
}

function RunHead({ run, letter }: { run: Run; letter: 'A' | 'B' }) {
  return (
    <section
      aria-label={`Run ${letter}`}
      className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-12 not-first:border-line max-sm:px-3 max-sm:not-first:border-t sm:not-first:border-l"
    >
      <span className="data font-medium">{letter}</span>
      <Link className="link data" to={path.run(run.function_id, run.run_id)}>
        {middleCut(run.run_id)}
      </Link>
      <RunChip status={run.status} data={run.response?.status} />
      <span className="data">v{run.version}</span>
      <span className="data">{run.duration_ms === null ? 'running' : formatDuration(run.duration_ms)}</span>
      <Time at={run.created_at} as="full" precise />
    </section>
  );
}

function useLines(function_id: string, run_id: string) {
  const query = q('runLogList', { params: { function_id, run_id }, query: { limit: LINES } });
  const { data, error, refetch } = useQuery(query);
  return { text: data?.events.map(lineOf).join('\n'), more: data?.next_token != null, error, refetch };
}

/** Without timestamps and run IDs, which always differ. */
const lineOf = ({ level, message }: LogEvent) =>
  `${level} ${message.replace(/^(START|END|REPORT) RunId: \S+/, '$1').replace(/^(REPORT) Duration: \S+ ms/, '$1')}`;

/** `threw`: one of the two threw an error. Both responses then include an error field, so that they can be compared. */
const textOf = (run: Run, part: 'request' | 'response', threw: boolean) => {
  if (part === 'request') return JSON.stringify({ ...run.request, body: opened(run.request.body) }, null, 2);
  return JSON.stringify(threw ? { error: run.error, response: run.response } : run.response, null, 2);
};

/** A JSON body is compared by field. */
function opened(body: string): unknown {
  try {
    return parseExactly(body);
  } catch {
    return body;
  }
}
