import { useQuery } from '@tanstack/react-query';
import type { App } from '../../../api/entities.ts';
import { useApiMutation } from '../../../api/mutations.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { plural } from '../../../lib/format.ts';
import { METHOD_NAMES } from '../../../lib/method-names.ts';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { connectionsOfQuery } from '../connection-queries.ts';
import type { Credential } from './client-form.ts';

export interface RemoveClientProps {
  readonly app: App;
  readonly method: Credential['method'];
  readonly onClose: () => void;
}

/** Confirms the removal and shows the connections that use this client. */
export function RemoveClient({ app, method, onClose }: RemoveClientProps) {
  const params = { app: app.app, method };
  const connections = useQuery(connectionsOfQuery(app.app)).data?.connections;
  const remove = useApiMutation('appCredentialDelete', {
    failure: `The client of ${app.name} was not removed`,
    invalidates: ['appList', 'appGet', 'appCredentialList', 'auditList'],
    onSuccess: onClose,
  });
  const count = connections?.filter((each) => each.method === method && each.status === 'ACTIVE').length;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove the client of ${app.name}`}
      confirmLabel="Remove client"
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
    >
      <p>
        {app.name} can’t be connected with {METHOD_NAMES[method]} until another client is entered.{' '}
        {count === undefined
          ? ''
          : count === 0
            ? 'No active connection uses it.'
            : `${plural(count, 'active connection')} of it ${count === 1 ? 'works' : 'work'} until ${count === 1 ? 'its token expires' : 'their tokens expire'}.`}
      </p>
      <div className="mt-2 -ml-2">
        <CopyAsCurl size="sm" text={() => curlText('appCredentialDelete', { params })} what="remove the client" />
      </div>
    </ConfirmDialog>
  );
}
