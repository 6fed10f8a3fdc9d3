import { KeyRound } from 'lucide-react';
import { call } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { FormError } from '../../forms/Form.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { usePasskey } from './use-passkey.ts';

/** Signs in with a passkey alone. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: (reply: Reply<'sessionPasskey'>) => unknown }) {
  const use = usePasskey('SIGN_IN', (passkey) => call('sessionPasskey', { body: { passkey } }), onSignedIn);
  return (
    <div className="mt-4 grid gap-3 border-t border-line pt-4">
      {use.error ? <FormError error={use.error} /> : null}
      <div>
        <Button icon={KeyRound} pending={use.isPending} onClick={() => use.mutate()}>
          Sign in with a passkey
        </Button>
      </div>
    </div>
  );
}
