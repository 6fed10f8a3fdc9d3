import { KeyRound, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { CONNECT_SESSION_MINUTES } from '../../../contract/limits.ts';
import type { Connection } from '../../api/entities.ts';
import { useReason } from '../../api/session.ts';
import { freshLink, WINDOW_NAME, wasBlocked } from '../../components/apps/connect-window.ts';
import { Link } from '../../components/Link.tsx';
import { path } from '../../lib/path.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { LinkButton } from '../../ui/controls/LinkButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { warningsOf } from './attention-words.ts';
import { ConnectButton } from './ConnectButton.tsx';
import { failureOf, isAppsFault, isUrlsFault, lastErrorOf, type Notice, unconfirmedOf } from './failure.ts';
import { Section } from './Section.tsx';
import { TestButton, TestOutcome, useConnectionTest } from './TestConnection.tsx';

interface StateProps {
  readonly connection: Connection;
  readonly appName: string;
}

/** The status, its cause, and the button that repairs the connection. */
export function ConnectionState({ connection, appName }: StateProps) {
  const { status, url, app } = connection;
  const location = useLocation();
  const [blocked, setBlocked] = useState(() => wasBlocked(location.state));
  const test = useConnectionTest(connection.connection_id);
  const failure = failureOf(connection);
  const appsFault = failure !== undefined && isAppsFault(failure);
  return (
    <Section title="Status">
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
            Your browser blocked the connect window.{' '}
            <a className="link underline underline-offset-2" href={url} target={WINDOW_NAME}>
              Open it in a tab
            </a>
            , or allow pop-ups for this page.
          </p>
        ) : null}
      </div>
      <Notices connection={connection} />
      <TestOutcome test={test} />
      <ShareLink connection={connection} />
    </Section>
  );
}

/** Warnings that do not change the status: a failed attempt, or unconfirmed credentials. */
function Notices({ connection }: { connection: Connection }) {
  const lastError = lastErrorOf(connection);
  const unconfirmed = unconfirmedOf(connection);
  const warnings = warningsOf(connection);
  if (!lastError && !unconfirmed && warnings.length === 0) return null;
  return (
    <div className="mt-3 grid gap-2">
      {unconfirmed ? <NoticeLine notice={unconfirmed} /> : null}
      {lastError ? <NoticeLine title="Last attempt failed" notice={lastError} /> : null}
      {warnings.map(({ code, message }) => (
        <NoticeLine key={code} notice={{ message }} />
      ))}
    </div>
  );
}

type NoticeProps = { title?: string; notice: Pick<Notice, 'message'> & Partial<Notice> };

function NoticeLine({ title, notice: { message, time } }: NoticeProps) {
  return (
    <p
      role="status"
      className="flex items-start gap-2 rounded border border-warn-line bg-warn-bg px-3 py-2 text-warn-fg"
    >
      <TriangleAlert size={14} strokeWidth={2} className="mt-[3px] flex-none" aria-hidden />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {title === undefined || time === undefined ? null : (
          <>
            {title} <Time at={time} />:{' '}
          </>
        )}
        {message}
        {title === undefined && time !== undefined ? (
          <>
            {' '}
            <Time at={time} />
          </>
        ) : null}
      </span>
    </p>
  );
}

function Cause({ connection, appName }: StateProps) {
  const failure = failureOf(connection);
  if (failure) {
    return (
      <>
        <span className="text-fg">{failure.message}</span>{' '}
        {isAppsFault(failure)
          ? 'Correct the app’s client in this account first, then reconnect. The connection ID stays the same.'
          : isUrlsFault(failure)
            ? 'Reconnect with another URL. The connection ID stays the same.'
            : 'Reconnect it. The connection ID stays the same.'}{' '}
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
    : lastErrorOf(connection)
      ? 'Not connected yet. This page updates when an attempt succeeds.'
      : 'Awaiting authorization. This page updates when the connect link is used.';
}

const LINK_DOES: Record<Connection['status'], string> = {
  PENDING: 'Completes the connection.',
  FAILED: 'Reconnects it.',
  ACTIVE: 'Replaces the credentials.',
};

/** A link for a user with access to the app: it works without signing in. */
function ShareLink({ connection: { connection_id, status, url } }: { connection: Connection }) {
  const reason = useReason('connectionUpdate');
  if (reason !== undefined) return null;
  return (
    <div className="mt-4">
      <p className="mb-1 text-12 font-medium text-fg-2">Shareable connect link</p>
      <div className="flex min-w-0 items-center gap-2">
        <span className="data min-w-0 flex-1 truncate rounded border border-line bg-sunken px-2 py-1" title={url}>
          {url}
        </span>
        <CopyButton text={() => freshLink(connection_id)} label="Copy link" size="md" variant="default">
          Copy link
        </CopyButton>
      </div>
      <p className="mt-1 text-12 text-fg-3">
        {LINK_DOES[status]} Works once, without sign-in, and is valid for at least {CONNECT_SESSION_MINUTES} minutes
        after it is copied.
      </p>
    </div>
  );
}
