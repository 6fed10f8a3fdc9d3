import { useEffect, useState } from 'react';
import { ApiError, toApiError } from '../../api/api-error.ts';
import { useListener } from '../../hooks/use-listener.ts';
import { useSlow } from '../../hooks/use-slow.ts';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { AppChoice } from './AppChoice.tsx';
import { applyAccent } from './accent.ts';
import { ConnectForm } from './ConnectForm.tsx';
import {
  type ConnectChoice,
  type ConnectSession,
  chooseApp,
  isChoosing,
  linkToken,
  readChoice,
  readSession,
  returnProblem,
} from './connect-api.ts';
import { Done, InvalidLink, Refused } from './Ends.tsx';
import { Frame } from './Frame.tsx';
import { isPopup, noteOpener, notifyConnected, notifyOpener, setOrigins } from './notify-opener.ts';
import { isUnready, leadsAway } from './ways.ts';

type State =
  | { is: 'loading' }
  | { is: 'refused'; error: ApiError }
  | { is: 'choice'; choice: ConnectChoice }
  | { is: 'open'; session: ConnectSession }
  | { is: 'done'; session: ConnectSession; elsewhere: boolean };

/**
 * The connect window of an end user: the apps of a connect session, the app, the requesting account, the form, and the
 * result. For OAuth, the window redirects to the provider, which redirects back to a link that shows the outcome.
 */
export function ConnectWindow() {
  const [state, setState] = useState<State>({ is: 'loading' });
  const slow = useSlow(state.is === 'loading');
  // back to the choice of the app
  useListener(window, 'popstate', () => location.reload());

  const done = (session: ConnectSession, elsewhere = false) => {
    setState({ is: 'done', session, elsewhere });
    const { connection_id, unconfirmed, redirect_url } = session;
    const stays = unconfirmed?.asked ?? false;
    const leads = redirect_url !== null && !isPopup();
    notifyConnected(session.app.app, connection_id, { close: !stays && !leads });
    if (leads && !stays) location.replace(redirect_url);
  };
  const refuse = (error: ApiError) => {
    setState({ is: 'refused', error });
    if (/session (?:expired|was already used)|link (?:expired|was already used)/.test(error.message))
      notifyOpener({ type: 'sluice:expired', message: error.message });
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
      refuse(error);
      return true;
    }
  };
  const load = async () => {
    setState({ is: 'loading' });
    try {
      const choice = isChoosing() ? await chooseOrShow() : undefined;
      if (choice) return setState({ is: 'choice', choice });
      const session = await readSession();
      prepare(session);
      if (session.finished) return done(session);
      setState({ is: 'open', session });
      if (session.failure) notifyOpener(failureMessage(session.failure));
    } catch (thrown) {
      refuse(toApiError(thrown));
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
    case 'choice': {
      const { choice } = state;
      return (
        <Frame
          title="Connect an app"
          logo={logoOf(choice)}
          lead={<Account session={choice} after="asks for access to your account of one of these apps." />}
          cancelUrl={choice.cancel_url}
        >
          <AppChoice choice={choice} onChosen={() => void load()} />
        </Frame>
      );
    }
    case 'open':
      return (
        <Frame
          app={state.session.app}
          logo={logoOf(state.session)}
          title={`Connect ${state.session.app.name}`}
          lead={<Asks {...state} />}
          foot={footOf(state.session)}
          cancelUrl={state.session.cancel_url}
        >
          <ConnectForm session={state.session} onDone={done} onFailed={recheckLink} />
        </Frame>
      );
    case 'done':
      return (
        <Frame
          app={state.session.app}
          logo={logoOf(state.session)}
          title={`${state.session.app.name} is connected`}
          lead={<Account {...state} after="can use it from now on." />}
        >
          <Done session={state.session} elsewhere={state.elsewhere} />
        </Frame>
      );
  }
}

/** The apps to choose from; undefined if there is only one, which is chosen. Throws if the session can't be used. */
async function chooseOrShow(): Promise<ConnectChoice | undefined> {
  const choice = await readChoice();
  prepare(choice);
  if (choice.problem) throw new ApiError({ status: 400, type: 'Bad Request', message: choice.problem.message });
  const [only, ...others] = choice.apps;
  if (!only || others.length > 0) return choice;
  await chooseApp(only.app, { back: false });
  return undefined;
}

/** Sets what the account chose for this window. */
function prepare({ opener_origins, theme }: Pick<ConnectSession, 'opener_origins' | 'theme'>): void {
  setOrigins(opener_origins);
  applyAccent(theme.accent);
}

const failureMessage = ({ code, message }: NonNullable<ConnectSession['failure']>) =>
  ({ type: code === 'ACCESS_DENIED' ? 'sluice:denied' : 'sluice:failed', message }) as const;

const logoOf = ({ theme, account_name }: Pick<ConnectSession, 'theme' | 'account_name'>) =>
  theme.logo === null ? undefined : { src: theme.logo, name: account_name };

/** The footer: how the credentials are stored, or how to revoke access. */
function footOf({ methods, app }: ConnectSession): string | undefined {
  const ready = methods.filter((method) => !isUnready(method));
  if (ready.length === 0) return undefined;
  return ready.every((method) => leadsAway(method) && method.fields.length === 0)
    ? `You can revoke access at ${app.name} at any time.`
    : 'Credentials are stored encrypted and never shown again.';
}

function Account({ session, after }: { session: Pick<ConnectSession, 'account_name'>; after: string }) {
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
