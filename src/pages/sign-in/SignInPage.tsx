import { redirect, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { useApiMutation } from '../../api/mutations.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { wasSignedIn } from '../../api/was-signed-in.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';

const schema = z.object({
  email: z.string().check(z.trim(), z.minLength(1, 'Type your email address.')),
  password: z.string().check(z.minLength(1, 'Type your password.')),
});

/** Where to after signing in: only a place of this console, never another site. */
function placeAfter(params: URLSearchParams): string {
  const next = params.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** Who is signed in already goes on. */
export async function loader({ request }: { request: Request }): Promise<null> {
  const { session } = await queryClient.query({ ...sessionQuery, staleTime: 0 });
  if (session) throw redirect(placeAfter(new URL(request.url).searchParams));
  return null;
}

/** Email and password. */
export function Component() {
  const form = useSchemaForm(schema, { email: '', password: '' });
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const signIn = useApiMutation('sessionCreate', {
    failure: 'inline',
    onSuccess: async (reply) => {
      // nothing of whoever was here before
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, reply);
      await navigate(placeAfter(params), { replace: true });
    },
  });
  return (
    <EntrancePage
      title="Sign in"
      lead={wasSignedIn() ? 'Your session has ended. Sign in again, and you are back where you were.' : undefined}
    >
      <Form
        form={form}
        onSubmit={(body) => signIn.mutate({ body })}
        submitError={signIn.error}
        loading={signIn.isPending}
        submitLabel="Sign in"
      >
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="username" autoFocus />
        <TextField
          control={form.control}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
        />
      </Form>
    </EntrancePage>
  );
}
