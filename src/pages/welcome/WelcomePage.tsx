import { useEffect } from 'react';
import { useLoaderData, useLocation, useNavigate, useRevalidator } from 'react-router';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { startSession } from '../../api/start-session.ts';
import { Link } from '../../components/Link.tsx';
import { SignInForm } from '../../components/SignInForm.tsx';
import { emailAddress, NEW_PASSWORD_HELP, newPassword } from '../../forms/credentials.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { sentenceCase } from '../../lib/format.ts';
import { takeLinkToken } from '../../lib/link-token.ts';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';
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
    <Page {...opened} />
  );
}

function Page(opened: Extract<Opened, { token: string }>) {
  const { purpose } = opened.invitation;
  if (purpose === 'JOIN') return <Join {...opened} />;
  return purpose === 'JOIN_AFTER_SIGN_IN' ? <SignInFirst {...opened} /> : <Welcome {...opened} />;
}

const roleText = ({ role }: Invitation) => `Your role is ${sentenceCase(role).toLowerCase()}.`;

/** A person who signs in already keeps their password. */
function Join({ token, invitation }: { token: string; invitation: Invitation }) {
  const accept = useAccept();
  return (
    <EntrancePage
      title={`Join ${invitation.account_name}`}
      lead={`${roleText(invitation)} You are signed in as ${invitation.email}; the account menu switches between your accounts.`}
    >
      {accept.error ? <p className="mb-3 text-bad-fg">{accept.error.message}</p> : null}
      <Button variant="primary" pending={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
        Join
      </Button>
    </EntrancePage>
  );
}

function SignInFirst({ invitation }: { invitation: Invitation }) {
  const { revalidate } = useRevalidator();
  return (
    <EntrancePage
      title={`Join ${invitation.account_name}`}
      lead={`${roleText(invitation)} ${invitation.email} signs in already: sign in to join.`}
    >
      <SignInForm
        email={invitation.email ?? ''}
        onSignedIn={(reply) => {
          startSession(reply);
          return revalidate();
        }}
      />
    </EntrancePage>
  );
}

function useAccept() {
  const navigate = useNavigate();
  return useApiMutation('invitationAccept', {
    failure: 'inline',
    onSuccess: async (reply) => {
      startSession(reply);
      // without a session, the person has a second factor: the new password and the factor sign in
      const { session } = reply;
      const next = session ? (session.required ? path.secondFactor() : path.overview()) : path.signIn();
      await navigate(next, { replace: true });
    },
  });
}

const invited = z.object({ email: z.string(), password: newPassword });
const first = z.object({ email: emailAddress, password: newPassword });

function Welcome({ token, invitation }: { token: string; invitation: Invitation }) {
  const { purpose, email, account_name } = invitation;
  const isNew = purpose === 'WELCOME';
  const form = useSchemaForm(email === null ? first : invited, { email: email ?? '', password: '' });
  const accept = useAccept();
  return (
    <EntrancePage
      title={isNew ? `Welcome to ${account_name}` : 'New password'}
      lead={
        isNew
          ? `${roleText(invitation)} Set a password to sign in.`
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
