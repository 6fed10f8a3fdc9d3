import { useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { toApiError } from '../../../api/api-error.ts';
import type { LogEvent, Run } from '../../../api/entities.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { RunChip } from '../../../components/status.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { formatCount, formatDuration, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { idIn, runQuery } from '../function-queries.ts';
import { openedBody } from '../opened-body.ts';
import { ComparedSide, ComparedSides, TextComparison } from '../TextComparison.tsx';

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
  const threw = runs.some(({ error }) => error !== null);
  const texts = runs.map((run, index) => (part === 'logs' ? logs[index]?.text : textOf(run, part, threw)));
  const unread = part === 'logs' ? logs.find(({ error }) => error !== null) : undefined;
  const failure = unread?.error ? toApiError(unread.error) : undefined;
  const cut = part === 'logs' && logs.some(({ more }) => more);
  return (
    <>
      <PageHead title="Two runs compared" />
      <ComparedSides>
        {runs.map((run, index) => (
          <RunHead key={run.run_id} run={run} letter={index === 0 ? 'A' : 'B'} />
        ))}
      </ComparedSides>
      <TextComparison
        parts={PARTS}
        part={part}
        onPart={(next) => set({ part: next })}
        words={
          <>
            {texts[0] !== undefined && texts[0] === texts[1] ? 'No differences. ' : ''}
            {cut ? `Only the first ${formatCount(LINES)} lines of each are compared.` : ''}
          </>
        }
        id={`${runId} ${otherId} ${part}`}
        path={part === 'logs' ? 'log.txt' : `${part}.json`}
        texts={[texts[0], texts[1]]}
        labels={[`${part} of run ${runId}`, `${part} of run ${otherId}`]}
        failure={
          failure ? (
            <ErrorState
              title="The log lines could not be loaded"
              detail={failure.message}
              requestId={failure.requestId}
              onRetry={() => void Promise.all(logs.map(({ refetch }) => refetch()))}
            />
          ) : undefined
        }
      />
    </>
  );
}

function RunHead({ run, letter }: { run: Run; letter: 'A' | 'B' }) {
  return (
    <ComparedSide label={`Run ${letter}`}>
      <span className="data font-medium">{letter}</span>
      <Link className="link data" to={path.run(run.function_id, run.run_id)}>
        {middleCut(run.run_id)}
      </Link>
      <RunChip status={run.status} data={run.response?.status} />
      <span className="data">v{run.version}</span>
      <span className="data">{run.duration_ms === null ? 'running' : formatDuration(run.duration_ms)}</span>
      <Time at={run.created_at} as="full" precise />
    </ComparedSide>
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
  if (part === 'request') return JSON.stringify({ ...run.request, body: openedBody(run.request.body) }, null, 2);
  return JSON.stringify(threw ? { error: run.error, response: run.response } : run.response, null, 2);
};
