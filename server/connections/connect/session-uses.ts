/** The connect session behind a link: whether it can still be used, and what the window needs of it. */
import type { Reply } from '../../../contract/operations.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Services } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import type { ConnectionsTable, ConnectSessionsTable } from '../../platform/database/tables/connection-tables.ts';
import * as store from '../store/connect-sessions.ts';
import type { Link } from './connect-links.ts';
import { settingsOf } from './connect-settings.ts';

type Use = { app: string; connection_id: string; at: string };
type WindowParts = Pick<
  Reply<'connectSessionGet'>['session'],
  'opener_origins' | 'theme' | 'redirect_url' | 'cancel_url'
>;

const SESSION_USED = 'This connect session was already used.';

/** The session of a link; undefined for a link of one connection. 404 if it was deleted. */
export async function sessionOf({ db }: Services, link: Link): Promise<ConnectSessionsTable | undefined> {
  if (link.session_id === null) return undefined;
  const session = await store.find(db, link.account_id, link.session_id);
  if (!session) throw notFound('Connect session');
  return session;
}

/** Why a session can't be used; null if it can. */
export function problemOf({
  uses,
  max_uses,
  expires_at,
}: ConnectSessionsTable): Reply<'connectChoiceGet'>['choice']['problem'] {
  if (uses >= max_uses) return { code: 'USED', message: SESSION_USED };
  if (expires_at > now()) return null;
  return { code: 'EXPIRED', message: `This connect session expired at ${expires_at}.` };
}

/** Rejects a session that is used or expired. */
export function assertOpen(session: ConnectSessionsTable): void {
  const problem = problemOf(session);
  if (problem) throw badRequest(problem.message);
}

/**
 * Locks the session of a link that is being completed. 400 if its last use was taken meanwhile. An authorization that
 * began before the session expired may still be completed.
 */
export async function holdUse(tx: Tx, link: Link): Promise<ConnectSessionsTable | undefined> {
  if (link.session_id === null) return undefined;
  const session = await store.lock(tx, link.account_id, link.session_id);
  if (!session) throw notFound('Connect session');
  if (session.uses >= session.max_uses) throw badRequest(SESSION_USED);
  return session;
}

/** Counts the completed connection. */
export async function takeUse(
  tx: Tx,
  { account_id, session_id, uses, started, connections }: ConnectSessionsTable,
  { app, connection_id }: ConnectionsTable,
): Promise<void> {
  const { [app]: _, ...rest } = JSON.parse(started) as Record<string, string>;
  const done = [...(JSON.parse(connections) as Use[]), { app, connection_id, at: now() }];
  await store.update(tx, account_id, session_id, {
    uses: uses + 1,
    started: JSON.stringify(rest),
    connections: JSON.stringify(done),
  });
}

/** Values of fields that the session sets for an app. */
export const presetOf = (session: ConnectSessionsTable | undefined, app: string): Record<string, string> =>
  (session && (JSON.parse(session.parameters) as Record<string, Record<string, string>>)[app]) ?? {};

/** Looks and messages of the window. The URLs contain IDs and the state of the session, no secret. */
export async function windowParts(
  services: Services,
  account_id: string,
  session: ConnectSessionsTable | undefined,
  connection?: Pick<ConnectionsTable, 'app' | 'connection_id'>,
): Promise<WindowParts> {
  const { allowed_origins, accent, logo } = await settingsOf(services, account_id);
  return {
    opener_origins: session ? (JSON.parse(session.allowed_origins) as string[]) : allowed_origins,
    theme: { accent: session?.accent ?? accent, logo },
    redirect_url: session && connection ? redirectOf(session, connectedQuery(connection)) : null,
    cancel_url: session ? redirectOf(session, { status: 'canceled' }) : null,
  };
}

// Picked one by one: the row has more columns.
const connectedQuery = ({ app, connection_id }: Pick<ConnectionsTable, 'app' | 'connection_id'>) => ({
  status: 'connected',
  app,
  connection_id,
});

function redirectOf(
  { redirect_url, session_id, state }: ConnectSessionsTable,
  more: Record<string, string>,
): string | null {
  if (redirect_url === null) return null;
  const url = new URL(redirect_url);
  const query = { ...more, session_id, ...(state === null ? {} : { state }) };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
