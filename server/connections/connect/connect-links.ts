/**
 * The link to complete a connection. It is stateless: its token contains the account, the connection, the expiry and
 * the connection's `completed_at`, authenticated with a MAC. Links created within the same ten minutes are identical,
 * and each is valid for at least half an hour. Completing a connection changes `completed_at` and so invalidates all
 * earlier links: a link works once, and the next read of the connection returns a new one. `:reconnect` also changes
 * `completed_at`.
 *
 * The link that completed a connection keeps showing the success, so that reloading the window is harmless, until it
 * expires, the connection becomes FAILED or a later link completes it. It grants no access any longer.
 *
 * A browser that returns from a provider gets a separate link: after a success a link that shows it for ten minutes and
 * grants no access (`finished`), after a failure the link that it started with, plus the failure (`failure`), which can
 * be used again.
 */

import { createHash } from 'node:crypto';
import { CONNECT_SESSION_MINUTES } from '../../../contract/limits.ts';
import type { ConnectionFailureCode } from '../../../contract/states.ts';
import { fromNow, now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';

const PURPOSE = 'connect-link';
const SAME_FOR_MS = 10 * 60_000;
const LIVES_MS = CONNECT_SESSION_MINUTES * 60_000;
const FINISHED_FOR_MS = 10 * 60_000;

export type Failed = { code: ConnectionFailureCode; message: string; since: string };
export type Link = {
  account_id: string;
  connection_id: string;
  expires_at: string;
  completed_at: string | null;
  /** The connect session that it belongs to. */
  session_id: string | null;
  /** The result of the last attempt with this link, if the browser returned from it. */
  outcome: 'finished' | Failed | null;
};
type Row = Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'completed_at'>;

/** The current connect link of this connection. */
export function connectUrl(services: Pick<Services, 'vault' | 'settings'>, row: Row, nowMs = Date.now()): string {
  const expiresMs = Math.ceil((nowMs + 1) / SAME_FOR_MS) * SAME_FOR_MS + LIVES_MS;
  const expires_at = new Date(expiresMs).toISOString().replace('Z', '000Z');
  return urlOf(services, { ...row, expires_at, session_id: null, outcome: null });
}

/** The token of the link to complete a connection of a connect session; it expires with the session. */
export function sessionLinkToken(
  services: Pick<Services, 'vault'>,
  row: Row,
  { session_id, expires_at }: { session_id: string; expires_at: string },
): string {
  return tokenFor(services, { ...row, expires_at, session_id, outcome: null });
}

/** The redirect URL for providers. They compare it exactly. */
export const callbackUrl = ({ settings }: Pick<Services, 'settings'>): string =>
  `${settings.addresses.connect_url}/oauth/callback`;

/** The URL for the browser that just completed the connection. */
export function finishedUrl(
  services: Pick<Services, 'vault' | 'settings'>,
  row: Row,
  { session_id }: Pick<Link, 'session_id'>,
): string {
  return urlOf(services, { ...row, expires_at: fromNow(FINISHED_FOR_MS), session_id, outcome: 'finished' });
}

/** Identifies this link among all connections, regardless of the result of the last attempt. */
export function linkId({ account_id, connection_id, expires_at, completed_at }: Link): string {
  const text = JSON.stringify([account_id, connection_id, expires_at, completed_at]);
  return createHash('sha256').update(text).digest('base64url');
}

/** The same link, with the failure of the last attempt. */
export function failedUrl(services: Pick<Services, 'vault' | 'settings'>, link: Link, failure: Failed): string {
  return urlOf(services, { ...link, outcome: failure });
}

const urlOf = (services: Pick<Services, 'vault' | 'settings'>, link: Link): string =>
  `${services.settings.addresses.connect_url}?token=${tokenFor(services, link)}`;

function tokenFor({ vault }: Pick<Services, 'vault'>, link: Link): string {
  const { account_id, connection_id, expires_at, completed_at, session_id, outcome } = link;
  const more = session_id ? [outcome, session_id] : outcome ? [outcome] : [];
  const text = JSON.stringify([account_id, connection_id, expires_at, completed_at, ...more]);
  const payload = Buffer.from(text).toString('base64url');
  return `${payload}.${vault.hmac(PURPOSE, payload)}`;
}

/** Parses a token. 404 for a token that the service did not create, 400 for an expired one. */
export function readLink({ vault }: Pick<Services, 'vault'>, token: string, at = now()): Link {
  const [payload = '', mac = ''] = token.split('.');
  if (!vault.verifyHmac(PURPOSE, payload, mac)) throw notFound('Connect link');
  const [account_id, connection_id, expires_at, completed_at, outcome = null, session_id = null] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [string, string, string, string | null, Link['outcome']?, string?];
  if (expires_at <= at) throw badRequest(`This connect link expired at ${expires_at}.`);
  return { account_id, connection_id, expires_at, completed_at, session_id, outcome };
}
