/**
 * Authentication of callers.
 *
 * Programs send an API key: `slc_` and 32 random bytes, stored as a hash and shown only when it is created. A key acts
 * as ADMIN of its account. Users send a session cookie: 32 random bytes, stored as a hash, valid for 14 days after its
 * last use. They act in their current role, not in the one at sign-in. Both are looked up by hash, so timing reveals
 * nothing about the secret. Ending a session or revoking a key takes effect with the next request on this node, and
 * within five seconds on others.
 */
import { SESSION_DAYS } from '../../contract/limits.ts';
import { fromNow, now } from '../lib/clock.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Actor, Ctx, Services } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import * as keyStore from './store/api-keys.ts';
import * as sessionStore from './store/sessions.ts';
import * as userStore from './store/users.ts';

export type Principal = { account_id: string; actor: Actor };

/** The context of a public operation. `session` is null if the caller is not signed in. */
export type PublicCtx = Services & {
  operation: string;
  request_id: string;
  ip: string | null;
  session: (Principal & { token: string }) | null;
  /** Sets the session cookie of the browser, or removes it. */
  setCookie(token: string | null): void;
};

export const SESSION_MS = SESSION_DAYS * 24 * 3_600_000;
/** Precision of the stored `last_seen_at` and of the end of a session. */
const TOUCH_MS = 60_000;

/** Returns the owner of an API key; null if the key is unknown, revoked or expired. */
export async function authenticateKey(services: Services, key: string): Promise<Principal | null> {
  const hash = hashToken(key);
  return principalOf(services, await services.memory.keys.find(hash, () => keyStore.withHash(services.db, hash)));
}

/** As `authenticateKey`, from the cache only; undefined if the key is not cached. */
export function recognizeKey(services: Services, key: string): Principal | null | undefined {
  const known = services.memory.keys.recent(hashToken(key));
  return known && principalOf(services, known);
}

function principalOf(services: Services, found: ApiKeysTable | undefined): Principal | null {
  if (!found || (found.expires_at !== null && found.expires_at <= now())) return null;
  const { account_id, key_id, name } = found;
  services.memory.keyUses.note(found);
  return { account_id, actor: { type: 'API_KEY', id: key_id, name, role: 'ADMIN' } };
}

/** Returns the user of a session and extends the session; null if it is unknown, ended or expired. */
export async function authenticateSession(services: Services, token: string): Promise<Principal | null> {
  const token_hash = hashToken(token);
  const at = now();
  const session = await sessionStore.withToken(services.db, token_hash, at);
  if (!session) return null;
  const { account_id, user_id, name, role, last_seen_at } = session;
  const before = fromNow(-TOUCH_MS);
  if (last_seen_at === null || last_seen_at < before)
    await userStore.seen(services.db, account_id, user_id, at, before);
  if (session.expires_at < fromNow(SESSION_MS - TOUCH_MS))
    await sessionStore.extend(services.db, account_id, token_hash, fromNow(SESSION_MS));
  return { account_id, actor: { type: 'USER', id: user_id, name, role } };
}

/** Deletes expired sessions, for the sweeper. */
export const sweepSessions = (services: Services): Promise<void> => sessionStore.removeExpired(services.db, now());

/** The context of a public operation after authentication, as `write` needs it for the audit row. */
export function actingAs(ctx: PublicCtx, who: Principal): Ctx {
  const { session: _, setCookie: __, ...rest } = ctx;
  return { ...rest, ...who };
}
