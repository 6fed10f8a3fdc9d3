import { replace, useLoaderData, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ApiError, toApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useApiMutation } from '../../api/mutations.ts';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { announceSignIn } from '../../api/sign-in-channel.ts';
import { Link } from '../../components/Link.tsx';
import { Form, FormError } from '../../forms/Form.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useSchemaForm } from '../../forms/use-schema-form.ts';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { path } from '../../lib/path.ts';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';

type Member = NonNullable<Reply<'signInFinish'>['member']>;
type Loaded = { kind: 'refused'; error: ApiError } | { kind: 'confirmed' } | { kind: 'member'; member: Member };
type Given = { request: Request; params: { accountId?: string } };

const NAMES = ['code', 'iss', 'error'] as const;

/** Opens the session in the cache, and the page that was asked for. */
function enter(session: Reply<'sessionGet'>['session']): void {
  // drops the cached data of the account that was signed in before
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, { session });
  announceSignIn('signed-in');
}

/** Finishes the sign-in with the parameters that the identity provider sent. They work once. */
export async function loader({ request, params }: Given): Promise<Loaded> {
  const query = new URL(request.url).searchParams;
  const given = NAMES.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
  const account = params.accountId === undefined ? {} : { account_id: params.accountId };
  const body = { ...account, state: query.get('state') ?? '', ...Object.fromEntries(given) };
  let finished: Reply<'signInFinish'>;
  try {
    finished = await call('signInFinish', { body });
  } catch (thrown) {
    return { kind: 'refused', error: toApiError(thrown) };
  }
  const { result, session, next, member } = finished;
  if (result === 'CONFIRM_MEMBER' && member) return { kind: 'member', member };
  if (result === 'CONFIRMED') {
    announceSignIn('confirmed');
    return { kind: 'confirmed' };
  }
  enter(session);
  throw replace(next);
}

/** Without the name of the parameter, which the user did not enter. */
function inPlainWords(error: ApiError): ApiError {
  const message = error.message.replace(/^\w+: ([a-z])/, (_, first: string) => first.toUpperCase());
  return new ApiError({ ...error, message });
}

/** The end of a sign-in through an identity provider that needs the user, or has failed. */
export function Component() {
  const loaded = useLoaderData<Loaded>();
  if (loaded.kind === 'member') return <ConfirmMember member={loaded.member} />;
  if (loaded.kind === 'confirmed')
    return (
      <EntrancePage title="You are confirmed" lead="Close this tab and continue in the one where you were.">
        <LinkButton render={<Link to={path.overview()} />}>Open the console here</LinkButton>
      </EntrancePage>
    );
  return (
    <EntrancePage title="You are not signed in" lead="The sign-in through the identity provider has failed.">
      <FormError error={inPlainWords(loaded.error)} />
      <div className="mt-4">
        <LinkButton render={<Link to={path.signIn()} />}>Back to sign-in</LinkButton>
      </div>
    </EntrancePage>
  );
}

const schema = z.object({ password: z.string().check(z.minLength(1, 'Enter your password.')) });

/** Asks a member who has signed in with a password so far for it, once. */
function ConfirmMember({ member }: { member: Member }) {
  const navigate = useNavigate();
  const form = useSchemaForm(schema, { password: '' });
  const link = useApiMutation('signInLink', {
    failure: 'inline',
    onSuccess: async ({ session, next }) => {
      enter(session);
      await navigate(next, { replace: true });
    },
  });
  return (
    <EntrancePage
      title="Confirm that it is you"
      lead={`${member.email} is a member of ${member.account_name} already. Enter your Sluice password once, to sign in through ${member.provider} from now on.`}
    >
      <Form
        form={form}
        onSubmit={(body) => link.mutate({ body })}
        submitError={link.error}
        loading={link.isPending}
        submitLabel="Confirm and sign in"
        note={
          <Link className="link" to={path.signIn()}>
            Back to sign-in
          </Link>
        }
      >
        <input type="text" name="username" value={member.email} autoComplete="username" readOnly hidden />
        <TextField
          control={form.control}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
        />
      </Form>
    </EntrancePage>
  );
}
