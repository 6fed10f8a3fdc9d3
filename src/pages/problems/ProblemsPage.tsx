import type { LoaderFunctionArgs } from 'react-router';
import type { Problem } from '../../api/entities.ts';
import { ensure } from '../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { NextStep } from '../../components/NextStep.tsx';
import { ProblemChip } from '../../components/problems/ProblemChip.tsx';
import { affectedText, countsText, trendText } from '../../components/problems/problem-words.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { SegmentedControl } from '../../ui/controls/SegmentedControl.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Time } from '../../ui/Time.tsx';
import { precedingText } from './ChangesBefore.tsx';
import { listDefaults, problemsQuery, type Shown, shownIn } from './problem-queries.ts';

export function loader({ request }: LoaderFunctionArgs): null {
  const state = new URL(request.url).searchParams.get('state') ?? '';
  ensure(problemsQuery(shownIn(state))).catch(() => undefined);
  return null;
}

const col = columnsOf<Problem>();
const columns = col.columns([
  col.accessor('last_seen_at', {
    header: 'Last seen',
    meta: { width: '96px', sorted: 'descending', phone: 'below' },
    cell: ({ getValue }) => <Time at={getValue()} className="text-fg-2" />,
  }),
  col.accessor('title', {
    header: 'Problem',
    meta: { width: 'minmax(280px, 8fr)', link: true, phone: 'lead' },
    cell: ({ getValue }) => (
      <span className="min-w-0 truncate" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  col.accessor('state', {
    header: 'Status',
    meta: { width: '128px', phone: 'tail' },
    cell: ({ getValue }) => <ProblemChip state={getValue()} />,
  }),
  col.display({
    id: 'trend',
    header: '24 hours',
    meta: { width: '72px', fold: 'late' },
    cell: ({ row: { original } }) => <Sparkline values={original.trend} label={trendText(original)} />,
  }),
  col.accessor('failures', {
    header: 'Failures',
    meta: { width: '80px', align: 'end', phone: 'end' },
    cell: ({ getValue }) => <span className="data">{formatCount(getValue())}</span>,
  }),
  col.display({
    id: 'counts',
    header: 'Failed',
    meta: { width: 'minmax(100px, 2fr)', fold: true },
    cell: ({ row: { original } }) => <Words text={countsText(original)} />,
  }),
  col.display({
    id: 'affected',
    header: 'Affected',
    meta: { width: 'minmax(100px, 2fr)', fold: true },
    cell: ({ row: { original } }) => <Words text={withEndUsers(original)} />,
  }),
  col.display({
    id: 'preceded_by',
    header: 'Change before',
    meta: { width: 'minmax(100px, 2fr)', fold: true },
    cell: ({ row: { original } }) =>
      original.preceded_by === null ? null : <Words text={precedingText(original.preceded_by)} />,
  }),
  col.accessor('first_seen_at', {
    header: 'First seen',
    meta: { width: '96px', fold: true },
    cell: ({ getValue }) => <Time at={getValue()} className="text-fg-2" />,
  }),
]);

function Words({ text }: { text: string }) {
  return (
    <span className="min-w-0 truncate text-fg-2" title={text}>
      {text}
    </span>
  );
}

function withEndUsers(problem: Problem): string {
  const { end_users } = problem.affected;
  return [affectedText(problem), ...(end_users > 0 ? [plural(end_users, 'end user')] : [])].join(', ');
}

const rowsOf = (page: { problems: Problem[] }) => page.problems;
const rowId = ({ problem_id }: Problem) => problem_id;
const rowName = ({ title }: Problem) => `problem ${title}`;
const rowLink = ({ problem_id }: Problem) => path.problem(problem_id);
const rowVersion = ({ state, failures, last_seen_at }: Problem) => `${state}${failures}${last_seen_at}`;

const OPTIONS: { value: Shown; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'all', label: 'All' },
];

const EMPTY: Record<Shown, [title: string, text: string]> = {
  active: [
    'No active problems',
    'Failures of deliveries, functions, gateway calls and sources are grouped here by their cause.',
  ],
  ignored: [
    'No ignored problems',
    'A problem that is ignored until a time, or until it has more failures, is listed here.',
  ],
  resolved: [
    'No resolved problems',
    'A problem that is fixed is listed here, until its failures are past the retention.',
  ],
  all: [
    'No problems yet',
    'Failures of deliveries, functions, gateway calls and sources are grouped here by their cause.',
  ],
};

/** The causes of failures, the last seen first. */
export function Component() {
  const [{ state }, setState] = useUrlState(listDefaults);
  const shown = shownIn(state);
  const list = useList(problemsQuery(shown), { rows: rowsOf, rowId });
  const [title, text] = EMPTY[shown];
  return (
    <>
      <PageHead
        title="Problems"
        actions={
          <>
            <span className="max-sm:hidden">
              <CopyAsCurl text={() => curlText('problemList')} what="this list" />
            </span>
            <SegmentedControl
              label="Status"
              options={OPTIONS}
              value={shown}
              onChange={(next) => setState({ state: next }, { push: true })}
            />
          </>
        }
      />
      <QueryTable
        label="Problems"
        noun="problems"
        list={list}
        columns={columns}
        rowName={rowName}
        rowLink={rowLink}
        rowVersion={rowVersion}
        empty={
          <EmptyState
            title={title}
            actions={<NextStep to={path.events({ status: 'RETRYING' })}>See deliveries that are retried</NextStep>}
          >
            {text}
          </EmptyState>
        }
      />
    </>
  );
}
