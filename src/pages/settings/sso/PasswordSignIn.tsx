import { useState } from 'react';
import { useApiMutation } from '../../../api/mutations.ts';
import { q, usePrefetchedQuery } from '../../../api/queries.ts';
import { operatorCommand } from '../../../lib/operator-command.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';

const accountQuery = q('accountGet');

/** Whether members may sign in with a password. */
export function PasswordSignIn() {
  const { password_sign_in } = usePrefetchedQuery(accountQuery).data.account;
  const [asking, setAsking] = useState(false);
  const change = useApiMutation('accountUpdate', {
    failure: 'The setting was not changed',
    invalidates: ['accountGet', 'auditList'],
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <p>
        {password_sign_in
          ? 'Members sign in with a password or through an identity provider.'
          : 'Members sign in through an identity provider only.'}
      </p>
      <div className="mt-3">
        {password_sign_in ? (
          <Button onClick={() => setAsking(true)}>Turn passwords off…</Button>
        ) : (
          <Button pending={change.isPending} onClick={() => change.mutate({ body: { password_sign_in: true } })}>
            Turn passwords on
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Turn passwords off"
        confirmLabel="Turn passwords off"
        pending={change.isPending}
        onConfirm={() => change.mutate({ body: { password_sign_in: false } })}
      >
        Sessions that a password opened end, except yours. An owner must have signed in through an identity provider
        before. If the provider fails, an operator can let an owner in with{' '}
        <code className="data wrap-anywhere">{operatorCommand('reset-password')}</code>.
      </ConfirmDialog>
    </>
  );
}
