import { useState } from 'react';
import * as z from 'zod/mini';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { emailAddress } from '../../forms/credentials.ts';
import { Form, FormError } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { Button } from '../../ui/controls/Button.tsx';

export type SignInProviders = Reply<'signInProviders'>['providers'];

/** Sign-in through identity providers: those that are known, and those of the domain of an email address. */
export function SingleSignOn({ known, next }: { known: SignInProviders; next: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <section aria-label="Single sign-on" className="mt-5 grid gap-3 border-t border-line pt-4">
      <Providers providers={known} next={next} />
      {asking ? (
        <FindByEmail next={next} />
      ) : (
        <Button variant="ghost" className="justify-self-start" onClick={() => setAsking(true)}>
          {known.length > 0 ? 'Use another identity provider' : 'Use single sign-on'}
        </Button>
      )}
    </section>
  );
}

function Providers({ providers, next }: { providers: SignInProviders; next: string }) {
  const start = useApiMutation('signInStart', {
    failure: 'inline',
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const chosen = start.isPending || start.isSuccess ? start.variables.body.provider_id : undefined;
  return (
    <>
      {providers.map(({ provider_id, name, host }) => (
        <div key={provider_id} className="min-w-0">
          <Button
            className="w-full min-w-0 justify-center"
            pending={chosen === provider_id}
            onClick={() => start.mutate({ body: { provider_id, next } })}
          >
            <span className="truncate">{`Continue with ${name}`}</span>
          </Button>
          <p className="mt-1 truncate text-12 text-fg-3">{host}</p>
        </div>
      ))}
      {start.error ? <FormError error={start.error} /> : null}
    </>
  );
}

const schema = z.object({ work_email: emailAddress });

function FindByEmail({ next }: { next: string }) {
  const form = useSchemaForm(schema, { work_email: '' });
  const find = useApiMutation('signInProviders', { failure: 'inline' });
  return (
    <>
      <Form
        form={form}
        onSubmit={({ work_email }) => find.mutate({ body: { email: work_email } })}
        submitError={find.error}
        loading={find.isPending}
        submitLabel="Find identity provider"
      >
        <TextField control={form.control} name="work_email" label="Work email" type="email" autoFocus />
      </Form>
      {find.data ? (
        <div role="status" className="grid gap-3">
          {find.data.providers.length === 0 ? (
            <p className="text-fg-2">
              No identity provider is set up for this address. Sign in with your password, or ask an owner for the
              sign-in link of your account.
            </p>
          ) : (
            <Providers providers={find.data.providers} next={next} />
          )}
        </div>
      ) : null}
    </>
  );
}
