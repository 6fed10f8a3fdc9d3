import { Dialog as Base } from '@base-ui/react/dialog';
import { call } from '../api/client.ts';
import type { Reply } from '../api/operation.ts';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery, useSession } from '../api/session.ts';
import { resume } from '../api/session-end.ts';
import { ProviderTab } from '../components/ProviderTab.tsx';
import { SignInForm } from '../components/SignInForm.tsx';
import { path } from '../lib/path.ts';

/**
 * The sign-in dialog after the session has ended, over the page, which keeps its form input. The same user continues on
 * the page. For another user the console reloads, so that no data of the first account stays in memory.
 */
export default function SignInAgain() {
  const before = useSession();
  const proceed = ({ session }: Reply<'sessionCreate'>) => {
    if (session?.account_id !== before.account_id || session.user_id !== before.user_id) {
      // do not ask about unsaved changes: they belong to the other account
      window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
      window.location.assign(path.overview());
      return;
    }
    queryClient.setQueryData(sessionQuery.queryKey, { session });
    resume();
    void queryClient.invalidateQueries();
  };
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-50 grid items-start justify-items-center overflow-y-auto px-4 pt-[min(20vh,160px)] pb-4">
          <Base.Popup
            // keep keys from the page below
            onKeyDown={(event) => event.nativeEvent.stopPropagation()}
            className="w-full max-w-[380px] rounded-lg bg-raised p-5 text-13 shadow-window outline-none"
          >
            <Base.Title className="text-18">Sign in again</Base.Title>
            <Base.Description className="mt-1 mb-4 text-fg-2">
              Your session has expired. Your input is kept, and pending requests are sent once you sign in.
            </Base.Description>
            {before.provider ? (
              <ProviderTab
                provider={before.provider}
                purpose="SIGN_IN"
                onDone={() => void call('sessionGet').then(proceed)}
              />
            ) : (
              <SignInForm email={before.email} onSignedIn={proceed} />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
