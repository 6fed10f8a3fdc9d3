import { redirect, useNavigate, useSearchParams } from 'react-router';
import type { Reply } from '../../api/operation.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { startSession } from '../../api/start-session.ts';
import { wasSignedIn } from '../../api/was-signed-in.ts';
import { Link } from '../../components/Link.tsx';
import { SignInForm } from '../../components/SignInForm.tsx';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { path } from '../../lib/path.ts';

/** The redirect target after signing in: a path of this console, never another origin. */
function placeAfter(params: URLSearchParams): string {
  const next = params.get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** A signed-in visitor is redirected. */
export async function loader({ request }: { request: Request }): Promise<null> {
  const { session } = await queryClient.query({ ...sessionQuery, staleTime: 0 });
  if (session) throw redirect(placeAfter(new URL(request.url).searchParams));
  return null;
}

/** Email and password. */
export function Component() {
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
    </EntrancePage>
  );
}
