import { type ReactNode, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import type { ApiError } from '../api/api-error.ts';
import { useApiMutation } from '../api/mutations.ts';
import type { Reply } from '../api/operation.ts';
import { Form } from '../forms/Form.tsx';
import { TextField } from '../forms/fields.tsx';
import { useSchemaForm } from '../forms/use-schema-form.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { PasskeySignIn } from './factors/PasskeySignIn.tsx';

const SecondStep = lazyPart(() => import('./factors/SecondStep.tsx'));

const schema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Enter your email address.')),
  password: z.string().check(z.minLength(1, 'Enter your password.')),
});

export interface SignInFormProps {
  /** The last signed-in user, if known. */
  readonly email?: string | undefined;
  readonly onSignedIn: (reply: Reply<'sessionCreate'>) => unknown;
  /** Below the fields. */
  readonly note?: ReactNode;
}

/** The sign-in form, on the sign-in page and in the dialog after a session has expired. */
export function SignInForm({ email = '', onSignedIn, note }: SignInFormProps) {
  const form = useSchemaForm(schema, { email, password: '' });
  const signIn = useApiMutation('sessionCreate', { failure: 'inline', onSuccess: onSignedIn });
  const [tooLate, setTooLate] = useState<ApiError>();
  if (signIn.error?.required === 'SECOND_FACTOR')
    return (
      <Suspense>
        <SecondStep
          factors={signIn.error.factors}
          onSignedIn={onSignedIn}
          onStartAgain={(error) => {
            setTooLate(error);
            form.resetField('password');
            signIn.reset();
          }}
        />
      </Suspense>
    );
  return (
    <>
      <Form
        form={form}
        onSubmit={(body) => {
          setTooLate(undefined);
          signIn.mutate({ body });
        }}
        submitError={signIn.error ?? tooLate ?? null}
        loading={signIn.isPending}
        submitLabel="Sign in"
        note={note}
      >
        <TextField
          control={form.control}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus={email === ''}
        />
        <TextField
          control={form.control}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus={email !== ''}
        />
      </Form>
      <PasskeySignIn onSignedIn={onSignedIn} />
    </>
  );
}
