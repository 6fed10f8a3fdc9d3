import type { App, Connection } from '../../api/entities.ts';
import { AppIcon } from '../../components/apps/AppIcon.tsx';
import { Link } from '../../components/Link.tsx';
import { ConnectionChip } from '../../components/status.tsx';
import { middleCut, plural } from '../../lib/format.ts';
import { METHOD_NAMES } from '../../lib/method-names.ts';
import { path } from '../../lib/path.ts';
import { columnsOf } from '../../table/columns.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { cx } from '../../ui/cx.ts';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { attentionWords } from './attention-words.ts';
import { ConnectButton } from './ConnectButton.tsx';
import { appNameOf } from './connection-queries.ts';
import { causeWords, failureOf, isAppsFault, lastErrorOf } from './failure.ts';

const col = columnsOf<Connection>();

export interface ConnectionColumnsOptions {
  readonly apps: readonly App[] | undefined;
  /** The browser blocked the connect window. */
  readonly onBlocked: (connection: Connection) => void;
}

export const connectionColumns = ({ apps, onBlocked }: ConnectionColumnsOptions) =>
  col.columns([
    col.accessor('app', {
      header: 'App',
      meta: { width: 'minmax(180px, 1.4fr)', phone: 'lead' },
      cell: ({ row: { original } }) => <NamedApp connection={original} appName={appNameOf(apps, original.app)} />,
    }),
    col.accessor('tags', {
      header: 'User, tags',
      meta: { width: 'minmax(110px, 0.8fr)', fold: true },
      cell: ({ row: { original } }) => <TagsAndUser connection={original} />,
    }),
    col.accessor('method', {
      header: 'Method',
      meta: { width: '96px', phone: 'below', fold: 'late' },
      cell: ({ row: { original } }) => <MethodBelow connection={original} />,
    }),
    col.accessor('status', {
      header: 'Status',
      meta: { width: 'minmax(150px, 1.6fr)', phone: 'tail' },
      cell: ({ row: { original } }) => <StatusWithCause connection={original} />,
    }),
    col.accessor('last_used_time', {
      header: 'Last used',
      meta: { width: '104px', phone: 'end' },
      cell: ({ getValue }) =>
        getValue() === null ? <span className="text-fg-3">never</span> : <Time at={getValue()} />,
    }),
    col.accessor('trigger_count', {
      header: 'Used by',
      meta: { width: '88px', fold: true },
      cell: ({ getValue }) =>
        getValue() === 0 ? (
          <span className="text-fg-3">–</span>
        ) : (
          <span className="text-fg-2">{plural(getValue(), 'trigger')}</span>
        ),
    }),
    col.accessor('creation_time', {
      header: 'Created',
      meta: { width: '104px', sorted: 'descending', fold: true },
      cell: ({ getValue }) => <Time at={getValue()} />,
    }),
    col.display({
      id: 'action',
      header: () => <span className="sr-only">Actions</span>,
      meta: { width: '112px', align: 'end' },
      cell: ({ row: { original } }) => (
        <FixButton
          connection={original}
          appName={appNameOf(apps, original.app)}
          onBlocked={() => onBlocked(original)}
        />
      ),
    }),
  ]);

interface FixButtonProps {
  readonly connection: Connection;
  readonly appName: string;
  readonly onBlocked: () => void;
}

/** The button that repairs it. */
function FixButton({ connection, appName, onBlocked }: FixButtonProps) {
  if (connection.status === 'ACTIVE') return null;
  const failure = failureOf(connection);
  if (failure && isAppsFault(failure)) {
    return (
      <LinkButton size="sm" render={<Link to={path.app(connection.app)} />}>
        Credentials<span className="sr-only"> of {appName}</span>
      </LinkButton>
    );
  }
  return (
    <ConnectButton
      connection={connection}
      size="sm"
      label={(verb) => `${verb} ${connection.name ?? appName}`}
      onBlocked={onBlocked}
    />
  );
}

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

const TAGS_SHOWN = 2;

/** The end user and the first tags; both are in the title as a whole. */
function TagsAndUser({ connection: { tags, end_user } }: { connection: Connection }) {
  if (tags.length === 0 && end_user === null) return <span className="text-fg-3">–</span>;
  const user = end_user === null ? undefined : (end_user.name ?? end_user.email ?? end_user.id);
  return (
    <span className="grid min-w-0 gap-0.5" title={[user, ...tags].filter(Boolean).join(', ')}>
      {user === undefined ? null : <span className="truncate text-12 text-fg-2">{user}</span>}
      {tags.length === 0 ? null : (
        <span className="flex min-w-0 items-center gap-1 overflow-hidden">
          {tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Tag key={tag}>{tag.length > 14 ? `${tag.slice(0, 13)}…` : tag}</Tag>
          ))}
          {tags.length > TAGS_SHOWN ? <span className="text-11 text-fg-3">+{tags.length - TAGS_SHOWN}</span> : null}
        </span>
      )}
    </span>
  );
}

/** The method; in the two-line rows of a phone, also the name or the cause of failure. */
function MethodBelow({ connection }: { connection: Connection }) {
  const { name, method } = connection;
  const failure = failureOf(connection);
  return (
    <>
      {name === null ? null : <span className="min-w-0 truncate text-12 text-fg-3 sm:hidden">{name}</span>}
      {failure ? <span className="min-w-0 flex-none text-12 text-bad-fg sm:hidden">{causeWords(failure)}</span> : null}
      {method === undefined ? (
        <span className="text-fg-3 max-sm:hidden">–</span>
      ) : (
        <span className={cx('text-fg-2', failure && 'max-sm:hidden')}>{METHOD_NAMES[method]}</span>
      )}
    </>
  );
}

/** Shown beside a status other than FAILED: the pending step, or a warning. */
function QuietState({ connection }: { connection: Connection }) {
  const lastError = lastErrorOf(connection);
  if (lastError) {
    return (
      <span className="min-w-0 truncate text-12 text-warn-fg max-sm:hidden" title={lastError.message}>
        Last attempt failed <Time at={lastError.time} />
      </span>
    );
  }
  const [first] = connection.attention;
  if (first) {
    return (
      <span className="min-w-0 truncate text-12 text-warn-fg max-sm:hidden" title={first.message}>
        {attentionWords(first.code)}
      </span>
    );
  }
  if (connection.status !== 'PENDING') return null;
  return <span className="min-w-0 truncate text-12 text-fg-3 max-sm:hidden">Awaiting authorization</span>;
}

function StatusWithCause({ connection }: { connection: Connection }) {
  const failure = failureOf(connection);
  return (
    <>
      <ConnectionChip status={connection.status} />
      {failure ? (
        <span className="min-w-0 truncate text-12 text-fg-2 max-sm:hidden" title={failure.message}>
          {causeWords(failure)}
        </span>
      ) : null}
      {failure ? null : <QuietState connection={connection} />}
    </>
  );
}
