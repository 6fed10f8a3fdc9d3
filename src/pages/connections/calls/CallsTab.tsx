import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { type LoaderFunctionArgs, useLocation, useParams } from 'react-router';
import type { Connection, GatewayCall } from '../../../api/entities.ts';
import { ensure, q, usePrefetchedQuery } from '../../../api/queries.ts';
import { isoTime, type Span } from '../../../charts/chart-times.ts';
import { FigureControls } from '../../../charts/FigureControls.tsx';
import { useFittingStats } from '../../../charts/use-fitting-stats.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { beginOf } from '../../../components/events/event-query.ts';
import { Link } from '../../../components/Link.tsx';
import { NextStep } from '../../../components/NextStep.tsx';
import { rangeWords, TimeRangeFilter } from '../../../components/TimeRangeFilter.tsx';
import { usePreference } from '../../../hooks/use-preference.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { PanelPage } from '../../../layouts/PanelPage.tsx';
import { formatCount } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { STATUS_CLASSES } from '../../../lib/status-classes.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { timeZone } from '../../../stores/time-zone.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { CodeBlock } from '../../../ui/code/CodeBlock.tsx';
import { FilterBar } from '../../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../../ui/controls/FilterMenu.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LivePill } from '../../../ui/LivePill.tsx';
import { accountQuery, connectionQuery, idIn } from '../connection-queries.ts';
import { manualCallTab } from '../manual-calls.ts';
import { METHODS } from '../request/typed-request.ts';
import { CallFigures } from './CallFigures.tsx';
import { ConnectionCaptures, StartCapture } from './ConnectionCaptures.tsx';
import { callColumns } from './call-columns.tsx';
import { useCallCurl } from './call-curl.ts';
import { type CallFilters, callDefaults, callInput, callsAt, callsQuery, rangeOf, statsQuery } from './call-query.ts';

export const handle: Handle = { crumb: 'Calls' };

/** Does not await the data: the frame of the list is rendered immediately. */
export function loader({ request, params }: LoaderFunctionArgs): null {
  ensure(...callsAt(request.url, idIn(params))).catch(() => undefined);
  return null;
}

const rowsOf = (page: { calls: GatewayCall[] }) => page.calls;
const rowId = (call: GatewayCall) => call.call_id;
const rowName = (call: GatewayCall) => `${call.method} ${call.path}`;

const FIGURES = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
  { value: 'none', label: 'Hide' },
] as const;

/** The gateway calls of this connection: charts of volume, outcome and latency, and the list of calls. */
export function Component() {
  const { callId } = useParams();
  const id = idIn(useParams());
  const { search } = useLocation();
  const { connection } = usePrefetchedQuery(connectionQuery(id)).data;
  const [filters, setFilters] = useUrlState(callDefaults);
  const begin = useMemo(() => beginOf(filters.time, Date.now()), [filters.time]);
  const list = useList(callsQuery(id, filters, begin), { rows: rowsOf, rowId, hold: callId !== undefined });
  const { range, stats } = useFittingStats((each) => statsQuery(id, each), rangeOf(filters));
  const set = useSetFilters(filters, setFilters);
  const keys = useQuery(q('apiKeyList')).data?.api_keys ?? [];
  const curlOf = useCallCurl(connection);
  const columns = useMemo(() => callColumns(curlOf), [curlOf]);
  const brush = useMemo(() => spanIn(filters), [filters]);
  const noneYet = !list.pending && list.error === undefined && list.rows.length === 0 && set.length === 0;
  const figures = noneYet ? 'none' : filters.figures;
  return (
    <PanelPage>
      {/* on low screens the whole page scrolls, and the list keeps a usable height */}
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="flex-none pt-2">
          <FilterBar>
            <TimeRangeFilter range={filters} onChange={(next) => setFilters({ ...next }, { push: true })} />
            <FilterMenu
              name="Status"
              options={STATUS_CLASSES}
              value={filters.status || undefined}
              onChange={(status) => setFilters({ status })}
            />
            <FilterMenu
              name="Method"
              mono
              options={METHODS.map((method) => ({ value: method, label: method }))}
              value={filters.method || undefined}
              onChange={(method) => setFilters({ method })}
            />
            <FilterMenu
              name="API key"
              options={keys.map(({ key_id, name }) => ({ value: key_id, label: name }))}
              value={filters.key || undefined}
              onChange={(key) => setFilters({ key })}
            />
            <LivePill count={list.waiting} more={list.waitingMore} noun="calls" onShow={list.show} />
            <span className="ml-auto flex items-center gap-2">
              <StartCapture connection={connection} />
              <span className="max-md:hidden">
                <CopyAsCurl
                  size="sm"
                  text={() =>
                    curlText('connectionCallList', { params: { connection_id: id }, query: callInput(filters, begin) })
                  }
                  what="this list"
                />
              </span>
              {noneYet ? null : (
                <FigureControls
                  range={figures === 'none' ? undefined : range}
                  onRange={(next) => setFilters({ range: next })}
                  ways={FIGURES}
                  as={FIGURES.find(({ value }) => value === figures)?.value ?? 'charts'}
                  onAs={(next) => setFilters({ figures: next })}
                />
              )}
            </span>
          </FilterBar>
        </div>
        <ConnectionCaptures connection={connection} />
        <Dropped count={stats?.dropped ?? 0} />
        {figures === 'none' ? null : (
          <div className="charts flex-none">
            {stats ? (
              <CallFigures
                stats={stats}
                range={range}
                as={figures === 'table' ? 'table' : 'charts'}
                brush={brush}
                onBrush={({ from, to }) =>
                  setFilters({ time: undefined, after: isoTime(from), before: isoTime(to), range }, { push: true })
                }
              />
            ) : null}
          </div>
        )}
        <div className="flex min-h-72 flex-1 flex-col">
          <QueryTable
            label="Gateway calls"
            noun="calls"
            list={list}
            columns={columns}
            rowName={rowName}
            rowLink={(call) => path.gatewayCall(id, call.call_id) + search}
            currentId={callId}
            filters={set}
            onClearFilters={() =>
              setFilters({
                status: undefined,
                method: undefined,
                key: undefined,
                time: undefined,
                after: undefined,
                before: undefined,
              })
            }
            empty={<NoCalls connection={connection} />}
          />
        </div>
      </div>
    </PanelPage>
  );
}

