import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PAGE } from '../../../contract/limits.ts';
import { toApiError } from '../../api/api-error.ts';
import type { GatewayCall } from '../../api/entities.ts';
import { pages, q } from '../../api/queries.ts';
import { formatDuration, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Duration } from '../../ui/Quantity.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Link } from '../Link.tsx';
import { RunChip } from '../status.tsx';
import { LogLines } from './LogLines.tsx';
import { useRunTail } from './use-run-tail.ts';

const CALLS_MAX = 20;

export interface RunChainProps {
  readonly functionId: string;
  readonly runId: string;
}

/** The run that a delivery caused, with its log and its gateway calls. */
export default function RunChain({ functionId, runId }: RunChainProps) {
  const params = { function_id: functionId, run_id: runId };
  const run = useQuery(q('runGet', { params }));
  const logs = useInfiniteQuery(pages('runLogList', { params, query: { limit: PAGE.logs.max } }));
  const calls = useQuery(q('runCallList', { params }));
  const { events, first, going } = useRunTail(run.data, logs.data?.pages.flatMap((page) => page.events) ?? []);
  const failure = run.error ?? logs.error ?? calls.error;
  if (failure) {
    const { status, message, requestId } = toApiError(failure);
    if (status === 404)
      return (
        <p className="px-4 pb-3 text-12 text-fg-2">
          The run no longer exists: its function was deleted, or its retention has ended.
        </p>
      );
    const retry = () => void Promise.all([run.refetch(), logs.refetch(), calls.refetch()]);
    return <ErrorState title="The run could not be loaded" detail={message} requestId={requestId} onRetry={retry} />;
  }
  if (!run.data || !logs.data || !calls.data) return <SkeletonLines lines={4} label="Loading the run" />;
  const { status, version, duration_ms, response, error } = run.data;
  return (
    <section aria-label="Function run" className="mx-4 mb-3 rounded border border-line">
      <Line>
        <h4 className="text-12 font-medium">Run</h4>
        <RunChip status={status} data={response?.status} />
        <Link className="link data" to={path.functionLine(functionId, { version })}>
          v{version}
        </Link>
        {duration_ms === null ? null : (
          <span className="text-fg-3">
            <Duration ms={duration_ms} />
          </span>
        )}
        <Link className="link ml-auto" to={path.run(functionId, runId)}>
          Open run
        </Link>
      </Line>
      {error ? (
        <p className="data border-t border-line px-2 py-1 text-12 wrap-anywhere text-bad-fg">
          {error.name}: {error.message}
        </p>
      ) : null}
      <Part title="Log" note={logNote(first - 1 + events.length, going, logs.hasNextPage)}>
        {events.length === 0 ? null : (
          <LogLines
            events={events}
            wrap
            first={first}
            follow={going}
            functionId={functionId}
            version={version}
            className="max-h-72 border-t border-line"
          />
        )}
        {logs.hasNextPage && !going ? (
          <p className="flex min-h-8 items-center gap-3 border-t border-line px-2 text-12">
            <Button size="sm" pending={logs.isFetchingNextPage} onClick={() => void logs.fetchNextPage()}>
              Load more lines
            </Button>
            <Link className="link" to={path.run(functionId, runId)}>
              View all lines
            </Link>
          </p>
        ) : null}
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

function logNote(count: number, going: boolean, hasMore: boolean): string {
  if (going) return count === 0 ? 'no lines yet' : `${plural(count, 'line')} so far`;
  if (hasMore) return `the first ${plural(count, 'line')}`;
  return count === 0 ? 'no lines' : plural(count, 'line');
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
            <Link className="link flex-none" to={path.gatewayCall(connection_id, call_id)} title="Open call">
              {app}
            </Link>
            <span className="data min-w-0 flex-1 truncate" title={`${method} ${at}`}>
              {method} {at}
            </span>
            <span className={status !== null && status < 400 ? 'data text-ok-fg' : 'data text-bad-fg'}>
              {status ?? 'no response'}
            </span>
            <span className="data min-w-14 text-right text-fg-3">{formatDuration(duration_ms)}</span>
          </li>
        ))}
      </ul>
      {calls.length > CALLS_MAX ? (
        <p className="border-t border-line px-2 py-1 text-12 text-fg-3">
          Showing the first {CALLS_MAX} of {calls.length}.
        </p>
      ) : null}
    </>
  );
}
