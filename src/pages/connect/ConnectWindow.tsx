import { useEffect, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { type ConnectSession, linkToken, readSession, returnProblem } from './connect-api.ts';
import { Done, InvalidLink, Refused } from './Ends.tsx';
import { Frame } from './Frame.tsx';
import { noteOpener, notifyOpener } from './notify-opener.ts';
import { isUnready, leadsAway } from './ways.ts';

type State =
  | { is: 'loading' }
  | { is: 'refused'; error: ApiError }
  | { is: 'open'; session: ConnectSession }
  | { is: 'done'; session: ConnectSession; elsewhere: boolean };

/**
 * The connect window of an end user: the app, the requesting account, the form, and the result. For OAuth, the window
 * redirects to the provider, which redirects back to a link that shows the outcome.
 */
export function ConnectWindow() {
  const [state, setState] = useState<State>({ is: 'loading' });
  const slow = useSlow(state.is === 'loading');

  const done = (session: ConnectSession, elsewhere = false) => {
    setState({ is: 'done', session, elsewhere });
    notifyOpener(session.connection_id, { close: !session.unconfirmed?.asked });
  };
  /**
   * Called after a failed submission: another window may have used the link, or the connection may have been deleted.
   */
  const recheckLink = async (): Promise<boolean> => {
    try {
      const session = await readSession();
      if (session.finished) done(session, true);
      return session.finished;
    } catch (thrown) {
      const error = toApiError(thrown);
      if (![400, 401, 404].includes(error.status)) return false;
      setState({ is: 'refused', error });
      return true;
    }
  };
  const load = async () => {
    setState({ is: 'loading' });
    try {
      const session = await readSession();
      if (session.finished) done(session);
      else setState({ is: 'open', session });
    } catch (thrown) {
      setState({ is: 'refused', error: toApiError(thrown) });
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the window opens
  useEffect(() => {
    noteOpener();
    if (linkToken) void load();
  }, []);

  if (!linkToken) {
    return (
      <Frame>
        <InvalidLink problem={returnProblem} />
      </Frame>
    );
  }
  switch (state.is) {
    case 'loading':
      return (
        <Frame>
          <div className="grid gap-4 p-5">
            <SkeletonLines lines={5} />
            {slow ? <p className="text-12 text-fg-3">This is taking longer than usual.</p> : null}
          </div>
        </Frame>
      );
    case 'refused':
      return (
        <Frame>
          <Refused error={state.error} onRetry={() => void load()} />
        </Frame>
      );
    case 'open':
      return (
        <Frame
          app={state.session.app}
          title={`Connect ${state.session.app.name}`}
          lead={<Asks {...state} />}
          foot={footOf(state.session)}
        >
          <ConnectForm session={state.session} onDone={done} onFailed={recheckLink} />
        </Frame>
      );
    case 'done':
      return (
        <Frame
          app={state.session.app}
          title={`${state.session.app.name} is connected`}
          lead={<Account {...state} after="can use it from now on." />}
        >
          <Done session={state.session} elsewhere={state.elsewhere} />
        </Frame>
      );
  }
}

/** The footer: how the credentials are stored, or how to revoke access. */
function footOf({ methods, app }: ConnectSession): string | undefined {
  const ready = methods.filter((method) => !isUnready(method));
  if (ready.length === 0) return undefined;
  return ready.every((method) => leadsAway(method) && method.fields.length === 0)
    ? `You can revoke access at ${app.name} at any time.`
    : 'Credentials are stored encrypted and never shown again.';
}

function Account({ session, after }: { session: ConnectSession; after: string }) {
  return (
    <>
      <b className="font-medium text-fg">{session.account_name}</b> {after}
    </>
  );
}

/** The requesting account and the app. The link may also be for a connection that is already active. */
function Asks({ session }: { session: ConnectSession }) {
  const { app, status } = session;
  return (
    <>
      <Account session={session} after={`asks for access to your ${app.name} account.`} />
      {status === 'ACTIVE' ? ' It is already connected. This replaces the stored credentials.' : null}
    </>
  );
}
