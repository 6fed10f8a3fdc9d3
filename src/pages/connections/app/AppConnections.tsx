import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../../api/api-error.ts';
import type { App, Connection } from '../../../api/entities.ts';
import { Link } from '../../../components/Link.tsx';
import { ConnectionChip } from '../../../components/status.tsx';
import { middleCut } from '../../../lib/format.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { path } from '../../../lib/path.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Tag } from '../../../ui/Tag.tsx';
import { Time } from '../../../ui/Time.tsx';
import { connectionsOfQuery } from '../connection-queries.ts';
import { Section } from '../Section.tsx';

/** Connections shown here; the list of connections, filtered by app, has the rest. */
const MOST = 8;

/** The existing connections of this app. */
export function AppConnections({ app }: { app: App }) {
  const { data, error, refetch } = useQuery(connectionsOfQuery(app.app));
  const connections = data?.connections ?? [];
  return (
    <Section title="Connections">
      {error ? (
        <ErrorState
          title="The connections could not be loaded"
          detail={toApiError(error).message}
          requestId={toApiError(error).requestId}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <SkeletonLines lines={2} />
      ) : connections.length === 0 ? (
        <p className="text-fg-2">There are no connections to {app.name} yet.</p>
      ) : (
        <>
          <ul className="border-t border-line">
            {connections.slice(0, MOST).map((connection) => (
              <Row key={connection.connection_id} connection={connection} />
            ))}
          </ul>
          <Link className="link mt-2 inline-block" to={path.connections({ app: app.app })}>
            {connections.length > MOST ? `All ${connections.length} connections` : 'View connections'}
          </Link>
        </>
      )}
    </Section>
  );
}

function Row({ connection }: { connection: Connection }) {
  const { connection_id, name, status, is_default, method, last_used_time } = connection;
  return (
    <li className="flex min-h-9 items-center gap-2 border-b border-line">
      <Link className="link min-w-0 flex-1 truncate" to={path.connection(connection_id)}>
        {name ?? <span className="data">{middleCut(connection_id)}</span>}
      </Link>
      {is_default ? <Tag>Default</Tag> : null}
      {method === undefined ? null : <span className="text-fg-3 max-sm:hidden">{METHOD_NAMES[method]}</span>}
      <span className="w-24 flex-none text-right text-12 text-fg-3 max-sm:hidden">
        {last_used_time === null ? 'never used' : <Time at={last_used_time} />}
      </span>
      <span className="flex w-20 flex-none justify-end">
        <ConnectionChip status={status} />
      </span>
    </li>
  );
}
