/**
 * The link a connection is completed on. It holds no state: its token names account, connection, when it ends and which
 * completion of the connection it is for, sealed by a MAC. Links made within the same ten minutes are the same
 * text, and each lives at least half an hour. Completing a connection moves it past every link made before, so a link
 * works once; the next read of the connection shows a fresh one. `:reconnect` moves it on as well (`completed_at` is
 * the mark that both set), so that links sent earlier end.
 *
 * The link that completed a connection still shows that it worked, so that reloading the window does no harm, until
 * it expires, the connection is FAILED or a later link takes its place. It opens nothing any more.
 *
 * A browser that comes back from a provider gets a separate link: after a success one that shows for ten minutes that
 * it worked and opens nothing (`finished`), after a failure the link it started with, which also says what went wrong
 * (`failure`) and can be used again.
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
  /** What became of the last try with it, where the browser was sent here by it. */
  outcome: 'finished' | Failed | null;
};
type Row = Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'completed_at'>;

/** The address that completes this connection now. */
export function connectUrl(services: Pick<Services, 'vault' | 'settings'>, row: Row, nowMs = Date.now()): string {
  const expiresMs = Math.ceil((nowMs + 1) / SAME_FOR_MS) * SAME_FOR_MS + LIVES_MS;
  const expires_at = new Date(expiresMs).toISOString().replace('Z', '000Z');
  return urlOf(services, { ...row, expires_at, outcome: null });
}

/** Where providers send browsers back to. Every provider compares it letter by letter. */
export const callbackUrl = ({ settings }: Pick<Services, 'settings'>): string =>
  `${settings.addresses.connect_url}/oauth/callback`;

/** Where a browser goes with which the connection was just completed. */
export function finishedUrl(services: Pick<Services, 'vault' | 'settings'>, row: Row): string {
  return urlOf(services, { ...row, expires_at: fromNow(FINISHED_FOR_MS), outcome: 'finished' });
}

/** Distinguishes this link from every other of any connection; what it says of the last attempt makes no difference. */
export function linkId({ account_id, connection_id, expires_at, completed_at }: Link): string {
  const text = JSON.stringify([account_id, connection_id, expires_at, completed_at]);
  return createHash('sha256').update(text).digest('base64url');
}

/** The same link, which says what went wrong with it. */
export function failedUrl(services: Pick<Services, 'vault' | 'settings'>, link: Link, failure: Failed): string {
  return urlOf(services, { ...link, outcome: failure });
}

function urlOf({ vault, settings }: Pick<Services, 'vault' | 'settings'>, link: Link): string {
  const { account_id, connection_id, expires_at, completed_at, outcome } = link;
  const text = JSON.stringify([account_id, connection_id, expires_at, completed_at, ...(outcome ? [outcome] : [])]);
  const payload = Buffer.from(text).toString('base64url');
  return `${settings.addresses.connect_url}?token=${payload}.${vault.hmac(PURPOSE, payload)}`;
}

/** What a token says. One that the service didn't make is a 404, one past its end a 400 that says so. */
export function readLink({ vault }: Pick<Services, 'vault'>, token: string, at = now()): Link {
  const [payload = '', mac = ''] = token.split('.');
  if (!vault.verifyHmac(PURPOSE, payload, mac)) throw notFound('Connect link');
  const [account_id, connection_id, expires_at, completed_at, outcome = null] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as [string, string, string, string | null, Link['outcome']?];
  if (expires_at <= at) throw badRequest(`This connect link expired at ${expires_at}.`);
  return { account_id, connection_id, expires_at, completed_at, outcome };
}
