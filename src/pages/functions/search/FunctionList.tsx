import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { redirect } from 'react-router';
import type { HostedFunction } from '../../../api/entities.ts';
import { ensure, pages, q } from '../../../api/queries.ts';
import { Link } from '../../../components/Link.tsx';
import { NewButton } from '../../../components/NewButton.tsx';
import { formatCount, formatPercent, plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { columnsOf } from '../../../table/columns.ts';
import { QueryTable } from '../../../table/QueryTable.tsx';
import { useList } from '../../../table/use-list.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Sparkline } from '../../../ui/Sparkline.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { VisibilityTag } from '../FunctionTags.tsx';
import { useSearchState } from './search-state.ts';

function NoFunctions({ everybody }: { everybody: boolean }) {
  if (everybody) {
    return (
      <EmptyState
        title="No public functions yet"
        actions={
          <NewButton operation="functionCreate" to={path.functionNew()}>
            New function
          </NewButton>
        }
      >
        Public functions of every account, with their code.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No functions yet"
      actions={
        <NewButton operation="functionCreate" to={path.functionNew()}>
          New function
        </NewButton>
      }
    >
      A function is code that this service runs: call it by its URL, or let a trigger deliver events to it.
    </EmptyState>
  );
}

type Owner = 'SELF' | 'ALL';
const listQuery = (owner: Owner) => pages('functionList', owner === 'ALL' ? { query: { owner } } : {});

export const loader = ({ request }: { request: Request }) => {
  const { searchParams, search } = new URL(request.url);
  if (searchParams.get('q')?.trim()) return redirect(`${path.functionSearch()}${search}`);
  return ensure(listQuery(searchParams.get('owner') === 'ALL' ? 'ALL' : 'SELF'));
};

const col = columnsOf<HostedFunction>();
const name = col.accessor('name', {
  header: 'Name',
  meta: { width: 'minmax(160px, 1fr)', phone: 'lead' },
  cell: ({ row: { original } }) => (
    <span className="grid min-w-0">
      <span className="truncate font-medium" title={original.name}>
        {original.name}
      </span>
      {original.description ? (
        <span className="truncate text-12 text-fg-3 max-sm:hidden" title={original.description}>
          {original.description}
        </span>
      ) : null}
    </span>
  ),
});
/** On a phone, show the runtime for own functions and the owner for others'. */
const runtime = (phone: 'below' | undefined) =>
  col.accessor('runtime', {
    header: 'Runtime',
    meta: { width: '96px', phone, fold: phone ? false : 'late' },
    cell: ({ getValue }) => <Tag mono>{getValue()}</Tag>,
  });
const version = col.accessor('version', {
  header: 'Version',
  meta: { width: '64px', fold: 'late' },
  cell: ({ getValue }) => <span className="data">v{getValue()}</span>,
});
const updated = col.accessor('updated_at', {
  header: 'Updated',
  meta: { width: '104px', phone: 'tail' },
  cell: ({ getValue }) => <Time at={getValue()} className="text-fg-2" />,
});
const ownColumns = col.columns([
  name,
  runtime('below'),
  version,
  col.accessor('visibility', {
    header: 'Visibility',
    meta: { width: '96px', phone: 'end' },
    cell: ({ getValue }) => <VisibilityTag visibility={getValue()} />,
  }),
  col.accessor('url', {
    header: 'URL',
    meta: { width: 'minmax(180px, 1fr)', fold: true },
    cell: ({ getValue }) => (
      <span className="data min-w-0 truncate text-fg-3" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  col.display({
    id: 'runs',
    header: 'Runs, 24 h',
    meta: { width: '184px', fold: 'late' },
    cell: ({ row: { original } }) => <DayOfRuns functionId={original.function_id} name={original.name} />,
  }),
  updated,
]);
const publicColumns = col.columns([
  name,
  col.accessor('account_name', {
    header: 'Owner',
    meta: { width: 'minmax(96px, 160px)', phone: 'below' },
    cell: ({ getValue }) => (
      <span className="min-w-0 truncate text-fg-2" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  runtime(undefined),
  version,
  col.accessor('star_count', {
    header: 'Stars',
    meta: { width: '64px', align: 'end', phone: 'end' },
    cell: ({ getValue, row: { original } }) => (
      <>
        <Star size={12} aria-hidden className="flex-none text-fg-3" fill={original.starred ? 'currentColor' : 'none'} />
        <span className="sr-only">{original.starred ? 'starred by this account,' : ''}</span>
        {formatCount(getValue())}
      </>
    ),
  }),
  col.accessor('view_count', {
    header: 'Views',
    meta: { width: '72px', align: 'end', fold: 'late' },
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  updated,
]);

/** The function's runs of the last 24 hours and the share that failed; one request covers the whole list. */
function DayOfRuns({ functionId, name }: { functionId: string; name: string }) {
  const { data } = useQuery(q('functionStats'));
  const day = data?.functions.find(({ function_id }) => function_id === functionId);
  if (!data || !day) return <span className="text-fg-3">{data ? 'none' : ''}</span>;
  const words = `${plural(day.runs, 'run')} in the last 24 h, ${formatCount(day.failed)} failed`;
  return (
    <span className="flex min-w-0 items-center gap-2" title={words}>
      <Sparkline values={day.buckets} label={words} />
      <span className="data" aria-hidden>
        {formatCount(day.runs)}
      </span>
      {day.failed > 0 ? (
        <Link
          to={path.function(functionId, 'runs', { status: 'FAILED', since: '24h' })}
          aria-label={`${formatPercent(day.failed / day.runs)} failed: ${plural(day.failed, 'run')} of ${name}`}
          className="link inline-flex min-h-6 items-center truncate text-11 text-bad-fg"
        >
          {formatPercent(day.failed / day.runs)} failed
        </Link>
      ) : null}
    </span>
  );
}

const rowsOf = (page: { functions: HostedFunction[] }) => page.functions;
const rowId = (fn: HostedFunction) => fn.function_id;
const rowName = (fn: HostedFunction) => fn.name;
const rowLink = (fn: HostedFunction) => path.function(fn.function_id);

/** Every function, newest first. */
export function Component() {
  const [{ owner }] = useSearchState();
  const list = useList(listQuery(owner), { rows: rowsOf, rowId });
  return (
    <QueryTable
      list={list}
      label="Functions"
      noun="functions"
      density="tall"
      columns={owner === 'ALL' ? publicColumns : ownColumns}
      rowName={rowName}
      rowLink={rowLink}
      empty={<NoFunctions everybody={owner === 'ALL'} />}
    />
  );
}
