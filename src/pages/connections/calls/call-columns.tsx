import { CornerUpRight } from 'lucide-react';
import type { GatewayCall } from '../../../api/entities.ts';
import { formatBytes, formatDuration } from '../../../lib/format.ts';
import { columnsOf } from '../../../table/columns.ts';
import { Chip, statusIcons } from '../../../ui/controls/Chip.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import type { Icon } from '../../../ui/icon.ts';
import { Time } from '../../../ui/Time.tsx';
import { toneOf } from './call-words.ts';

const col = columnsOf<GatewayCall>();

export function CallStatus({ status }: { status: number | null }) {
  const tone = toneOf(status);
  return (
    <Chip tone={tone} icon={ICON[tone]} quiet={tone === 'ok'}>
      {status ?? 'No response'}
    </Chip>
  );
}
const ICON: Record<ReturnType<typeof toneOf>, Icon> = {
  ok: statusIcons.succeeded,
  mute: CornerUpRight,
  warn: statusIcons.failed,
  bad: statusIcons.failed,
};

/** The name of the key that made the call, or that a function did. */
export function CallKey({ call: { key_name, run_id } }: { call: Pick<GatewayCall, 'key_name' | 'run_id'> }) {
  return (
    <span className="min-w-0 truncate text-fg-2" title={key_name ?? undefined}>
      {key_name ?? (run_id === null ? '–' : 'function')}
    </span>
  );
}

export function CallError({ error }: { error: string | null }) {
  return error === null ? null : (
    <span className="min-w-0 truncate text-12 text-bad-fg" title={error}>
      {error}
    </span>
  );
}

/** `curlOf` returns the call as a curl command. */
export const callColumns = (curlOf: (call: GatewayCall) => string) =>
  col.columns([
    col.accessor('at', {
      header: 'Time',
      meta: { width: '104px', sorted: 'descending', phone: 'below' },
      cell: ({ getValue }) => <Time at={getValue()} as="clock" precise className="text-fg-2" />,
    }),
    col.accessor('path', {
      header: 'Request',
      meta: { width: 'minmax(160px, 2fr)', phone: 'lead', link: true },
      cell: ({ row: { original } }) => (
        <span className="data block truncate" title={`${original.method} ${original.path}`}>
          <span className="inline-block min-w-14 font-medium">{original.method}</span> {original.path}
        </span>
      ),
    }),
    col.accessor('status', {
      header: 'Status',
      meta: { width: '96px', phone: 'tail' },
      cell: ({ getValue }) => <CallStatus status={getValue()} />,
    }),
    col.accessor('key_name', {
      header: 'API key',
      meta: { width: 'minmax(72px, 120px)', fold: true },
      cell: ({ row: { original } }) => <CallKey call={original} />,
    }),
    col.accessor('error', {
      header: 'Error',
      meta: { width: 'minmax(80px, 1fr)', fold: true },
      cell: ({ getValue }) => <CallError error={getValue()} />,
    }),
    col.accessor('duration_ms', {
      header: 'Duration',
      meta: { width: '80px', align: 'end', phone: 'end' },
      cell: ({ getValue }) => <span className="data text-fg-2">{formatDuration(getValue())}</span>,
    }),
    col.accessor('request_bytes', {
      header: 'Sent',
      meta: { width: '64px', align: 'end', fold: true },
      cell: ({ getValue }) => <span className="data text-fg-3">{formatBytes(getValue())}</span>,
    }),
    col.accessor('response_bytes', {
      header: 'Received',
      meta: { width: '72px', align: 'end', fold: true },
      cell: ({ getValue }) => <span className="data text-fg-3">{formatBytes(getValue())}</span>,
    }),
    col.display({
      id: 'copy',
      header: () => <span className="sr-only">Actions</span>,
      meta: { width: '28px', align: 'end', quiet: true },
      cell: ({ row: { original } }) => (
        <CopyButton text={() => curlOf(original)} label={`Copy as curl: ${original.method} ${original.path}`} />
      ),
    }),
  ]);
