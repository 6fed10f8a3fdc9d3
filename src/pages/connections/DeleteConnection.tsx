import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { App, Connection } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../components/Link.tsx';
import { SETTLED } from '../../components/UnsavedChanges.tsx';
import { useUnmount } from '../../hooks/use-unmount.ts';
import { newestTriggersQuery } from '../../layouts/attention.ts';
import { path } from '../../lib/path.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { activeQuery, appNameOf, connectionQuery, titleOf } from './connection-queries.ts';
import { defaultConnection, nextDefaultConnection } from './default-connection.ts';

export interface DeleteConnectionProps {
  readonly connection: Connection;
  readonly apps: readonly App[];
  readonly onClose: () => void;
}

/** Asks for the connection's name and shows the impact of deleting it. */
export function DeleteConnection({ connection, apps, onClose }: DeleteConnectionProps) {
  const { connection_id } = connection;
  const params = { connection_id };
  const title = titleOf(connection, apps);
  const navigate = useNavigate();
  const gone = useRef(false);
  // evicts its cache entries on unmount: earlier, the open page would refetch them
  useUnmount(() => {
    if (gone.current) queryClient.removeQueries({ queryKey: connectionQuery(connection_id).queryKey });
  });
  const remove = useApiMutation('connectionDelete', {
    failure: `${title} was not deleted`,
    invalidates: ['connectionList', 'triggerList', 'auditList'],
    onSuccess: async () => {
      gone.current = true;
      await navigate(path.connections(), { replace: true, state: SETTLED });
      toast({ title: `${title} deleted`, tone: 'ok' });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the connection ${title}`}
      confirmLabel="Delete connection"
      typeName={title}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
    >
      <DeletionImpact connection={connection} appName={appNameOf(apps, connection.app)} />
      <p className="mt-2">Its credentials are deleted with it. This can’t be undone.</p>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('connectionDelete', { params })} what="delete this connection" />
      </div>
    </ConfirmDialog>
  );
}

function DeletionImpact({ connection, appName }: { connection: Connection; appName: string }) {
  const { connection_id, last_used_time } = connection;
  const triggers = useQuery(newestTriggersQuery);
  const active = useQuery(activeQuery(connection.app));
  if (triggers.isPending || active.isPending) return <SkeletonLines label="Checking what uses it" />;
  const using = (triggers.data?.triggers ?? []).filter((trigger) => trigger.connection_id === connection_id);
  return (
    <ul className="list-disc pl-4">
      <li>
        {last_used_time === null ? (
          'It has not been used yet.'
        ) : (
          <>
            It was last used <Time at={last_used_time} className="text-fg" />. Calls that name it will be rejected.
          </>
        )}
      </li>
      <Unnamed active={active.data?.connections ?? []} connectionId={connection_id} appName={appName} />
      {using.length === 0 ? <li>No trigger uses it.</li> : null}
      {using.map(({ trigger_id, name }) => (
        <li key={trigger_id}>
          The trigger{' '}
          <Link className="link underline underline-offset-2" to={path.trigger(trigger_id)}>
            {name}
          </Link>{' '}
          is disabled.
        </li>
      ))}
    </ul>
  );
}

/** The impact on calls without a connection ID. */
function Unnamed({
  active,
  connectionId,
  appName,
}: {
  active: readonly Connection[];
  connectionId: string;
  appName: string;
}) {
  if (defaultConnection(active)?.connection_id !== connectionId) return null;
  const next = nextDefaultConnection(active, connectionId);
  return next ? (
    <li>
      Calls to {appName} without a connection ID will use{' '}
      <span className="wrap-anywhere text-fg">{next.name ?? next.connection_id}</span> instead.
    </li>
  ) : (
    <li>
      It is the only active connection of {appName}: every call to {appName} will be rejected.
    </li>
  );
}
