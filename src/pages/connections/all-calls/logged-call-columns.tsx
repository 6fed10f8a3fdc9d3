import { Ban, Disc } from 'lucide-react';
import type { App, LoggedCall } from '../../../api/entities.ts';
import { AppIcon } from '../../../components/apps/AppIcon.tsx';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { columnsOf } from '../../../table/columns.ts';
import { Chip } from '../../../ui/controls/Chip.tsx';
import { Time } from '../../../ui/Time.tsx';
import { CallError, CallKey, CallStatus } from '../calls/call-columns.tsx';
import { appNameOf } from '../connection-queries.ts';

const col = columnsOf<LoggedCall>();

/** The status of the app, or that the gateway refused the call. */
export function LoggedStatus({ call: { refused, status, calls } }: { call: LoggedCall }) {
  if (!refused) return <CallStatus status={status} />;
  return (
    <Chip tone="warn" icon={Ban}>
      Refused {status}
      {calls > 1 ? ` ×${formatCount(calls)}` : ''}
    </Chip>
  );
}

/** `GET /items`; a row for refused calls with several paths has none. */
export const requestText = ({ method, path }: Pick<LoggedCall, 'method' | 'path'>): string =>
  path === '*' ? 'Several requests' : `${method} ${path}`;

export const loggedCallColumns = (apps: readonly App[] | undefined) =>
  col.columns([
    col.accessor('last_at', {
      header: 'Time',
      meta: { width: '104px', sorted: 'descending', phone: 'below' },
      cell: ({ getValue }) => <Time at={getValue()} as="clock" precise className="text-fg-2" />,
    }),
    col.accessor('app', {
      header: 'App',
      meta: { width: 'minmax(96px, 160px)', fold: true },
      cell: ({ getValue }) => {
        const app = getValue();
        if (app === null) return <span className="text-fg-3">–</span>;
        const name = appNameOf(apps, app);
        return (
          <span className="flex min-w-0 items-center gap-2">
            <AppIcon app={app} name={name} />
            <span className="truncate" title={name}>
              {name}
            </span>
          </span>
        );
      },
    }),
    col.accessor('path', {
      header: 'Request',
      meta: { width: 'minmax(160px, 3fr)', phone: 'lead', link: true },
      cell: ({ row: { original } }) => (
        <span className="data block truncate" title={requestText(original)}>
          {original.path === '*' ? (
            requestText(original)
          ) : (
            <>
              <span className="inline-block min-w-14 font-medium">{original.method}</span> {original.path}
            </>
          )}
        </span>
      ),
    }),
    col.display({
      id: 'status',
      header: 'Status',
      meta: { width: '136px', phone: 'tail' },
      cell: ({ row: { original } }) => <LoggedStatus call={original} />,
    }),
    col.accessor('connection_name', {
      header: 'Connection',
      meta: { width: 'minmax(80px, 140px)', fold: true },
      cell: ({ getValue, row: { original } }) => (
        <span className="min-w-0 truncate text-fg-2" title={getValue() ?? undefined}>
          {original.connection_id === null ? '–' : (getValue() ?? 'Without a name')}
        </span>
      ),
    }),
    col.accessor('key_name', {
      header: 'API key',
      meta: { width: 'minmax(72px, 120px)', fold: true },
      cell: ({ row: { original } }) => <CallKey call={original} />,
    }),
    col.accessor('error', {
      header: 'Error',
      meta: { width: 'minmax(80px, 2fr)', fold: true },
      cell: ({ getValue }) => <CallError error={getValue()} />,
    }),
    col.accessor('duration_ms', {
      header: 'Duration',
      meta: { width: '80px', align: 'end', phone: 'end' },
      cell: ({ getValue, row: { original } }) => (
        <span className="data text-fg-2">{original.refused ? '–' : formatDuration(getValue())}</span>
      ),
    }),
    col.accessor('captured', {
      header: () => <span className="sr-only">Captured</span>,
      meta: { width: '24px', align: 'end', fold: true },
      cell: ({ getValue }) =>
        getValue() ? (
          <span title="Request and response were captured">
            <Disc size={14} aria-hidden />
            <span className="sr-only">captured</span>
          </span>
        ) : null,
    }),
  ]);
