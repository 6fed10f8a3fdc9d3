/**
 * Authentication of callers.
 *
 * Programs send an API key: `slc_` and 32 random bytes, stored as a hash and shown only when it is created. A key acts
 * as ADMIN of its account. Users send a session cookie: 32 random bytes, stored as a hash, valid for 14 days after its
 * last use and at most 30 days. They act in their current role, not in the one at sign-in. Both are looked up by hash,
 * so timing reveals nothing about the secret. Ending a session or revoking a key takes effect with the next request on
 * this node, and within five seconds on others.
 */
import { CONFIRMATION_HOURS, SESSION_DAYS, SESSION_MAX_DAYS } from '../../contract/limits.ts';
import { fromNow, now, toTimestamp } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Actor, Ctx, Services } from '../platform/context.ts';
import type { ApiKeysTable } from '../platform/database/schema.ts';
import * as keyStore from './store/api-keys.ts';
import * as sessionStore from './store/sessions.ts';
import * as userStore from './store/users.ts';

export type Principal = { account_id: string; actor: Actor };
/** A signed-in user. */
export type SignedIn = Principal & {
  session_id: string;
  person_id: string;
  confirmed_at: string | null;
  /** The identity provider through which the session was opened. */
  provider_id: string | null;
  /** Whether the session is limited to its account (openid/entrance.ts). */
  only_account: boolean;
};
/** The client of a request with a session. */
export type Client = { ip: string | null; user_agent: string | null };

/** The context of a public operation. `session` is null if the caller is not signed in. */
export type PublicCtx = Services & {
  operation: string;
  request_id: string;
  ip: string | null;
  user_agent: string | null;
  session: (SignedIn & { token: string }) | null;
  /** Sets the session cookie of the browser, or removes it. */
  setCookie(token: string | null): void;
  /** The cookie that marks the browser as one in which a user has signed in. */
  device: { get(): string | undefined; set(mark: string): void };
  /** The cookie that marks the browser in which a sign-in through an identity provider has started. */
  signIn: { get(): string | undefined; set(mark: string): void };
};

const DAY_MS = 24 * 3_600_000;
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
export async function authenticateSession(
  services: Services,
  token: string,
  { ip, user_agent }: Client,
): Promise<SignedIn | null> {
  const at = now();
  const session = await sessionStore.withToken(services.db, hashToken(token), at);
  if (!session) return null;
  const { account_id, user_id, session_id, person_id, name, role, last_seen_at, last_used_at } = session;
  const { confirmed_at, provider_id, only_account } = session;
  const before = fromNow(-TOUCH_MS);
  if (last_seen_at === null || last_seen_at < before)
    await userStore.seen(services.db, account_id, user_id, at, before);
  const expires_at = sessionEnd(session.created_at);
  const isExtended = Date.parse(expires_at) - Date.parse(session.expires_at) > TOUCH_MS;
  const isElsewhere = ip !== session.ip || user_agent !== session.user_agent;
  if (isExtended || isElsewhere || last_used_at === null || last_used_at < before) {
    await sessionStore.update(services.db, account_id, session_id, { last_used_at: at, expires_at, ip, user_agent });
  }
  const actor = { type: 'USER' as const, id: user_id, name, role };
  return { account_id, session_id, person_id, confirmed_at, provider_id, only_account, actor };
}

/** When a session of this sign-in ends if it is not used again. */
export function sessionEnd(created_at: string): string {
  const latest = toTimestamp(new Date(Date.parse(created_at) + SESSION_MAX_DAYS * DAY_MS).toISOString());
  const unused = fromNow(SESSION_DAYS * DAY_MS);
  return unused < latest ? unused : latest;
}

/** Throws a 403 unless the user entered the password recently. API keys and links need no confirmation. */
export function requireConfirmation({ actor, confirmed_at }: Ctx): void {
  if (actor.type !== 'USER') return;
  if (confirmed_at && confirmed_at > fromNow(-CONFIRMATION_HOURS * 3_600_000)) return;
  throw new Failure(403, 'Confirm your password first (POST /session:confirm), then send this request again.', {
    required: 'CONFIRM_PASSWORD',
  });
}

/** Deletes expired sessions, for the sweeper. */
export const sweepSessions = (services: Services): Promise<void> => sessionStore.removeExpired(services.db, now());

/** The context of a public operation after authentication, as `write` needs it for the audit row. */
export function actingAs(ctx: PublicCtx, who: Principal): Ctx {
  const { session: _, setCookie: __, device: ___, signIn: ____, user_agent: _____, ...rest } = ctx;
  return { ...rest, ...who };
}
