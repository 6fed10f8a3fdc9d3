import { redirect, useLoaderData, useNavigate, useSearchParams } from 'react-router';
import { call } from '../../api/client.ts';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { startSession } from '../../api/start-session.ts';
import { wasSignedIn } from '../../api/was-signed-in.ts';
import { Link } from '../../components/Link.tsx';
import { SignInForm } from '../../components/SignInForm.tsx';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { path } from '../../lib/path.ts';
import { type SignInProviders, SingleSignOn } from './SingleSignOn.tsx';

/** The redirect target after signing in: a path of this console, never another origin. */
function placeAfter(params: URLSearchParams): string {
  const next = params.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** The identity providers of the installation, and of the account in the link. The page works without them. */
function providersOf(params: URLSearchParams): Promise<SignInProviders> {
  const account = params.get('account');
  return call('signInProviders', { body: account === null ? {} : { account_id: account } }).then(
    ({ providers }) => providers,
    () => [],
  );
}

/** A signed-in visitor is redirected. */
export async function loader({ request }: { request: Request }): Promise<SignInProviders> {
  const { searchParams } = new URL(request.url);
  const [{ session }, providers] = await Promise.all([
    queryClient.query({ ...sessionQuery, staleTime: 0 }),
    providersOf(searchParams),
  ]);
  if (session) throw redirect(placeAfter(searchParams));
  return providers;
}

/** Email and password, or an identity provider. */
export function Component() {
  const providers = useLoaderData<SignInProviders>();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const enter = async (reply: Reply<'sessionCreate'>) => {
    startSession(reply);
    await navigate(reply.session?.required ? path.secondFactor() : placeAfter(params), { replace: true });
  };
  return (
    <EntrancePage
      title="Sign in"
      lead={wasSignedIn() ? 'Your session has expired. Sign in again to continue where you left off.' : undefined}
    >
      <SignInForm
        onSignedIn={enter}
        note={
          <Link className="link" to={path.forgottenPassword()}>
            Forgot your password?
          </Link>
        }
      />
      <SingleSignOn known={providers} next={placeAfter(params)} />
    </EntrancePage>
  );
}
