import type { ReplayItemState } from '../../../contract/states.ts';
import type { ReplayItem } from '../../api/entities.ts';
import { DeliveryChip } from '../../components/status.tsx';
import { middleCut } from '../../lib/format.ts';
import { columnsOf } from '../../table/columns.ts';

const col = columnsOf<ReplayItem>();

const STATE: Record<ReplayItemState, string> = {
  WAITING: 'waiting',
  SENT: 'in progress',
  DONE: 'done',
  SKIPPED: 'skipped',
};

/** `names` are the loaded names of the destinations. */
export const itemColumns = (names: ReadonlyMap<string, string>) =>
  col.columns([
    col.accessor('event_id', {
      header: 'Event',
      meta: { width: '144px', link: true, phone: 'lead' },
      cell: ({ getValue }) => (
        <span className="data truncate" title={getValue()}>
          {middleCut(getValue())}
        </span>
      ),
    }),
    col.accessor('destination_id', {
      header: 'Destination',
      meta: { width: 'minmax(96px, 1fr)', phone: 'below' },
      cell: ({ getValue }) => (
        <span className="min-w-0 truncate" title={names.get(getValue()) ?? getValue()}>
          {names.get(getValue()) ?? <span className="data text-fg-3">{middleCut(getValue())}</span>}
        </span>
      ),
    }),
    col.accessor('before', {
      header: 'Was',
      meta: { width: '136px', fold: true },
      cell: ({ getValue }) => {
        const { status, response_status } = getValue();
        return <DeliveryChip status={status} data={response_status ?? undefined} />;
      },
    }),
    col.accessor('after', {
      header: 'Is now',
      meta: { width: '136px', phone: 'tail' },
      cell: ({ getValue, row: { original } }) => {
        const after = getValue();
        return after ? (
          <DeliveryChip status={after.status} data={after.response_status ?? undefined} />
        ) : (
          <span className="text-12 text-fg-3">{STATE[original.state]}</span>
        );
      },
    }),
  ]);
