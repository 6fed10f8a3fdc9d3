import { useQuery } from '@tanstack/react-query';
import type { LoaderFunctionArgs } from 'react-router';
import { TRIGGER_STATUSES } from '../../../contract/states.ts';
import type { Trigger } from '../../api/entities.ts';
import { ensure, pages } from '../../api/queries.ts';
import { SourceMark } from '../../components/apps/SourceMark.tsx';
import { REASON_DETAILS, REASON_WORDS } from '../../components/apps/trigger-words.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { NewButton } from '../../components/NewButton.tsx';
import { useDebouncedFilter } from '../../hooks/use-debounced-filter.ts';
import { sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { readState } from '../../lib/search-params.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { statusIcons } from '../../ui/controls/Chip.tsx';
import { FilterBar } from '../../ui/controls/FilterBar.tsx';
import { FilterMenu } from '../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Time } from '../../ui/Time.tsx';
import { DestinationHealth } from './destinations/DestinationHealth.tsx';
import { StatusSwitch } from './StatusSwitch.tsx';
import { TriggerFigures } from './TriggerFigures.tsx';
import { triggerStatsQuery } from './trigger-figures.ts';
import { appsQuery, sourcesOf, useFirings } from './trigger-queries.ts';

const NewTriggerButton = () => (
  <NewButton operation="triggerCreate" to={path.triggerNew()} variant="primary">
    New trigger
  </NewButton>
);

function NoTriggers() {
  return (
    <EmptyState title="No triggers yet" actions={<NewTriggerButton />}>
      A trigger receives events from a schedule, a webhook or an app, stores them and delivers them to your
      destinations.
    </EmptyState>
  );
}

const defaults = { source: '', status: '', health: '', q: '' };
const inputOf = ({ source, status, health, q }: typeof defaults) => ({
  query: {
    source: source || undefined,
    status: (status || undefined) as Trigger['status'] | undefined,
    failing: health === 'failing' ? ('true' as const) : undefined,
    q: q || undefined,
  },
});

/** Does not await the data: the frame of the list is rendered immediately. */
export function loader({ request }: LoaderFunctionArgs): null {
  const filter = readState(new URL(request.url).searchParams, defaults);
  ensure(pages('triggerList', inputOf(filter)), triggerStatsQuery, appsQuery).catch(() => undefined);
  return null;
}

const col = columnsOf<Trigger>();
const columns = col.columns([
  col.accessor('name', {
    header: 'Trigger',
    meta: { width: 'minmax(180px, 1.4fr)', phone: 'lead' },
    cell: ({ row: { original } }) => (
      <span className="flex min-w-0 items-center gap-2">
        <SourceMark source={original.source} />
        <span className="min-w-0">
          <span className="block truncate font-medium" title={original.name}>
            {original.name}
          </span>
          <span className="data block truncate text-fg-3 max-sm:hidden">{original.event_type}</span>
        </span>
      </span>
    ),
  }),
  col.accessor('status', {
    header: 'Status',
    meta: { width: '128px', phone: 'tail' },
    cell: ({ row: { original } }) => (
      <span className="grid justify-items-start gap-0.5">
        <StatusSwitch trigger={original} />
        {original.reason ? (
          <span
            className="flex items-center gap-1 text-11 whitespace-nowrap text-bad-fg"
            title={REASON_DETAILS[original.reason]}
          >
            <statusIcons.failed size={12} className="flex-none" aria-hidden />
            {REASON_WORDS[original.reason]}
          </span>
        ) : null}
      </span>
    ),
  }),
  col.accessor('destinations', {
    header: 'Destinations',
    meta: { width: 'minmax(128px, 1fr)', phone: 'below' },
    cell: ({ getValue }) => <DestinationHealth destinations={getValue()} />,
  }),
  col.display({
    id: 'figures',
    header: 'Last 24 h',
    meta: { width: '176px', fold: 'late' },
    cell: ({ row: { original } }) => <TriggerFigures triggerId={original.trigger_id} />,
  }),
  col.accessor('last_event_at', {
    header: 'Last event',
    meta: { width: '104px', phone: 'end' },
    cell: ({ getValue }) => (getValue() === null ? <span className="text-fg-3">never</span> : <Time at={getValue()} />),
  }),
  col.accessor('next_fire_at', {
    header: 'Next firing',
    meta: { width: '104px', fold: true },
    cell: ({ getValue }) => (getValue() === null ? <span className="text-fg-3">–</span> : <Time at={getValue()} />),
  }),
]);

const rowsOf = (page: { triggers: Trigger[] }) => page.triggers;
const triggerId = (trigger: Trigger) => trigger.trigger_id;
const linkTo = (trigger: Trigger) => path.trigger(trigger.trigger_id);
const HEALTHS = [{ value: 'failing', label: 'Failing' }];
const STATUSES = TRIGGER_STATUSES.map((value) => ({ value, label: sentenceCase(value) }));

/** The triggers of the account with their destinations. */
export function Component() {
  const [filter, setFilter] = useUrlState(defaults);
  const [text, setText] = useDebouncedFilter(filter.q, (q) => setFilter({ q }));
  const list = useList(pages('triggerList', inputOf(filter)), { rows: rowsOf, rowId: triggerId });
  useFirings(list.rows, 'triggerList');
  const sources = sourcesOf(useQuery(appsQuery).data?.apps ?? []).map(({ app, name }) => ({ value: app, label: name }));
  const filters = (
    [
      ['Text', 'q', filter.q],
      ['Source', 'source', sources.find(({ value }) => value === filter.source)?.label ?? filter.source],
      ['Status', 'status', sentenceCase(filter.status)],
      ['Health', 'health', HEALTHS.find(({ value }) => value === filter.health)?.label],
    ] as const
  ).flatMap(([name, key, value]) => (value ? [{ name, value, onClear: () => setFilter({ [key]: undefined }) }] : []));
  return (
    <>
      <PageHead
        title="Triggers"
        meta={<LivePill count={list.waiting} noun="triggers" onShow={list.show} />}
        actions={
          <>
            <span className="max-sm:hidden">
              <CopyAsCurl text={() => curlText('triggerList', inputOf(filter))} what="this list" />
            </span>
            {list.rows.length > 0 || filters.length > 0 ? <NewTriggerButton /> : null}
          </>
        }
      />
      <FilterBar>
        <SearchInput
          label="Name or event type"
          maxLength={200}
          value={text}
          onChange={setText}
          className="max-sm:min-w-36"
        />
        <FilterMenu
          name="Source"
          options={sources}
          value={filter.source || undefined}
          onChange={(source) => setFilter({ source })}
        />
        <FilterMenu
          name="Status"
          options={STATUSES}
          value={filter.status || undefined}
          onChange={(status) => setFilter({ status })}
        />
        <FilterMenu
          name="Health"
          options={HEALTHS}
          value={filter.health || undefined}
          onChange={(health) => setFilter({ health })}
        />
      </FilterBar>
      <QueryTable
        label="Triggers"
        noun="triggers"
        density="tall"
        list={list}
        columns={columns}
        rowLink={linkTo}
        filters={filters}
        onClearFilters={() => setFilter(defaults)}
        empty={<NoTriggers />}
      />
    </>
  );
}
