import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { call } from '../api/client.ts';
import { useApiMutation } from '../api/mutations.ts';
import { passwordConfirmation } from '../api/password-confirmation.ts';
import { q } from '../api/queries.ts';
import { useSession } from '../api/session.ts';
import { resume } from '../api/session-end.ts';
import { usePasskey } from '../components/factors/use-passkey.ts';
import { Form, FormError } from '../forms/Form.tsx';
import { TextField } from '../forms/fields.tsx';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { Button } from '../ui/controls/Button.tsx';
import { Dialog } from '../ui/overlays/Dialog.tsx';

const factorsQuery = q('factorList');
const schema = z.object({ password: z.string().check(z.minLength(1, 'Enter your password.')) });

/** Asks for the password while a request waits for it. */
export default function ConfirmPassword() {
  const asked = useSyncExternalStore(passwordConfirmation.subscribe, passwordConfirmation.get);
  return asked ? <Ask answer={asked.answer} /> : null;
}

function Ask({ answer }: { answer: (confirmed: boolean) => void }) {
  const { email } = useSession();
  const form = useSchemaForm(schema, { password: '' });
  const done = () => {
    // the session has a new token: requests that were sent with the old one are sent again
    resume();
    answer(true);
  };
  const confirm = useApiMutation('passwordConfirm', { failure: 'inline', onSuccess: done });
  const usePasskeyInstead = usePasskey('CONFIRM', (passkey) => call('passwordConfirm', { body: { passkey } }), done);
  const { data: factors } = useQuery(factorsQuery);
  const cancel = () => answer(false);
  return (
    <Dialog
      open
      onClose={cancel}
      title="Confirm your password"
      description={`You signed in as ${email} more than an hour ago.`}
    >
      <Form
        form={form}
        onSubmit={(body) => confirm.mutate({ body })}
        submitError={confirm.error}
        loading={confirm.isPending}
        submitLabel="Confirm password"
        onCancel={cancel}
      >
        <TextField
          control={form.control}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </Form>
      {factors && factors.passkeys.length > 0 && factors.passkeys_unavailable === null ? (
        <div className="mt-4 grid gap-3 border-t border-line pt-4">
          {usePasskeyInstead.error ? <FormError error={usePasskeyInstead.error} /> : null}
          <div>
            <Button icon={KeyRound} pending={usePasskeyInstead.isPending} onClick={() => usePasskeyInstead.mutate()}>
              Use a passkey instead
            </Button>
          </div>
        </div>
      ) : null}
    </Dialog>
  );
}
