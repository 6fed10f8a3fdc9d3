import * as z from 'zod/mini';
import { useApiMutation } from '../../api/mutations.ts';
import { Link } from '../../components/Link.tsx';
import { emailAddress } from '../../forms/credentials.ts';
import { Form } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { operatorCommand } from '../../lib/operator-command.ts';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';

const schema = z.object({ email: emailAddress });

/** Requests a link for a new password. */
export function Component() {
  const form = useSchemaForm(schema, { email: '' });
  const ask = useApiMutation('passwordForgotten', { failure: 'inline' });
  const email = ask.variables?.body.email;
  if (ask.data)
    return (
      <EntrancePage
        title={ask.data.sent_by === 'EMAIL' ? 'Check your email' : 'Ask an operator'}
        lead={
          ask.data.sent_by === 'EMAIL' ? (
            `If ${email} is the address of a member, a link for a new password is on its way. It works for an hour.`
          ) : (
            <>
              This installation sends no email. Who runs the server can create a link with{' '}
              <code className="data wrap-anywhere">{operatorCommand('reset-password', email)}</code>
            </>
          )
        }
      >
        <LinkButton render={<Link to={path.signIn()} />}>Back to sign-in</LinkButton>
      </EntrancePage>
    );
  return (
    <EntrancePage title="New password" lead="Enter the email address you sign in with.">
      <Form
        form={form}
        onSubmit={(body) => ask.mutate({ body })}
        submitError={ask.error}
        loading={ask.isPending}
        submitLabel="Request link"
        note={
          <Link className="link" to={path.signIn()}>
            Back to sign-in
          </Link>
        }
      >
        <TextField control={form.control} name="email" label="Email" type="email" autoComplete="username" autoFocus />
      </Form>
    </EntrancePage>
  );
}
