/**
 * Who is asking.
 *
 * A program brings an API key: `slc_` and 32 random bytes, stored as a hash, known to the clear only when it is made. A
 * key acts as ADMIN of its account. A person brings a session's cookie: 32 random bytes, stored as a hash, good for 14
 * days after its last use; they act in the role they have now, not the one they had when they signed in. Both are found
 * by their hash, so the time of a comparison says nothing of a secret. Ending a session or revoking a key takes effect
 * with the next request on this node, and within five seconds on another.
 */
import { SESSION_DAYS } from '../../contract/limits.ts';
import { fromNow, now } from '../lib/clock.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Actor, Ctx, Services } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import * as keyStore from './store/api-keys.ts';
import * as sessionStore from './store/sessions.ts';
import * as userStore from './store/users.ts';

export type Who = { account_id: string; actor: Actor };

/** What a public operation works with: no one may be signed in. */
export type PublicCtx = Services & {
  operation: string;
  request_id: string;
  ip: string | null;
  session: (Who & { token: string }) | null;
  /** Gives the browser a session's token, or takes it away. */
  setCookie(token: string | null): void;
};

export const SESSION_MS = SESSION_DAYS * 24 * 3_600_000;
/** How exact `last_seen_at` and the end of a session are kept. */
const TOUCH_MS = 60_000;

/** Whose key this is; null when it is unknown, revoked or expired. */
export async function authenticateKey(services: Services, key: string): Promise<Who | null> {
  const hash = hashToken(key);
  return whose(services, await services.memory.keys.find(hash, () => keyStore.withHash(services.db, hash)));
}

/** The same without waiting, for a key that was seen recently; undefined where it has to be looked for. */
export function recognizeKey(services: Services, key: string): Who | null | undefined {
  const known = services.memory.keys.recent(hashToken(key));
  return known && whose(services, known);
}

function whose(services: Services, found: ApiKeysTable | undefined): Who | null {
  if (!found || (found.expires_at !== null && found.expires_at <= now())) return null;
  const { account_id, key_id, name } = found;
  services.memory.keyUses.note(found);
  return { account_id, actor: { type: 'API_KEY', id: key_id, name, role: 'ADMIN' } };
}

/** Whose session this is; null when it is unknown, ended or expired. Its use puts its end off. */
export async function authenticateSession(services: Services, token: string): Promise<Who | null> {
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

/** Clears away expired sessions: for the sweeper. */
export const sweepSessions = (services: Services): Promise<void> => sessionStore.removeExpired(services.db, now());

/** A public operation's context once it is known who acts: what `write` needs for the audit row. */
export function actingAs(ctx: PublicCtx, who: Who): Ctx {
  const { session: _, setCookie: __, ...rest } = ctx;
  return { ...rest, ...who };
}
