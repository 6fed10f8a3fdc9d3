import { operationNames } from '../../../contract/routes.ts';
import { routes } from '../../../contract/routes.ts?worded';
import type { AuditEntry } from '../../api/entities.ts';
import type { Operation } from '../../api/operation.ts';
import { ensure, pages, q, usePrefetchedQuery } from '../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { IdText } from '../../components/IdText.tsx';
import { Link } from '../../components/Link.tsx';
import { NextStep } from '../../components/NextStep.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { sentenceCase } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { Chip, statusIcons } from '../../ui/controls/Chip.tsx';
import { FilterBar } from '../../ui/controls/FilterBar.tsx';
import { FilterChip } from '../../ui/controls/FilterChip.tsx';
import { FilterMenu } from '../../ui/controls/FilterMenu.tsx';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { pageOf, useResourceNames } from './resource-names.ts';

const defaults = { operation: '', person: '', key: '', resource: '', request: '' };

const inputOf = ({ operation, person, key, resource, request }: typeof defaults) => ({
  query: {
    operation: operation || undefined,
    actor_id: person || undefined,
    key_id: key || undefined,
    resource_id: resource.trim() || undefined,
    request_id: request || undefined,
  },
});
const membersQuery = q('memberList');

const keysQuery = q('apiKeyList');

export const loader = () => ensure(membersQuery, keysQuery);
export const handle: Handle = { crumb: 'Audit log' };

function summaryOf(operation: string): string {
  return operation in routes ? routes[operation as Operation].summary : operation;
}

const col = columnsOf<AuditEntry>();
const columns = col.columns([
  col.accessor('at', {
    header: 'Time',
    meta: { width: '112px', sorted: 'descending', phone: 'lead' },
    cell: ({ getValue }) => <Time at={getValue()} as="clock" className="text-fg-2" />,
  }),
  col.accessor('actor_name', {
    header: 'Actor',
    meta: { width: 'minmax(120px, 1fr)', phone: 'tail' },
    cell: ({ row: { original } }) => (
      <>
        <span className="min-w-0 truncate">{original.actor_name}</span>
        {original.actor_type === 'USER' ? null : <Tag>{sentenceCase(original.actor_type)}</Tag>}
      </>
    ),
  }),
  col.accessor('operation', {
    header: 'Operation',
    meta: { width: 'minmax(180px, 2fr)', phone: 'below' },
    cell: ({ getValue, row: { original } }) => (
      <>
        <span className="min-w-0 truncate" title={getValue()}>
          {summaryOf(getValue())}
          {original.changes.length > 0 ? (
            <span className="text-fg-3" title={original.changes.map(({ field }) => field).join(', ')}>
              {' · '}
              {original.changes.map(({ field }) => field).join(', ')}
            </span>
          ) : null}
        </span>
        {original.outcome === 'FAILED' ? (
          <Chip tone="bad" icon={statusIcons.failed}>
            Failed
          </Chip>
        ) : null}
      </>
    ),
  }),
  col.accessor('resource_id', {
    header: 'Resource',
    meta: { width: 'minmax(128px, 1fr)', phone: 'end' },
    cell: ({ row: { original } }) => <Resource entry={original} />,
  }),
  col.accessor('ip', {
    header: 'IP address',
    meta: { width: '112px', fold: true },
    cell: ({ getValue }) => <span className="data truncate text-fg-2">{getValue() ?? '–'}</span>,
  }),
  col.accessor('request_id', {
    header: 'Request',
    meta: { width: '128px', fold: true },
    cell: ({ getValue }) => (getValue() ? <IdText id={getValue()} /> : <span className="text-fg-3">–</span>),
  }),
]);
/** The name of the resource, as far as it is listed, linked to its page. */
function Resource({ entry: { resource_id: id, operation } }: { entry: AuditEntry }) {
  const named = useResourceNames();
  if (id === null) return <span className="text-fg-3">–</span>;
  const known = named.get(id);
  const to = known?.to ?? pageOf(operation, id);
  const text = known ? (
    <span className="truncate" title={`${known.name} ${id}`}>
      {known.name}
    </span>
  ) : (
    <IdText id={id} />
  );
  return to === undefined ? (
    text
  ) : (
    <Link className="link inline-flex min-h-6 min-w-0 items-center" to={to}>
      {text}
    </Link>
  );
}
const rowsOf = (page: { entries: AuditEntry[] }) => page.entries;
const entryId = (entry: AuditEntry) => entry.audit_id;

const CHANGES = operationNames
  .filter((name) => routes[name].method !== 'GET')
  .map((name) => ({ value: name, label: routes[name].summary, note: <span className="data">{name}</span> }));

/** The audit log: time, actor, operation, resource and IP address. */
export function Component() {
  const [filter, setFilter] = useUrlState(defaults);
  const { members } = usePrefetchedQuery(membersQuery).data;
  const list = useList(pages('auditList', inputOf(filter)), { rows: rowsOf, rowId: entryId });
  const people = members.map((member) => ({ value: member.user_id, label: member.name }));
  const { api_keys } = usePrefetchedQuery(keysQuery).data;
  const keys = api_keys.map(({ key_id, name }) => ({ value: key_id, label: name }));
  const set = (name: keyof typeof defaults) => (value: string | undefined) => setFilter({ [name]: value });
  const filters = (
    [
      ['Resource', 'resource', filter.resource],
      ['Request', 'request', filter.request],
      ['Actor', 'person', people.find(({ value }) => value === filter.person)?.label ?? filter.person],
      ['API key', 'key', keys.find(({ value }) => value === filter.key)?.label ?? filter.key],
      ['Operation', 'operation', summaryOf(filter.operation)],
    ] as const
  ).flatMap(([name, key, value]) => (value ? [{ name, value, onClear: () => set(key)(undefined) }] : []));
  return (
    <>
      <div className="flex-none pt-2">
        <FilterBar>
          <SearchInput label="Resource ID" mono value={filter.resource} onChange={set('resource')} />
          <FilterMenu name="Actor" options={people} value={filter.person || undefined} onChange={set('person')} />
          <FilterMenu name="API key" options={keys} value={filter.key || undefined} onChange={set('key')} />
          <FilterMenu
            name="Operation"
            options={CHANGES}
            value={filter.operation || undefined}
            onChange={set('operation')}
          />
          {filter.request ? (
            <FilterChip name="Request" value={filter.request} onClear={() => set('request')(undefined)} />
          ) : null}
          <LivePill count={list.waiting} noun="entries" onShow={list.show} />
          <span className="ml-auto max-sm:hidden">
            <CopyAsCurl size="sm" text={() => curlText('auditList', inputOf(filter))} what="this list" />
          </span>
        </FilterBar>
      </div>
      <QueryTable
        label="Audit log"
        noun="entries"
        list={list}
        columns={columns}
        filters={filters}
        onClearFilters={() =>
          setFilter({
            operation: undefined,
            person: undefined,
            key: undefined,
            resource: undefined,
            request: undefined,
          })
        }
        empty={
          <EmptyState
            title="No audit log entries yet"
            actions={<NextStep to={path.settings('account')}>Open the account settings</NextStep>}
          >
            Every change to the account is recorded here, with its actor and IP address.
          </EmptyState>
        }
      />
    </>
  );
}
