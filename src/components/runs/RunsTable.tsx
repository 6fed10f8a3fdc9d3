import { FlaskConical } from 'lucide-react';
import { useMemo } from 'react';
import type { RunRow } from '../../api/entities.ts';
import { formatDuration } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { Time } from '../../ui/Time.tsx';
import { CopyAsCurl, curlText } from '../deliveries/CopyAsCurl.tsx';
import { Link } from '../Link.tsx';
import { NextStep } from '../NextStep.tsx';
import { RunChip } from '../status.tsx';
import { RunFigures } from './RunFigures.tsx';
import { RunFilterBar, useRunFilters } from './RunFilterBar.tsx';
import { CALLER_WORDS, runFilterDefaults, runQueryOf, runsQuery } from './run-query.ts';

const col = columnsOf<RunRow>();
const time = col.accessor('created_at', {
  header: 'Time',
  meta: { width: '104px', sorted: 'descending', phone: 'lead', link: true },
  cell: ({ getValue }) => <Time at={getValue()} as="clock" className="text-fg-2" />,
});
const status = col.accessor('status', {
  header: 'Status',
  meta: { width: '128px', phone: 'tail' },
  cell: ({ row: { original } }) => (
    <RunChip status={original.status} quiet data={original.response_status ?? undefined} />
  ),
});
const name = col.accessor('function_name', {
  header: 'Function',
  meta: { width: 'minmax(120px, 1fr)', phone: 'below' },
  cell: ({ getValue }) => (
    <span className="truncate font-medium" title={getValue()}>
      {getValue()}
    </span>
  ),
});
const version = col.accessor('version', {
  header: 'Version',
  meta: { width: '64px', fold: true },
  cell: ({ getValue }) => <span className="data">v{getValue()}</span>,
});
/** On a phone a run is labelled by its function if the list has several, else by its request. */
const request = (phone: 'below' | undefined) =>
  col.display({
    id: 'request',
    header: 'Request',
    meta: { width: 'minmax(160px, 2fr)', phone, fold: phone ? false : 'late' },
    cell: ({ row: { original } }) => {
      const { method, path: at, error_message } = original;
      return (
        <span className="data flex min-w-0 gap-2" title={[`${method} ${at}`, error_message ?? ''].join('\n').trim()}>
          <span className={cx('truncate', error_message && 'max-w-[60%] flex-none')}>
            {method} {at}
          </span>
          {error_message ? <span className="min-w-0 truncate text-bad-fg">{error_message}</span> : null}
        </span>
      );
    },
  });
const rest = [
  col.display({
    id: 'cause',
    header: 'Called by',
    meta: { width: '128px', fold: true },
    cell: ({ row: { original } }) => (
      <span className="truncate text-fg-2">
        {original.key_name ?? (original.caller ? CALLER_WORDS[original.caller] : 'Call')}
      </span>
    ),
  }),
  col.accessor('duration_ms', {
    header: 'Duration',
    meta: { width: '88px', align: 'end', phone: 'end' },
    cell: ({ getValue }) => {
      const ms = getValue();
      return <span className="data text-fg-2">{ms === null ? '–' : formatDuration(ms)}</span>;
    },
  }),
];
const allColumns = col.columns([time, status, name, version, request(undefined), ...rest]);
const ownColumns = col.columns([time, status, version, request('below'), ...rest]);

const rowsOf = (page: { runs: RunRow[] }) => page.runs;
const rowId = (run: RunRow) => run.run_id;
const rowName = (run: RunRow) => `run ${run.run_id}`;
const rowVersion = ({ status }: RunRow) => status;
const rowLink = (run: RunRow) => path.run(run.function_id, run.run_id);

interface RunsTableProps {
  /** Limits the list to one function. */
  functionId?: string | undefined;
  /** The versions to filter by. */
  versions?: readonly number[] | undefined;
}

/** Runs, newest first, updated live, with filters in the URL. */
export function RunsTable({ functionId, versions = [] }: RunsTableProps) {
  const [url, set] = useUrlState(runFilterDefaults);
  const query = useMemo(() => runsQuery(url, functionId), [url, functionId]);
  const list = useList(query, { rows: rowsOf, rowId });
  const filters = useRunFilters(url, set);
  const asked = runQueryOf(url);
  const scope = functionId ?? (url.function || undefined);
  return (
    <>
      <div className={functionId === undefined ? '' : 'pt-2'}>
        <RunFilterBar filter={url} onChange={set} functionId={functionId} versions={versions}>
          <LivePill count={list.waiting} more={list.waitingMore} noun="runs" onShow={list.show} />
          <span className="ml-auto max-sm:hidden">
            <CopyAsCurl
              size="sm"
              text={() =>
                functionId === undefined
                  ? curlText('runListAll', { query: { ...asked, function_id: scope } })
                  : curlText('runList', { params: { function_id: functionId }, query: asked })
              }
              what="this list"
            />
          </span>
        </RunFilterBar>
      </div>
      <RunFigures functionId={scope} asked={asked} limits={url} onPick={set} />
      <QueryTable
        list={list}
        label="Runs"
        noun="runs"
        columns={functionId === undefined ? allColumns : ownColumns}
        rowName={rowName}
        rowVersion={rowVersion}
        rowLink={rowLink}
        filters={filters}
        onClearFilters={() => set(CLEARED)}
        empty={
          <EmptyState
            title="No runs yet"
            actions={
              functionId === undefined ? (
                <NextStep to={path.functions()}>Choose a function</NextStep>
              ) : (
                <LinkButton
                  icon={FlaskConical}
                  render={<Link to={path.function(functionId, 'code', { test: 'on' })} />}
                >
                  Test it
                </LinkButton>
              )
            }
          >
            Every call of a function is a run, whether from its URL, its test panel or a delivery.
          </EmptyState>
        }
      />
    </>
  );
}

const CLEARED = Object.fromEntries(Object.keys(runFilterDefaults).map((name) => [name, undefined]));
