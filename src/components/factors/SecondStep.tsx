import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Factor } from '../../../contract/states.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { Form, SentError } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { usePasskey } from './use-passkey.ts';

export interface SecondStepProps {
  /** The factors that the person can use. */
  readonly factors: readonly Factor[];
  readonly onSignedIn: (reply: Reply<'sessionFactor'>) => unknown;
  /** Returns to the password: after too many tries, or if it took too long. */
  readonly onStartAgain: (error?: ApiError) => void;
}

const LABELS: Record<Factor, string> = {
  PASSKEY: 'Use a passkey',
  AUTHENTICATOR: 'Use the authenticator app',
  RECOVERY_CODE: 'Use a recovery code',
};

/** The second step of a sign-in: a passkey, the code of the authenticator app, or a recovery code. */
export default function SecondStep({ factors, onSignedIn, onStartAgain }: SecondStepProps) {
  const [chosen, setChosen] = useState<Factor>(factors[0] ?? 'RECOVERY_CODE');
  return (
    <div className="grid gap-4">
      {chosen === 'PASSKEY' ? <PasskeyStep onSignedIn={onSignedIn} /> : null}
      {chosen === 'AUTHENTICATOR' ? <AppStep onSignedIn={onSignedIn} onStartAgain={onStartAgain} /> : null}
      {chosen === 'RECOVERY_CODE' ? <RecoveryStep onSignedIn={onSignedIn} onStartAgain={onStartAgain} /> : null}
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        {factors.map((factor) =>
          factor === chosen ? null : (
            <Button key={factor} variant="ghost" size="sm" onClick={() => setChosen(factor)}>
              {LABELS[factor]}
            </Button>
          ),
        )}
        <Button variant="ghost" size="sm" onClick={() => onStartAgain()}>
          Start again
        </Button>
      </div>
    </div>
  );
}

function PasskeyStep({ onSignedIn }: Pick<SecondStepProps, 'onSignedIn'>) {
  const use = usePasskey('SECOND_FACTOR', (passkey) => call('sessionFactor', { body: { passkey } }), onSignedIn);
  return (
    <div className="grid gap-3">
      <p className="text-fg-2">The password is right. Use one of your passkeys to sign in.</p>
      {use.error ? <SentError key={use.submittedAt} error={use.error} /> : null}
      <div>
        <Button variant="primary" icon={KeyRound} pending={use.isPending} onClick={() => use.mutate()} autoFocus>
          Use passkey
        </Button>
      </div>
    </div>
  );
}

const appSchema = z.object({
  code: z.string().check(z.regex(/^\s*(?:\d\s*){6}$/, 'Enter the 6 digits that the app shows.')),
});
const recoverySchema = z.object({ recovery_code: z.string().check(z.minLength(1, 'Enter a recovery code.')) });

type CodeStepProps = Pick<SecondStepProps, 'onSignedIn' | 'onStartAgain'>;

/** Without `required` in the error, no further try is left. */
const isOver = ({ status, required }: ApiError) => status === 401 && required === undefined;

function AppStep(props: CodeStepProps) {
  const form = useSchemaForm(appSchema, { code: '' });
  const step = useApiMutation('sessionFactor', { failure: 'inline', onSuccess: props.onSignedIn });
  return (
    <Form
      form={form}
      onSubmit={(body) =>
        step.mutate({ body }, { onError: (error) => (isOver(error) ? props.onStartAgain(error) : undefined) })
      }
      submitError={step.error}
      loading={step.isPending}
      submitLabel="Sign in"
    >
      <TextField
        control={form.control}
        name="code"
        label="Code"
        help="The 6 digits that your authenticator app shows."
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
      />
    </Form>
  );
}

function RecoveryStep(props: CodeStepProps) {
  const form = useSchemaForm(recoverySchema, { recovery_code: '' });
  const step = useApiMutation('sessionFactor', { failure: 'inline', onSuccess: props.onSignedIn });
  return (
    <Form
      form={form}
      onSubmit={(body) =>
        step.mutate({ body }, { onError: (error) => (isOver(error) ? props.onStartAgain(error) : undefined) })
      }
      submitError={step.error}
      loading={step.isPending}
      submitLabel="Sign in"
    >
      <TextField
        control={form.control}
        name="recovery_code"
        label="Recovery code"
        help="One of the codes that you stored. Each works once."
        autoComplete="off"
        autoFocus
      />
    </Form>
  );
}
