import { type ReactNode, useState } from 'react';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { invalidate, q } from '../../api/queries.ts';
import { toast } from '../../ui/overlays/toast.ts';
import { AddAuthenticator } from './AddAuthenticator.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

export const factorsQuery = q('factorList');

type Step = { step: 'passkey' } | ({ step: 'app' } & Reply<'authenticatorCreate'>) | { step: 'codes'; codes: string[] };

/**
 * The dialogs that add a factor, and show the recovery codes that come with the first one. `onDone` is called after the
 * last of them.
 */
export function useAddFactor(onDone?: () => unknown): {
  dialog: ReactNode;
  addPasskey: () => void;
  addAuthenticator: () => void;
  showCodes: (codes: string[]) => void;
  isBeginning: boolean;
} {
  const [open, setOpen] = useState<Step>();
  const begin = useApiMutation('authenticatorCreate', {
    failure: 'The authenticator app was not added',
    onSuccess: (reply) => setOpen({ step: 'app', ...reply }),
  });
  const close = () => setOpen(undefined);
  const finish = () => {
    close();
    onDone?.();
  };
  const added = (title: string, codes: string[] | null) => {
    void invalidate('factorList', 'sessionList', 'sessionGet', 'memberList', 'auditList');
    // the dialog says it otherwise, and a toast would cover its buttons on a phone
    if (codes) return setOpen({ step: 'codes', codes });
    toast({ title, tone: 'ok' });
    finish();
  };
  const dialogs: Record<Step['step'], () => ReactNode> = {
    passkey: () => (
      <AddPasskey onAdded={({ recovery_codes }) => added('Passkey added', recovery_codes)} onClose={close} />
    ),
    app: () =>
      open?.step === 'app' ? (
        <AddAuthenticator
          authenticator={open.authenticator}
          onAdded={({ recovery_codes }) => added('Authenticator app added', recovery_codes)}
          onClose={close}
        />
      ) : null,
    codes: () => (open?.step === 'codes' ? <RecoveryCodes codes={open.codes} onClose={finish} /> : null),
  };
  return {
    dialog: open ? dialogs[open.step]() : null,
    addPasskey: () => setOpen({ step: 'passkey' }),
    addAuthenticator: () => begin.mutate({}),
    showCodes: (codes) => setOpen({ step: 'codes', codes }),
    isBeginning: begin.isPending,
  };
}
