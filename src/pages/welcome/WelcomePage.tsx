import { useEffect } from 'react';
import { useLoaderData, useLocation, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { Link } from '../../components/Link.tsx';
import { emailAddress, NEW_PASSWORD_HELP, newPassword } from '../../forms/credentials.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { sentenceCase } from '../../lib/format.ts';
import { takeLinkToken } from '../../lib/link-token.ts';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';

type Invitation = Reply<'invitationRead'>['invitation'];
type Opened = { token: string; invitation: Invitation } | { refused: string };

/** Loads the invitation of the one-time link; an invalid link shows a message instead of an error. */
export async function loader(): Promise<Opened> {
  const token = takeLinkToken();
  if (!token) return { refused: 'This page needs the token of a one-time link.' };
  try {
    const { invitation } = await call('invitationRead', { body: { token } });
    return { token, invitation };
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status > 0 && thrown.status < 500) return { refused: thrown.message };
    throw thrown;
  }
}

/** Sets a password with a one-time link: the first one of a new member, or a new one. */
export function Component() {
  const opened = useLoaderData<Opened>();
  const { key } = useLocation();
  useEffect(() => {
    // Another link pasted into this tab changes only the fragment, which loads nothing.
    if (key !== 'default' && location.hash.includes('token=')) location.reload();
  }, [key]);
  return 'refused' in opened ? (
    <EntrancePage title="This link no longer works" lead={opened.refused}>
      <LinkButton render={<Link to={path.signIn()} />}>Sign in</LinkButton>
    </EntrancePage>
  ) : (
    <Welcome {...opened} />
  );
}

const invited = z.object({ email: z.string(), password: newPassword });
const first = z.object({ email: emailAddress, password: newPassword });

function Welcome({ token, invitation }: { token: string; invitation: Invitation }) {
  const { purpose, email, account_name, role } = invitation;
  const isNew = purpose === 'WELCOME';
  const form = useSchemaForm(email === null ? first : invited, { email: email ?? '', password: '' });
  const navigate = useNavigate();
  const accept = useApiMutation('invitationAccept', {
    failure: 'inline',
    onSuccess: async (reply) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, reply);
      await navigate(path.overview(), { replace: true });
    },
  });
  return (
    <EntrancePage
      title={isNew ? `Welcome to ${account_name}` : 'New password'}
      lead={
        isNew
          ? `Your role is ${sentenceCase(role).toLowerCase()}. Set a password to sign in.`
          : 'Set a new password to sign in. All your other sessions end.'
      }
    >
      <Form
        form={form}
        onSubmit={(typed) =>
          accept.mutate({
            body: { token, password: typed.password, ...(email === null ? { email: typed.email } : {}) },
          })
        }
        submitError={accept.error}
        loading={accept.isPending}
        submitLabel="Set password"
      >
        <TextField
          control={form.control}
          name="email"
          label="Email"
          type="email"
          autoComplete="username"
          readOnly={email !== null}
          autoFocus={email === null}
        />
        <TextField
          control={form.control}
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          help={NEW_PASSWORD_HELP}
          autoFocus={email !== null}
        />
      </Form>
    </EntrancePage>
  );
}
