import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { CONNECT_SESSION_MINUTES } from '../../../contract/limits.ts';
import type { Connection } from '../../api/entities.ts';
import { useReason } from '../../api/session.ts';
import { freshLink, WINDOW_NAME, wasBlocked } from '../../components/connect-window.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { ConnectButton } from './ConnectButton.tsx';
import { failureOf, isAppsFault } from './failure.ts';
import { Section } from './Section.tsx';
import { TestButton, TestOutcome, useConnectionTest } from './TestConnection.tsx';

interface StateProps {
  readonly connection: Connection;
  readonly appName: string;
}

/** How it is, why, and the one button that mends it. */
export function ConnectionState({ connection, appName }: StateProps) {
  const { status, url, app } = connection;
  const location = useLocation();
  const [blocked, setBlocked] = useState(() => wasBlocked(location.state));
  const test = useConnectionTest(connection.connection_id);
  const failure = failureOf(connection);
  const appsFault = failure !== undefined && isAppsFault(failure);
  return (
    <Section title="State">
      <p role="status" className="wrap-anywhere text-fg-2">
        <Cause connection={connection} appName={appName} />
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {appsFault ? (
          <LinkButton variant="primary" icon={KeyRound} render={<Link to={path.app(app)} />}>
            Open the credentials of {appName}
          </LinkButton>
        ) : null}
        <ConnectButton
          connection={connection}
          variant={status === 'ACTIVE' || appsFault ? 'default' : 'primary'}
          onBlocked={() => setBlocked(true)}
        />
        {status === 'ACTIVE' ? <TestButton test={test} /> : null}
        {blocked && status !== 'ACTIVE' ? (
          <p role="alert" className="text-12 text-warn-fg">
            Your browser kept the connect window closed.{' '}
            <a className="link underline underline-offset-2" href={url} target={WINDOW_NAME}>
              Open it in a tab
            </a>
            , or allow windows of this page.
          </p>
        ) : null}
      </div>
      <TestOutcome test={test} />
      <ShareLink connection={connection} />
    </Section>
  );
}

function Cause({ connection, appName }: StateProps) {
  const failure = failureOf(connection);
  if (failure) {
    return (
      <>
        <span className="text-fg">{failure.message}</span>{' '}
        {isAppsFault(failure)
          ? 'Mend the account’s client at the app first, then reconnect: it goes on under the same id.'
          : 'Connected anew, it goes on under the same id.'}{' '}
        <span className="text-fg-3">
          <span className="data">{failure.code}</span>
          {failure.since === undefined ? null : (
            <>
              {', '}
              <Time at={failure.since} />
            </>
          )}
        </span>
      </>
    );
  }
  return connection.status === 'ACTIVE'
    ? `Calls through the gateway reach ${appName} with its credentials.`
    : 'Nobody has used its link yet. It turns active here by itself as soon as somebody does.';
}

const LINK_DOES: Record<Connection['status'], string> = {
  PENDING: 'Completes the connection.',
  FAILED: 'Connects it anew.',
  ACTIVE: 'Replaces the credentials.',
};

/** For whoever has access to the app: works without signing in. */
function ShareLink({ connection: { connection_id, status, url } }: { connection: Connection }) {
  const reason = useReason('connectionUpdate');
  if (reason !== undefined) return null;
  return (
    <div className="mt-4">
      <p className="mb-1 text-12 font-medium text-fg-2">Link to send to whoever has access</p>
      <div className="flex min-w-0 items-center gap-2">
        <span className="data min-w-0 flex-1 truncate rounded border border-line bg-sunken px-2 py-1" title={url}>
          {url}
        </span>
        <CopyButton text={() => freshLink(connection_id)} label="Copy the link" size="md" variant="default">
          Copy the link
        </CopyButton>
      </div>
      <p className="mt-1 text-12 text-fg-3">
        {LINK_DOES[status]} Needs no sign-in, works once, and lives for at least {CONNECT_SESSION_MINUTES} minutes after
        it was copied.
      </p>
    </div>
  );
}
