import { CircleCheck, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiError, toApiError } from '../../api/api-error.ts';
import { formatAbsolute } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { Monogram } from '../../ui/Monogram.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { ConnectForm } from './ConnectForm.tsx';
import { type ConnectSession, linkToken, readSession } from './connect-api.ts';

/** Long enough to read that it worked. */
const CLOSE_AFTER_MS = 1_200;

type State =
  | { is: 'loading' }
  | { is: 'refused'; error: ApiError }
  | { is: 'open'; session: ConnectSession }
  | { is: 'done'; session: ConnectSession };

/** What an end user sees who was given a link: the app, who asks, the form, and in the end that it worked. */
export function ConnectWindow() {
  const [state, setState] = useState<State>({ is: 'loading' });

  useEffect(() => {
    if (linkToken) void load(setState);
  }, []);

  if (!linkToken) {
    return (
      <Frame>
        <ErrorState
          title="This link is incomplete"
          detail="Its end is missing. Open it again from where you got it, or ask for a new one."
        />
      </Frame>
    );
  }
  switch (state.is) {
    case 'loading':
      return (
        <Frame>
          <div className="p-5">
            <SkeletonLines lines={5} />
          </div>
        </Frame>
      );
    case 'refused':
      return (
        <Frame>
          <Refused error={state.error} onRetry={() => void load(setState)} />
        </Frame>
      );
    case 'open':
      return (
        <Frame
          app={state.session.app.name}
          title={`Connect ${state.session.app.name}`}
          lead={<Asks {...state} />}
          foot="What you type is stored encrypted and never shown again."
        >
          <ConnectForm
            session={state.session}
            onDone={(session) => {
              setState({ is: 'done', session });
              tellOpener(session);
            }}
          />
        </Frame>
      );
    case 'done':
      return (
        <Frame
          app={state.session.app.name}
          title={`${state.session.app.name} is connected`}
          lead={<Account {...state} after="can use it from now on." />}
        >
          <Done />
        </Frame>
      );
  }
}

async function load(show: (state: State) => void) {
  try {
    show({ is: 'open', session: await readSession() });
  } catch (thrown) {
    show({ is: 'refused', error: toApiError(thrown) });
  }
}

/**
 * Whoever opened this window hears that it worked: the console, or an account's own product on any origin. It is told
 * the connection's id and nothing that opens anything.
 */
function tellOpener(session: ConnectSession) {
  const opener = window.opener as Window | null;
  opener?.postMessage({ type: 'sluice:connected', connection_id: session.connection_id }, '*');
  if (opener) setTimeout(() => window.close(), CLOSE_AFTER_MS);
}

interface FrameProps {
  /** The app it is about, once that is known. */
  readonly app?: string | undefined;
  readonly title?: string | undefined;
  readonly lead?: ReactNode;
  readonly foot?: string | undefined;
  readonly children: ReactNode;
}

function Frame({ app, title = 'Connect', lead, foot = 'Sluice', children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    // what had the focus is gone
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <div className="grid min-h-dvh content-start justify-items-center gap-4 bg-frame px-4 py-6 text-13 sm:content-center">
      <main className="w-full max-w-[440px] rounded-lg border border-line-2 bg-page">
        {app === undefined ? (
          <h1 className="sr-only">Connect an app</h1>
        ) : (
          <header className="flex items-start gap-3 border-b border-line px-5 py-4">
            <Monogram name={app} size="lg" />
            <div className="min-w-0">
              <h1 ref={heading} tabIndex={-1} className="text-18 outline-none wrap-anywhere">
                {title}
              </h1>
              <p className="text-fg-2 wrap-anywhere">{lead}</p>
            </div>
          </header>
        )}
        {children}
      </main>
      <footer className="flex items-center gap-2 text-12 text-fg-3">
        <Mark size={14} /> {foot}
      </footer>
    </div>
  );
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
      {status === 'ACTIVE' ? ' It is connected already; what you type takes the place of what is stored.' : null}
    </>
  );
}

function Refused({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { status, requestId } = error;
  if (status < 400 || status >= 500) {
    return (
      <ErrorState title="The link could not be read" detail={error.message} requestId={requestId} onRetry={onRetry} />
    );
  }
  const why =
    status === 404 ? 'It was changed on its way, or what it was for was deleted.' : withLocalTimes(error.message);
  return (
    <ErrorState
      title="This link can’t be used"
      detail={`${why} Ask whoever sent it for a new one.`}
      requestId={requestId}
    />
  );
}

/** The service writes instants in UTC; whoever was sent a link has only their own clock. */
function withLocalTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => formatAbsolute(new Date(instant), 'local'));
}

function Done() {
  return (
    <div className="flex flex-wrap items-center gap-3 p-5">
      <p role="status" className="flex min-w-0 flex-1 items-center gap-2">
        <CircleCheck size={16} className="flex-none text-ok-fg" aria-hidden /> Done. You can close this window.
      </p>
      {window.opener ? (
        <Button icon={X} onClick={() => window.close()}>
          Close
        </Button>
      ) : null}
    </div>
  );
}
