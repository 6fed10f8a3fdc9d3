import type { App, Connection } from '../../api/entities.ts';
import { AppIcon } from '../../components/AppIcon.tsx';
import { ConnectionChip } from '../../components/status.tsx';
import { middleCut } from '../../lib/format.ts';
import { columnsOf } from '../../table/columns.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ConnectButton } from './ConnectButton.tsx';
import { appNameOf } from './connection-queries.ts';
import { failureOf } from './failure.ts';

const col = columnsOf<Connection>();

export interface ConnectionColumnsOptions {
  readonly apps: readonly App[] | undefined;
  /** The browser kept the connect window closed. */
  readonly onBlocked: (connection: Connection) => void;
}

export const connectionColumns = ({ apps, onBlocked }: ConnectionColumnsOptions) =>
  col.columns([
    col.accessor('app', {
      header: 'App',
      meta: { width: 'minmax(180px, 1.4fr)', phone: 'lead' },
      cell: ({ row: { original } }) => <NamedApp connection={original} appName={appNameOf(apps, original.app)} />,
    }),
    col.accessor('method', {
      header: 'Method',
      meta: { width: '96px', phone: 'below' },
      cell: ({ getValue, row: { original } }) => (
        <>
          {/* a phone has no second line under the app's name */}
          {original.name === null ? null : (
            <span className="min-w-0 truncate text-12 text-fg-3 sm:hidden">{original.name}</span>
          )}
          {getValue() === undefined ? (
            <span className="text-fg-3 max-sm:hidden">–</span>
          ) : (
            <span className="data text-fg-2">{getValue()}</span>
          )}
        </>
      ),
    }),
    col.accessor('status', {
      header: 'Status',
      meta: { width: 'minmax(140px, 1.2fr)', phone: 'tail' },
      cell: ({ row: { original } }) => <StatusWithCause connection={original} />,
    }),
    col.accessor('last_used_time', {
      header: 'Last used',
      meta: { width: '104px', phone: 'end' },
      cell: ({ getValue }) =>
        getValue() === null ? <span className="text-fg-3">never</span> : <Time at={getValue()} />,
    }),
    col.accessor('creation_time', {
      header: 'Created',
      meta: { width: '104px', sorted: 'descending', fold: true },
      cell: ({ getValue }) => <Time at={getValue()} />,
    }),
    col.display({
      id: 'mend',
      header: () => <span className="sr-only">Actions</span>,
      meta: { width: '112px', align: 'end', quiet: true },
      cell: ({ row: { original } }) =>
        original.status === 'ACTIVE' ? null : (
          <ConnectButton
            connection={original}
            size="sm"
            label={(verb) => `${verb} ${original.name ?? appNameOf(apps, original.app)}`}
            onBlocked={() => onBlocked(original)}
          />
        ),
    }),
  ]);

function NamedApp({ connection, appName }: { connection: Connection; appName: string }) {
  const { connection_id, name, is_default } = connection;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <AppIcon app={connection.app} name={appName} />
      <span className="min-w-0">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="truncate font-medium" title={appName}>
            {appName}
          </span>
          {is_default ? <Tag>Default</Tag> : null}
        </span>
        {name === null ? (
          <span className="data block truncate text-fg-3 max-sm:hidden" title={connection_id}>
            {middleCut(connection_id)}
          </span>
        ) : (
          <span className="block truncate text-12 text-fg-3 max-sm:hidden" title={name}>
            {name}
          </span>
        )}
      </span>
    </span>
  );
}

function StatusWithCause({ connection }: { connection: Connection }) {
  const failure = failureOf(connection);
  return (
    <>
      <ConnectionChip status={connection.status} />
      {failure ? (
        <span className="data min-w-0 truncate text-fg-3 max-sm:hidden" title={failure.message}>
          {failure.code}
        </span>
      ) : null}
      {connection.status === 'PENDING' ? (
        <span className="min-w-0 truncate text-12 text-fg-3 max-sm:hidden">Waits for its link to be used</span>
      ) : null}
    </>
  );
}
