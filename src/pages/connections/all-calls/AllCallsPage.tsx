import { useQuery } from '@tanstack/react-query';
import { Disc, Plug } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { type LoaderFunctionArgs, useLocation, useParams } from 'react-router';
import type { LoggedCall } from '../../../api/entities.ts';
import { ensure, q } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import { CaptureSign } from '../../../components/captures/CaptureSign.tsx';
import { type Capture, capturesQuery } from '../../../components/captures/capture-words.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { beginOf } from '../../../components/events/event-query.ts';
import { Link } from '../../../components/Link.tsx';
import { rangeWords } from '../../../components/TimeRangeFilter.tsx';
import { usePreference } from '../../../hooks/use-preference.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { PanelPage } from '../../../layouts/PanelPage.tsx';
import { formatCount, middleCut } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { timeZone } from '../../../stores/time-zone.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { LinkButton } from '../../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { LivePill } from '../../../ui/LivePill.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { appNameOf, appsQuery, connectionQuery } from '../connection-queries.ts';
import { CallsFilterBar, useConnectionName } from './CallsFilterBar.tsx';
import {
  allCallsAt,
  allCallsQuery,
  type CallsFilters,
  calledAppsQuery,
  callsDefaults,
  callsInput,
  DURATIONS,
  ERRORS,
  NO_FILTERS,
  STATUSES,
} from './calls-query.ts';
import { loggedCallColumns, requestText } from './logged-call-columns.tsx';

const CaptureDialog = lazy(() => import('../../../components/captures/CaptureDialog.tsx'));

function NoCalls() {
  return (
    <EmptyState
      title="No calls yet"
      actions={
        <LinkButton variant="primary" icon={Plug} render={<Link to={path.connections()} />}>
          Open connections
        </LinkButton>
      }
    >
      Every call through the gateway is listed here within a second, with its app, path, status and duration: also calls
      that the gateway refused, with the reason.
    </EmptyState>
  );
}

export const handle: Handle = { crumb: 'Calls' };
/** Does not await the data: the frame of the list is rendered immediately. */
export function loader({ request }: LoaderFunctionArgs): null {
  ensure(allCallsAt(request.url), appsQuery, capturesQuery, calledAppsQuery).catch(() => undefined);
  return null;
}

const rowsOf = (page: { calls: LoggedCall[] }) => page.calls;
const rowId = (call: LoggedCall) => call.call_id;

/** The gateway calls of all connections, and those that were refused. */
export function Component() {
  const { callId } = useParams();
  const { search } = useLocation();
  const [filters, setFilters] = useUrlState(callsDefaults);
  const begin = useMemo(() => beginOf(filters.time, Date.now()), [filters.time]);
  const list = useList(allCallsQuery(filters, begin), { rows: rowsOf, rowId, hold: callId !== undefined });
  const apps = useQuery(appsQuery).data?.apps;
  const columns = useMemo(() => loggedCallColumns(apps), [apps]);
  const set = useSetFilters(filters, setFilters);
  return (
    <PanelPage>
      <PageHead
        title="Calls"
        meta={<LivePill count={list.waiting} more={list.waitingMore} noun="calls" onShow={list.show} />}
        actions={
          <>
            <span className="max-md:hidden">
              <CopyAsCurl text={() => curlText('callList', { query: callsInput(filters, begin) })} what="this list" />
            </span>
            <StartCapture filters={filters} />
          </>
        }
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="flex-none">
          <CallsFilterBar filters={filters} onChange={setFilters}>
            {null}
          </CallsFilterBar>
        </div>
        <Captures />
        <div className="flex min-h-72 flex-1 flex-col">
          <QueryTable
            label="Gateway calls"
            noun="calls"
            list={list}
            columns={columns}
            rowName={requestText}
            rowLink={(call) => path.call(call.call_id) + search}
            currentId={callId}
            filters={set}
            onClearFilters={() => setFilters(NO_FILTERS)}
            empty={<NoCalls />}
          />
        </div>
      </div>
    </PanelPage>
  );
}

