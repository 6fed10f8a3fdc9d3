import { Dialog as Base } from '@base-ui/react/dialog';
import { call } from '../api/client.ts';
import type { Reply } from '../api/operation.ts';
import { queryClient } from '../api/query-client.ts';
import { sessionQuery, useSession } from '../api/session.ts';
import { resume } from '../api/session-end.ts';
import { ProviderTab } from '../components/ProviderTab.tsx';
import { SignInForm } from '../components/SignInForm.tsx';
import { useTimeout } from '../hooks/use-timeout.ts';
import { path } from '../lib/path.ts';
import { forgetVisits } from './palette/recent.ts';

/** How long form input is kept for a person who comes back. */
const CLEAR_AFTER_MS = 15 * 60_000;

/** Loads a new document, without a question about unsaved changes. */
function load(url: string): void {
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
  window.location.replace(url);
}

function clear(): void {
  // Last of all, because a page that still runs may remember its visit.
  window.addEventListener('pagehide', forgetVisits);
  const { pathname, search } = window.location;
  load(path.signIn(pathname + search));
}

/**
 * The sign-in dialog after the session has ended, over the page, which is hidden and keeps its form input. The same user
 * continues on the page. For another user the console reloads, so that no data of the first account stays in memory.
 * Without a sign-in for some minutes, the browser's data of the account is cleared.
 */
export default function SignInAgain() {
  const before = useSession();
  useTimeout(clear, CLEAR_AFTER_MS);
  const proceed = ({ session }: Reply<'sessionCreate'>) => {
    if (session?.account_id !== before.account_id || session.user_id !== before.user_id) {
      // unsaved changes belong to the other account
      load(path.overview());
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
