import { FlaskConical } from 'lucide-react';
import { useMemo } from 'react';
import { RUN_STATUSES } from '../../contract/states.ts';
import type { RunRow } from '../api/entities.ts';
import type { Reply } from '../api/operation.ts';
import { type PagesQuery, pages } from '../api/queries.ts';
import { usePreference } from '../hooks/use-preference.ts';
import { formatDuration, sentenceCase, type TimeZone } from '../lib/format.ts';
import { path } from '../lib/path.ts';
import { useUrlState } from '../lib/url-state.ts';
import { timeZone } from '../stores/time-zone.ts';
import { columnsOf } from '../table/columns.ts';
import { QueryTable } from '../table/QueryTable.tsx';
import { useList } from '../table/use-list.ts';
import { cx } from '../ui/cx.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { FilterBar } from '../ui/FilterBar.tsx';
import { FilterChip } from '../ui/FilterChip.tsx';
import { FilterMenu } from '../ui/FilterMenu.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { LivePill } from '../ui/LivePill.tsx';
import { Time } from '../ui/Time.tsx';
import { CopyAsCurl, curlText } from './CopyAsCurl.tsx';
import { Link } from './Link.tsx';
import { edgeText } from './RunDurations.tsx';
import { RunFigures } from './RunFigures.tsx';
import { RunChip } from './status.tsx';
import { rangeWords } from './TimeRangeFilter.tsx';

const defaults = { status: '', version: '', since: '', until: '', min: '', max: '' };
type Filter = typeof defaults;

const SPANS: readonly { value: string; label: string; ms: number }[] = [
  { value: '1h', label: 'Last hour', ms: 3_600_000 },
  { value: '24h', label: 'Last 24 hours', ms: 86_400_000 },
  { value: '7d', label: 'Last 7 days', ms: 7 * 86_400_000 },
];
const STATUSES = RUN_STATUSES.map((status) => ({
  value: status,
  label: status === 'OK' ? 'OK' : sentenceCase(status),
}));

/** `since` is a span or an instant; a span counts from the minute it is read in. */
function instantOf(since: string): string | undefined {
  const span = SPANS.find(({ value }) => value === since);
  if (span) return new Date(Math.floor((Date.now() - span.ms) / 60_000) * 60_000).toISOString();
  return Number.isNaN(Date.parse(since)) ? undefined : new Date(since).toISOString();
}

/** What is said of a stretch of time with fixed ends, as a chart's brush gives it. */
function fixedTime({ since, until }: Filter, zone: TimeZone): string | undefined {
  const after = SPANS.some(({ value }) => value === since) ? '' : since;
  return rangeWords({ time: '', after, before: until }, zone);
}

const wholeMs = (text = '') => (/^\d{1,8}$/.test(text) ? text : undefined);

/** From so long, up to so long: what is said of a filter by duration. */
function durationWords(min: string, max: string): string {
  const from = min === '' ? '' : `from ${edgeText(Number(min))}`;
  return [from, max === '' ? '' : `under ${edgeText(Number(max))}`].filter((part) => part !== '').join(', ');
}

function queryOf(filter: Partial<Filter>) {
  return {
    status: RUN_STATUSES.find((each) => each === filter.status),
    version: /^[1-9]\d{0,8}$/.test(filter.version ?? '') ? filter.version : undefined,
    since: instantOf(filter.since ?? ''),
    until: instantOf(filter.until ?? ''),
    min_duration: wholeMs(filter.min),
    max_duration: wholeMs(filter.max),
  };
}

const filterIn = (search: URLSearchParams): Partial<Filter> => Object.fromEntries(search);

