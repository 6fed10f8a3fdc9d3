import { KeyRound, Smartphone } from 'lucide-react';
import { redirect } from 'react-router';
import { call } from '../../api/client.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { forgetSignedIn } from '../../api/was-signed-in.ts';
import { factorsQuery, useAddFactor } from '../../components/factors/use-add-factor.tsx';
import ConfirmPassword from '../../layouts/ConfirmPassword.tsx';
import { EntrancePage } from '../../layouts/EntrancePage.tsx';
import { path } from '../../lib/path.ts';
import { Button } from '../../ui/controls/Button.tsx';

/** Only for a person whose account requires a second factor that they do not have. */
export async function loader(): Promise<null> {
  const { session } = await queryClient.query({ ...sessionQuery, staleTime: 0 });
  if (!session) throw redirect(path.signIn());
  if (!session.required) throw redirect(path.overview());
  return ensure(factorsQuery);
}

/** Sets up the second factor that the account requires. Nothing else is possible before. */
export function Component() {
  const { account_name } = useSession();
  const { passkeys_unavailable } = usePrefetchedQuery(factorsQuery).data;
  // a new document, so that no refused request stays in the cache
  const add = useAddFactor(() => window.location.assign(path.overview()));
  const signOut = async () => {
    await call('sessionDelete');
    forgetSignedIn();
    window.location.assign(path.signIn());
  };
  return (
    <EntrancePage
      title="Set up a second factor"
      lead={`${account_name} requires a second factor of all members. Add one to continue.`}
    >
      <div className="grid justify-items-start gap-3">
        <Button variant="primary" icon={KeyRound} onClick={add.addPasskey} reason={passkeys_unavailable ?? undefined}>
          Add passkey
        </Button>
        <Button icon={Smartphone} onClick={add.addAuthenticator} pending={add.isBeginning}>
          Add authenticator app
        </Button>
        {passkeys_unavailable ? <p className="text-12 text-fg-2">{passkeys_unavailable}</p> : null}
        <Button variant="ghost" size="sm" onClick={() => void signOut()}>
          Sign out
        </Button>
      </div>
      {add.dialog}
      <ConfirmPassword />
    </EntrancePage>
  );
}
