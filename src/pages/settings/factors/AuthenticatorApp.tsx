import { useState } from 'react';
import { useApiMutation } from '../../../api/mutations.ts';
import { usePrefetchedQuery } from '../../../api/queries.ts';
import { factorsQuery, useAddFactor } from '../../../components/factors/use-add-factor.tsx';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx';
import { toast } from '../../../ui/overlays/toast.ts';
import { Time } from '../../../ui/Time.tsx';

/** The authenticator app and the recovery codes of the signed-in person. */
export function AuthenticatorApp() {
  const { passkeys, authenticator, recovery_codes_left: left } = usePrefetchedQuery(factorsQuery).data;
  const { dialog, addAuthenticator, showCodes, isBeginning } = useAddFactor();
  const [asking, setAsking] = useState<'remove' | 'codes'>();
  const close = () => setAsking(undefined);
  const invalidates = ['factorList', 'sessionList', 'sessionGet', 'auditList'] as const;
  const remove = useApiMutation('authenticatorDelete', {
    failure: 'The authenticator app was not removed',
    invalidates,
    onSuccess: () => {
      close();
      toast({ title: 'Authenticator app removed', tone: 'ok' });
    },
  });
  const renew = useApiMutation('recoveryCodeCreate', {
    failure: 'The recovery codes were not replaced',
    invalidates,
    onSuccess: ({ recovery_codes }) => {
      close();
      showCodes(recovery_codes);
    },
  });
  const hasFactor = authenticator !== null || passkeys.length > 0;
  return (
    <>
      <section className="flex items-start gap-2 px-4 py-3 max-sm:px-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-14">Authenticator app</h2>
          <p className="mt-1 text-fg-2">
            {authenticator ? (
              <>
                Added <Time at={authenticator.created_at} />. Its code is asked for after the password.
              </>
            ) : (
              'A second factor after the password: a new code every 30 seconds.'
            )}
          </p>
        </div>
        {authenticator ? (
          <Button onClick={() => setAsking('remove')}>Remove authenticator app</Button>
        ) : (
          <Button onClick={addAuthenticator} pending={isBeginning}>
            Add authenticator app
          </Button>
        )}
      </section>
      <section className="flex items-start gap-2 px-4 py-3 max-sm:px-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-14">Recovery codes</h2>
          <p className="mt-1 text-fg-2">
            {hasFactor
              ? `${plural(left, 'unused code')} left. Each replaces the second factor once.`
              : 'They come with the first passkey or authenticator app.'}
          </p>
        </div>
        <Button
          onClick={() => setAsking('codes')}
          reason={hasFactor ? undefined : 'Add a passkey or an authenticator app first.'}
        >
          Replace codes
        </Button>
      </section>
      <ConfirmDialog
        open={asking === 'remove'}
        onClose={close}
        title="Remove the authenticator app"
        confirmLabel="Remove app"
        pending={remove.isPending}
        onConfirm={() => remove.mutate({})}
      >
        {passkeys.length > 0
          ? 'A passkey is then needed after the password. All your other sessions end.'
          : 'The password alone then signs you in, and your recovery codes are deleted. All your other sessions end.'}
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'codes'}
        onClose={close}
        title="Replace the recovery codes"
        confirmLabel="Replace codes"
        pending={renew.isPending}
        onConfirm={() => renew.mutate({})}
      >
        {`Your ${plural(left, 'unused code')} no longer work. You get ten new ones.`}
      </ConfirmDialog>
      {dialog}
    </>
  );
}
