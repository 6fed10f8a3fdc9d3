import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toApiError } from '../api/api-error.ts';
import type { GatewayCall } from '../api/entities.ts';
import { q } from '../api/queries.ts';
import { formatDuration, plural } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Duration } from '../ui/Quantity.tsx';
import { SkeletonLines } from '../ui/Skeleton.tsx';
import { Link } from './Link.tsx';
import { LogLines } from './LogLines.tsx';
import { RunChip } from './status.tsx';

/** So many of the first lines are shown; the run's page has all. */
const LINES = 200;
const CALLS_MAX = 20;

export interface RunChainProps {
  readonly functionId: string;
  readonly runId: string;
}

/** The run that a delivery caused, what it wrote and whom it called: the rest of the chain, in its place. */
export default function RunChain({ functionId, runId }: RunChainProps) {
  const params = { function_id: functionId, run_id: runId };
  const run = useQuery(q('runGet', { params }));
  const logs = useQuery(q('runLogList', { params, query: { limit: LINES } }));
  const calls = useQuery(q('runCallList', { params }));
  const failure = run.error ?? logs.error ?? calls.error;
  if (failure) {
    const { message, requestId } = toApiError(failure);
    const retry = () => void Promise.all([run.refetch(), logs.refetch(), calls.refetch()]);
    return <ErrorState title="The run could not be loaded" detail={message} requestId={requestId} onRetry={retry} />;
  }
  if (!run.data || !logs.data || !calls.data) return <SkeletonLines lines={4} label="Loading the run" />;
  const { status, version, duration_ms, response, error } = run.data;
  const { events, next_token } = logs.data;
  return (
    <section aria-label="The run it caused" className="mx-4 mb-3 rounded border border-line">
      <Line>
        <h4 className="text-12 font-medium">Run</h4>
        <RunChip status={status} data={response?.status} />
        <Link className="link data" to={path.functionLine(functionId, { version })}>
          v{version}
        </Link>
        <span className="text-fg-3">{duration_ms === null ? 'running' : <Duration ms={duration_ms} />}</span>
        <Link className="link ml-auto" to={path.run(functionId, runId)}>
          Open the run
        </Link>
      </Line>
      {error ? (
        <p className="data border-t border-line px-2 py-1 text-12 wrap-anywhere text-bad-fg">
          {error.name}: {error.message}
        </p>
      ) : null}
      <Part title="Log" note={events.length === 0 ? 'no lines' : plural(events.length, 'line')}>
        {events.length === 0 ? null : (
          <LogLines
            events={events}
            wrap
            functionId={functionId}
            version={version}
            className="max-h-48 border-t border-line"
          />
        )}
        {next_token === null ? null : (
          <Link className="link block px-2 py-1 text-12" to={path.run(functionId, runId)}>
            All lines of the run
          </Link>
        )}
      </Part>
      <Part
        title="Gateway calls"
        note={calls.data.calls.length === 0 ? 'none' : plural(calls.data.calls.length, 'call')}
      >
        <Calls calls={calls.data.calls} />
      </Part>
    </section>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <div className="flex min-h-8 flex-wrap items-center gap-2 px-2 text-12">{children}</div>;
}

function Part({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div className="border-t border-line">
      <div className="flex min-h-7 items-center gap-2 px-2 text-12">
        <h4 className="font-medium">{title}</h4>
        <span className="text-fg-3">{note}</span>
      </div>
      {children}
    </div>
  );
}

function Calls({ calls }: { calls: readonly GatewayCall[] }) {
  if (calls.length === 0) return null;
  return (
    <>
      <ul aria-label="Gateway calls of the run">
        {calls.slice(0, CALLS_MAX).map(({ call_id, connection_id, app, method, path: at, status, duration_ms }) => (
          <li key={call_id} className="flex min-h-7 items-center gap-2 border-t border-line px-2 text-12">
            <Link className="link flex-none" to={path.gatewayCall(connection_id, call_id)} title="Open the call">
              {app}
            </Link>
            <span className="data min-w-0 flex-1 truncate" title={`${method} ${at}`}>
              {method} {at}
            </span>
            <span className={status !== null && status < 400 ? 'data text-ok-fg' : 'data text-bad-fg'}>
              {status ?? 'no answer'}
            </span>
            <span className="data min-w-14 text-right text-fg-3">{formatDuration(duration_ms)}</span>
          </li>
        ))}
      </ul>
      {calls.length > CALLS_MAX ? (
        <p className="border-t border-line px-2 py-1 text-12 text-fg-3">
          The first {CALLS_MAX} of {calls.length}.
        </p>
      ) : null}
    </>
  );
}
