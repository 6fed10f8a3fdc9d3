import { type LoaderFunctionArgs, useParams } from 'react-router';
import type { Reply } from '../../../api/operation.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import type { Handle } from '../../../layouts/handle.ts';
import { formatDuration, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { idIn } from '../function-queries.ts';
import { openedBody } from '../opened-body.ts';
import { ComparedSide, ComparedSides, TextComparison } from '../TextComparison.tsx';
import { OutcomeChip } from './OutcomeChip.tsx';
import { requestQuery, shadowIdIn, shadowQuery } from './shadow-queries.ts';

const PARTS = [
  { value: 'response', label: 'Response' },
  { value: 'log', label: 'Log' },
] as const;
const defaults = { part: 'response' };

export const handle: Handle = { crumb: ({ params }) => `Request of run ${middleCut(params['runId'] ?? '')}` };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(
    shadowQuery(idIn(params), shadowIdIn(params)),
    requestQuery(idIn(params), shadowIdIn(params), params['runId'] ?? ''),
  );

type Answered = NonNullable<Reply<'shadowRequestGet'>['request']['after']>;

/** A request of a shadow: the responses and logs of both versions, compared. */
export function Component() {
  const params = useParams();
  const functionId = idIn(params);
  const shadowId = shadowIdIn(params);
  const { shadow } = usePrefetchedQuery(shadowQuery(functionId, shadowId)).data;
  const { request } = usePrefetchedQuery(requestQuery(functionId, shadowId, params['runId'] ?? '')).data;
  const { run_id, before, after, stored } = request;
  const [url, set] = useUrlState(defaults);
  const part = url.part === 'log' ? 'log' : 'response';
  const sides = [
    { version: shadow.live_version, result: before },
    { version: shadow.version, result: after },
  ];
  const [original, modified] = [before, after].map((result) => result && textOf(result, part));
  return (
    <>
      <PageHead
        mono
        title={`${request.method} ${request.path}`}
        meta={
          <>
            <Link className="link" to={path.shadow(functionId, shadowId)}>
              Version {shadow.version} on past requests
            </Link>
            <Link className="link" to={path.run(functionId, run_id)}>
              Stored run of version {stored.version}
            </Link>
          </>
        }
      />
      <ComparedSides>
        {sides.map(({ version, result }) => (
          <ComparedSide key={version} label={`Version ${version}`}>
            <span className="data font-medium">v{version}</span>
            {result ? (
              <>
                <OutcomeChip outcome={result.outcome} status={result.response_status} />
                <span className="data">{formatDuration(result.duration_ms)}</span>
                {result.hosts.length > 0 ? (
                  <span className="wrap-anywhere text-fg-2">
                    Blocked: <span className="data">{result.hosts.join(', ')}</span>
                  </span>
                ) : null}
              </>
            ) : (
              <span className="text-fg-3">not tried</span>
            )}
          </ComparedSide>
        ))}
      </ComparedSides>
      {original == null || modified == null ? (
        <EmptyState title="Not compared">{request.reason ?? 'This request has not been tried yet.'}</EmptyState>
      ) : (
        <TextComparison
          parts={PARTS}
          part={part}
          onPart={(next) => set({ part: next })}
          words={wordsOf(request, part, original === modified)}
          id={`${run_id} ${part}`}
          path={part === 'log' ? 'log.txt' : 'response.json'}
          texts={[original, modified]}
          labels={[`${part} of version ${shadow.live_version}`, `${part} of version ${shadow.version}`]}
        />
      )}
    </>
  );
}

function wordsOf(request: Reply<'shadowRequestGet'>['request'], part: 'response' | 'log', isSame: boolean): string {
  const cut = request.before?.truncated || request.after?.truncated ? ' Only the beginnings are shown.' : '';
  if (request[part] === 'VARIES') return `Two runs of the live version differ, too.${cut}`;
  return `${isSame && request[part] !== 'DIFFERENT' ? 'No differences.' : ''}${cut}`.trim();
}

function textOf({ response_status, headers, body, error, log }: Answered, part: 'response' | 'log'): string {
  if (part === 'log') return log.map(({ level, message }) => `${level} ${message}`).join('\n');
  return JSON.stringify(
    { status: response_status, ...(error ? { error } : {}), headers, body: openedBody(body) },
    null,
    2,
  );
}
