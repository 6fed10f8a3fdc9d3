import { useEffect, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { type ConnectSession, linkToken, readSession, returnProblem } from './connect-api.ts';
import { Astray, Done, Refused } from './Ends.tsx';
import { Frame } from './Frame.tsx';
import { noteOpener, notifyOpener } from './notify-opener.ts';
import { isUnready, leadsAway } from './ways.ts';

type State =
  | { is: 'loading' }
  | { is: 'refused'; error: ApiError }
  | { is: 'open'; session: ConnectSession }
  | { is: 'done'; session: ConnectSession; elsewhere: boolean };

/**
 * What an end user sees who was given a link: the app, who asks, the form, and in the end that it worked. Where a
 * provider is to be asked, the window goes there and comes back with a link that says what became of it.
 */
export function ConnectWindow() {
  const [state, setState] = useState<State>({ is: 'loading' });
  const slow = useSlow(state.is === 'loading');

  const done = (session: ConnectSession, elsewhere = false) => {
    setState({ is: 'done', session, elsewhere });
    notifyOpener(session.connection_id, { close: !session.unconfirmed?.asked });
  };
  /** A submission failed: the link may have been used in another window, or its connection deleted, meanwhile. */
  const lookAgain = async (): Promise<boolean> => {
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
        <Astray problem={returnProblem} />
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
          <ConnectForm session={state.session} onDone={done} onFailed={lookAgain} />
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

/** What becomes of what is given. */
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

/** Who wants what; a link may also be for a connection that works already. */
function Asks({ session }: { session: ConnectSession }) {
  const { app, status } = session;
  return (
    <>
      <Account session={session} after={`asks for access to your ${app.name} account.`} />
      {status === 'ACTIVE' ? ' It is already connected. This replaces the stored credentials.' : null}
    </>
  );
}