/** Opens the dialog for the app or connection that filters the list. */
function StartCapture({ filters: { app, connection } }: { filters: CallsFilters }) {
  const [isOpen, setOpen] = useState(false);
  const role = useReason('captureCreate');
  const apps = useQuery(appsQuery).data?.apps;
  const connectionName = useConnectionName(connection);
  const isLimited = app !== '' || connection !== '';
  const target = connection === '' ? { app } : { connection_id: connection };
  return (
    <>
      <Button
        icon={Disc}
        reason={role ?? (isLimited ? undefined : 'Filter by an app or a connection first.')}
        onClick={() => setOpen(true)}
      >
        Capture…
      </Button>
      <Suspense>
        {isOpen ? (
          <CaptureDialog
            target={target}
            name={connection === '' ? appNameOf(apps, app) : connectionName}
            onClose={() => setOpen(false)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

const SIGNS = 3;

/** What is captured now. */
function Captures() {
  const captures = useQuery(capturesQuery).data?.captures ?? [];
  const more = captures.length - SIGNS;
  return (
    <>
      {captures.slice(0, SIGNS).map((capture) => (
        <NamedSign key={capture.capture_id} capture={capture} />
      ))}
      {more > 0 ? (
        <p className="mx-4 mb-2 text-12 text-warn-fg max-sm:mx-3">{formatCount(more)} more captures are on.</p>
      ) : null}
    </>
  );
}

function NamedSign({ capture }: { capture: Capture }) {
  const apps = useQuery(appsQuery).data?.apps;
  const connection_id = capture.connection_id ?? '';
  const connection = useQuery({ ...connectionQuery(connection_id), enabled: connection_id !== '' }).data?.connection;
  const app = appNameOf(apps, capture.app ?? connection?.app ?? '');
  const name = connection_id === '' ? app : (connection?.name ?? `${app} ${middleCut(connection_id)}`);
  return <CaptureSign capture={capture} name={name} />;
}

type SetFilters = ReturnType<typeof useUrlState<typeof callsDefaults>>[1];
const labelOf = (options: readonly { value: string; label: string }[], value: string) =>
  options.find((option) => option.value === value)?.label ?? value;

/** The active filters, each with its clear action. */
function useSetFilters(filters: CallsFilters, setFilters: SetFilters) {
  const [zone] = usePreference(timeZone);
  const apps = useQuery(appsQuery).data?.apps;
  const keys = useQuery({ ...q('apiKeyList'), enabled: filters.key !== '' }).data?.api_keys ?? [];
  const connection = useConnectionName(filters.connection);
  const { app, status, method, key, run, error, min } = filters;
  return [
    { name: 'Path', value: filters.q, onClear: () => setFilters({ q: undefined }) },
    {
      name: 'Time',
      value: rangeWords(filters, zone) ?? '',
      onClear: () => setFilters({ time: undefined, after: undefined, before: undefined }),
    },
    { name: 'App', value: app && appNameOf(apps, app), onClear: () => setFilters({ app: undefined }) },
    { name: 'Connection', value: connection, onClear: () => setFilters({ connection: undefined }) },
    { name: 'Status', value: labelOf(STATUSES, status), onClear: () => setFilters({ status: undefined }) },
    { name: 'Method', value: method, onClear: () => setFilters({ method: undefined }) },
    {
      name: 'API key',
      value: keys.find(({ key_id }) => key_id === key)?.name ?? key,
      onClear: () => setFilters({ key: undefined }),
    },
    { name: 'Run', value: run && middleCut(run), onClear: () => setFilters({ run: undefined }) },
    { name: 'Error', value: labelOf(ERRORS, error), onClear: () => setFilters({ error: undefined }) },
    { name: 'Duration', value: labelOf(DURATIONS, min), onClear: () => setFilters({ min: undefined }) },
  ].filter(({ value }) => value !== '');
}