/** What the table asks for at this address: for a page's loader. */
export function runsQuery(
  filter: Partial<Filter> | URLSearchParams,
  functionId?: string,
): PagesQuery<Reply<'runListAll'>> {
  const query = queryOf(filter instanceof URLSearchParams ? filterIn(filter) : filter);
  return functionId === undefined
    ? pages('runListAll', { query })
    : pages('runList', { params: { function_id: functionId }, query });
}

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
/** On a phone a run is told by its function where there are several, else by its request. */
const request = (phone: 'below' | undefined) =>
  col.display({
    id: 'request',
    header: 'Request',
    meta: { width: 'minmax(160px, 2fr)', phone },
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
    meta: { width: '96px', fold: true },
    cell: ({ row: { original } }) => <span className="text-fg-2">{original.cause ? 'event' : 'call'}</span>,
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
  /** Only this function's; of every function otherwise. */
  functionId?: string | undefined;
  /** How many versions there are to filter by. */
  versions?: readonly number[] | undefined;
}

/** Runs, newest first, following the service; filters live in the address. */
export function RunsTable({ functionId, versions = [] }: RunsTableProps) {
  const [url, set] = useUrlState(defaults);
  const query = useMemo(() => runsQuery(url, functionId), [url, functionId]);
  const list = useList(query, { rows: rowsOf, rowId });
  const [zone] = usePreference(timeZone);
  const clearTime = () => set({ since: undefined, until: undefined });
  const clear = () => {
    set({ status: undefined, version: undefined, since: undefined, until: undefined, min: undefined, max: undefined });
  };
  const fixed = fixedTime(url, zone);
  const filters = [
    { key: 'status', name: 'Status', value: sentenceCase(url.status) },
    { key: 'version', name: 'Version', value: `v${url.version}` },
  ]
    .filter(({ key }) => url[key as keyof Filter] !== '')
    .map(({ key, ...filter }) => ({ ...filter, onClear: () => set({ [key]: undefined }) }));
  const time = fixed ?? SPANS.find(({ value }) => value === url.since)?.label;
  if (time) filters.unshift({ name: 'Time', value: time, onClear: clearTime });
  const clearDuration = () => set({ min: undefined, max: undefined });
  const duration = durationWords(url.min, url.max);
  if (duration) filters.push({ name: 'Duration', value: duration, onClear: clearDuration });
  const asked = queryOf(url);
  return (
    <>
      <div className={functionId === undefined ? '' : 'pt-2'}>
        <FilterBar>
          {fixed ? (
            <FilterChip name="Time" value={fixed} onClear={clearTime} />
          ) : (
            <FilterMenu
              name="Time"
              options={SPANS}
              value={url.since || undefined}
              onChange={(since) => set({ since, until: undefined })}
            />
          )}
          <FilterMenu
            name="Status"
            options={STATUSES}
            value={url.status || undefined}
            onChange={(next) => set({ status: next })}
          />
          {versions.length > 0 || url.version ? (
            <FilterMenu
              name="Version"
              mono
              options={versions.map((number) => ({ value: String(number), label: `v${number}` }))}
              value={url.version || undefined}
              onChange={(number) => set({ version: number })}
            />
          ) : null}
          {duration ? <FilterChip name="Duration" value={duration} onClear={clearDuration} /> : null}
          <LivePill count={list.waiting} noun="runs" onShow={list.show} />
          <span className="ml-auto max-sm:hidden">
            <CopyAsCurl
              size="sm"
              text={() =>
                functionId === undefined
                  ? curlText('runListAll', { query: asked })
                  : curlText('runList', { params: { function_id: functionId }, query: asked })
              }
              what="this list"
            />
          </span>
        </FilterBar>
      </div>
      <RunFigures functionId={functionId} version={asked.version} status={asked.status} limits={url} onPick={set} />
      <QueryTable
        list={list}
        label="Runs"
        noun="runs"
        columns={functionId === undefined ? allColumns : ownColumns}
        rowName={rowName}
        rowVersion={rowVersion}
        rowLink={rowLink}
        filters={filters}
        onClearFilters={clear}
        empty={
          <EmptyState
            title="No runs yet"
            actions={
              functionId === undefined ? null : (
                <LinkButton
                  icon={FlaskConical}
                  render={<Link to={path.function(functionId, 'code', { test: 'on' })} />}
                >
                  Test it
                </LinkButton>
              )
            }
          >
            Every call of a function is a run: from its address, its test panel, or a trigger’s delivery.
          </EmptyState>
        }
      />
    </>
  );
}