/** The custom time range, given by its ends. */
function spanIn({ after, before }: CallFilters): Span | undefined {
  const [from, to] = [Date.parse(after) / 1_000, Date.parse(before) / 1_000];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to };
}

type SetFilters = ReturnType<typeof useUrlState<typeof callDefaults>>[1];

/** The active filters, each with its clear action. */
function useSetFilters(filters: CallFilters, setFilters: SetFilters) {
  const [zone] = usePreference(timeZone);
  const { status, method, key } = filters;
  const keys = useQuery({ ...q('apiKeyList'), enabled: key !== '' }).data?.api_keys ?? [];
  const label = STATUS_CLASSES.find(({ value }) => value === status)?.label ?? status;
  return [
    {
      name: 'Time',
      value: rangeWords(filters, zone) ?? '',
      onClear: () => setFilters({ time: undefined, after: undefined, before: undefined }),
    },
    { name: 'Status', value: label, onClear: () => setFilters({ status: undefined }) },
    { name: 'Method', value: method, onClear: () => setFilters({ method: undefined }) },
    {
      name: 'API key',
      value: keys.find(({ key_id }) => key_id === key)?.name ?? key,
      onClear: () => setFilters({ key: undefined }),
    },
  ].filter(({ value }) => value !== '');
}

/** Warns if calls were served but not logged. */
function Dropped({ count }: { count: number }): ReactNode {
  if (count === 0) return null;
  return (
    <p role="status" className="mx-4 mb-2 flex-none text-12 text-warn-fg max-sm:mx-3">
      The log is incomplete: {formatCount(count)} calls of this account were served but not logged since the service
      started, because the database could not keep up.
    </p>
  );
}

function NoCalls({ connection }: { connection: Connection }) {
  const { addresses } = usePrefetchedQuery(accountQuery).data.account;
  const curlOf = useCallCurl(connection);
  const trying = manualCallTab(connection);
  const first = trying.tab === 'tools' ? { method: 'POST', path: '/tool-name' } : { method: 'GET', path: '/' };
  if (connection.status !== 'ACTIVE') {
    return (
      <EmptyState
        title="No calls yet"
        actions={<NextStep to={path.connection(connection.connection_id)}>See its status</NextStep>}
      >
        Calls can use this connection once it is active.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No calls yet"
      actions={
        <LinkButton
          variant="primary"
          icon={Send}
          render={<Link to={path.connection(connection.connection_id, trying.tab)} />}
        >
          {trying.action}
        </LinkButton>
      }
    >
      Every call to{' '}
      <span className="data">
        {addresses.base_url}/{connection.app}
      </span>{' '}
      is listed here within a second, with its path, status and duration. Queries, headers and bodies are stored only
      while a capture is on. Make the first call:
      <span className="mt-2 block">
        <CodeBlock label="First call" language="bash" code={curlOf(first)} copy wrap />
      </span>
    </EmptyState>
  );
}
