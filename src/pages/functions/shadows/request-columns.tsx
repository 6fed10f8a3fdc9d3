import type { ShadowEquality } from '../../../../contract/states.ts';
import { formatDuration } from '../../../lib/format.ts';
import { columnsOf } from '../../../table/columns.ts';
import { Time } from '../../../ui/Time.tsx';
import { OutcomeChip } from './OutcomeChip.tsx';
import type { Shadow, ShadowRequest } from './shadow-queries.ts';

const col = columnsOf<ShadowRequest>();
const EQUALITY: Record<ShadowEquality, string> = { SAME: 'same', DIFFERENT: 'different', VARIES: 'varies' };

/** `SAME` and `VARIES` are quiet, as neither says anything about the new version. */
function Equality({ value }: { value: ShadowEquality | null }) {
  if (value === null) return <span className="text-fg-3">–</span>;
  return <span className={value === 'DIFFERENT' ? 'text-warn-fg' : 'text-fg-3'}>{EQUALITY[value]}</span>;
}

export const requestColumns = ({ live_version, version }: Shadow) =>
  col.columns([
    col.accessor('received_at', {
      header: 'Received',
      meta: { width: '104px', sorted: 'descending', phone: 'lead', link: true },
      cell: ({ getValue }) => <Time at={getValue()} as="clock" className="text-fg-2" />,
    }),
    col.display({
      id: 'request',
      header: 'Request',
      meta: { width: 'minmax(120px, 1fr)', phone: 'below' },
      cell: ({ row: { original } }) => (
        <span className="data truncate" title={`${original.method} ${original.path}`}>
          {original.method} {original.path}
        </span>
      ),
    }),
    col.accessor('before', {
      header: `v${live_version}`,
      meta: { width: '148px', fold: true },
      cell: ({ getValue }) => <Side result={getValue()} />,
    }),
    col.accessor('after', {
      header: `v${version}`,
      meta: { width: '148px', phone: 'tail' },
      cell: ({ getValue, row: { original } }) =>
        original.state === 'SKIPPED' ? (
          <span className="truncate text-12 text-fg-3" title={original.reason ?? ''}>
            skipped
          </span>
        ) : (
          <Side result={getValue()} />
        ),
    }),
    col.accessor('response', {
      header: 'Response',
      meta: { width: '88px', fold: true },
      cell: ({ getValue }) => <Equality value={getValue()} />,
    }),
    col.accessor('log', {
      header: 'Log',
      meta: { width: '80px', fold: true },
      cell: ({ getValue }) => <Equality value={getValue()} />,
    }),
    col.display({
      id: 'duration',
      header: 'Duration',
      meta: { width: '136px', align: 'end', fold: true },
      cell: ({ row: { original } }) => (
        <span className="data text-fg-2">
          {original.before && original.after
            ? `${formatDuration(original.before.duration_ms)} → ${formatDuration(original.after.duration_ms)}`
            : '–'}
        </span>
      ),
    }),
  ]);

function Side({ result }: { result: ShadowRequest['before'] }) {
  return result ? (
    <OutcomeChip outcome={result.outcome} status={result.response_status} />
  ) : (
    <span className="text-12 text-fg-3">waiting</span>
  );
}
