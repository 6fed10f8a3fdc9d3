import { List } from 'lucide-react';
import type { Replay } from '../../api/entities.ts';
import { ensure } from '../../api/queries.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { ReplayChip } from '../../components/replays/ReplayChip.tsx';
import { formatCount, middleCut } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { columnsOf } from '../../table/columns.ts';
import { QueryTable } from '../../table/QueryTable.tsx';
import { useList } from '../../table/use-list.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LivePill } from '../../ui/LivePill.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Time } from '../../ui/Time.tsx';
import { ReplayEvents, ReplayRoute } from './replay-cells.tsx';
import { replaysQuery } from './replay-queries.ts';

export function loader(): null {
  ensure(replaysQuery).catch(() => undefined);
  return null;
}

const col = columnsOf<Replay>();
const columns = col.columns([
  col.accessor('created_at', {
    header: 'Started',
    meta: { width: '120px', sorted: 'descending', phone: 'below' },
    cell: ({ getValue }) => <Time at={getValue()} className="text-fg-2" />,
  }),
  col.display({
    id: 'about',
    header: 'Deliveries',
    meta: { width: 'minmax(160px, 4fr)', link: true, phone: 'lead' },
    cell: ({ row: { original } }) => <ReplayRoute replay={original} />,
  }),
  col.display({
    id: 'events',
    header: 'Events',
    meta: { width: '176px', fold: true },
    cell: ({ row: { original } }) => <ReplayEvents replay={original} />,
  }),
  col.accessor('replay_id', {
    header: 'Replay',
    meta: { width: '128px', fold: true },
    cell: ({ getValue }) => (
      <span className="data truncate" title={getValue()}>
        {middleCut(getValue())}
      </span>
    ),
  }),
  col.accessor('status', {
    header: 'Status',
    meta: { width: '112px', phone: 'tail' },
    cell: ({ getValue }) => <ReplayChip status={getValue()} />,
  }),
  col.display({
    id: 'done',
    header: 'Done',
    meta: { width: '120px', align: 'end', phone: 'end' },
    cell: ({ row: { original } }) => (
      <span className="data">
        {formatCount(original.done)} of {original.gathering ? 'at least ' : ''}
        {formatCount(original.total)}
      </span>
    ),
  }),
  col.accessor('succeeded', {
    header: 'Succeeded',
    meta: { width: '88px', align: 'end', fold: 'late' },
    cell: ({ getValue }) => <span className="data text-fg-2">{formatCount(getValue())}</span>,
  }),
  col.accessor('failed', {
    header: 'Failed',
    meta: { width: '72px', align: 'end' },
    cell: ({ getValue }) => (
      <span className={getValue() > 0 ? 'data text-bad-fg' : 'data text-fg-2'}>{formatCount(getValue())}</span>
    ),
  }),
  col.accessor('created_by', {
    header: 'Created by',
    meta: { width: 'minmax(80px, 1fr)', fold: true },
    cell: ({ getValue }) => (
      <span className="min-w-0 truncate text-fg-2" title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
]);

const rowsOf = (page: { replays: Replay[] }) => page.replays;
const rowId = (replay: Replay) => replay.replay_id;
const rowName = (replay: Replay) => `replay ${middleCut(replay.replay_id)}`;
const rowLink = (replay: Replay) => path.replay(replay.replay_id);
const rowVersion = ({ status, done, total }: Replay) => `${status}${done}/${total}`;

/** The bulk replays of the account, newest first. */
export function Component() {
  const list = useList(replaysQuery, { rows: rowsOf, rowId });
  return (
    <>
      <PageHead
        title="Replays"
        meta={<LivePill count={list.waiting} noun="replays" onShow={list.show} />}
        actions={
          <span className="max-sm:hidden">
            <CopyAsCurl text={() => curlText('replayList')} what="this list" />
          </span>
        }
      />
      <QueryTable
        label="Replays"
        noun="replays"
        list={list}
        columns={columns}
        rowName={rowName}
        rowLink={rowLink}
        rowVersion={rowVersion}
        empty={
          <EmptyState
            title="No replays yet"
            actions={
              <LinkButton variant="primary" icon={List} render={<Link to={path.events()} />}>
                Open events
              </LinkButton>
            }
          >
            A replay sends stored events again: selected ones, or all that match a filter. Each replay is listed here
            with the outcome of every delivery before and after.
          </EmptyState>
        }
      />
    </>
  );
}
