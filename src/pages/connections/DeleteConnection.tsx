import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { App, Connection } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { CopyAsCurl, curlText } from '../../components/deliveries/CopyAsCurl.tsx';
import { Impact } from '../../components/impact/Impact.tsx';
import { SETTLED } from '../../components/UnsavedChanges.tsx';
import { useUnmount } from '../../hooks/use-unmount.ts';
import { path } from '../../lib/path.ts';
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../ui/overlays/toast.ts';
import { appNameOf, connectionQuery, titleOf } from './connection-queries.ts';
import { DeletionImpact } from './uses/DeletionImpact.tsx';

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
      <div className="mt-3">
        <Impact
          of={{ kind: 'CONNECTION', id: connection_id }}
          parts={['code', 'destinations', 'gateway']}
          none="No code names it."
        />
      </div>
      <p className="mt-3">Its credentials are deleted with it. This can’t be undone.</p>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('connectionDelete', { params })} what="delete this connection" />
      </div>
    </ConfirmDialog>
  );
}
