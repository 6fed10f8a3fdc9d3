/**
 * Authentication of callers.
 *
 * Programs send an API key: `slc_` and 32 random bytes, stored as a hash and shown only when it is created. A key acts
 * as ADMIN of its account, within its limits (contract/keys). After a rotation, the old secret works until the overlap
 * ends. Users send a session cookie: 32 random bytes, stored as a hash, valid for 14 days after its
 * last use and at most 30 days. They act in their current role, not in the one at sign-in. Both are looked up by hash,
 * so timing reveals nothing about the secret. Ending a session or revoking a key takes effect with the next request on
 * this node, and within five seconds on others.
 */
import type { KeyLimits } from '../../contract/keys/key-limits.ts';
import { CONFIRMATION_HOURS, SESSION_DAYS, SESSION_MAX_DAYS } from '../../contract/limits.ts';
import { fromNow, now, toTimestamp } from '../lib/clock.ts';
import { Failure, forbidden } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { Actor, Ctx, KeyRef, Services } from '../platform/context.ts';
import { isIn, type KnownKey, knownKey } from './key-limits.ts';
import type { KeyUse } from './last-used.ts';
import * as keyStore from './store/api-keys.ts';
import * as sessionStore from './store/sessions.ts';
import * as userStore from './store/users.ts';

/** `limits`: of an API key that has some. */
export type Principal = { account_id: string; actor: Actor; limits?: KeyLimits | null };
/** A signed-in user. */
export type SignedIn = Principal & {
  session_id: string;
  person_id: string;
  confirmed_at: string | null;
  /** Whether the account requires a second factor that the person does not have. */
  lacks_factor: boolean;
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
  /** The cookie of a sign-in in progress, which binds its steps to one browser. */
  signingIn: { get(): string | undefined; set(token: string | null): void };
};

const DAY_MS = 24 * 3_600_000;
/** Precision of the stored `last_seen_at` and of the end of a session. */
const TOUCH_MS = 60_000;

/**
 * Returns the owner of an API key; null if the key is unknown, revoked or expired. Throws 403 if the key may not be used
 * from this IP address.
 */
export async function authenticateKey(services: Services, key: string, ip: string | null): Promise<Principal | null> {
  const hash = hashToken(key);
  const found = await services.memory.keys.find(hash, async () => {
    const row = await keyStore.withHash(services.db, hash);
    return row && knownKey(row);
  });
  return principalOf(services, found, hash, ip);
}

/** As `authenticateKey`, from the cache only; undefined if the key is not cached. */
export function recognizeKey(services: Services, key: string, ip: string | null): Principal | null | undefined {
  const hash = hashToken(key);
  const known = services.memory.keys.recent(hash);
  return known && principalOf(services, known, hash, ip);
}

function principalOf(
  services: Services,
  found: KnownKey | undefined,
  hash: string,
  ip: string | null,
): Principal | null {
  if (!found) return null;
  const { row, limits, addresses } = found;
  if (row.expires_at !== null && row.expires_at <= now()) return null;
  if (row.hash !== hash && (row.old_expires_at === null || row.old_expires_at <= now())) return null;
  if (addresses && !isIn(addresses, ip))
    throw forbidden(`This API key may not be used from ${ip ?? 'an unknown IP address'}.`);
  const { account_id, key_id, name } = row;
  services.memory.keyUses.note(row, ip);
  return { account_id, actor: { type: 'API_KEY', id: key_id, name, role: 'ADMIN' }, limits };
}

/** The API key of a caller; null for others. */
export const keyOf = ({ actor }: Pick<Principal, 'actor'>): KeyRef | null =>
  actor.type === 'API_KEY' && actor.id !== null ? { key_id: actor.id, name: actor.name } : null;

/** Counts a permitted use of a key, for its usage. */
export function countKeyUse(services: Services, { account_id, actor }: Principal, use: KeyUse): void {
  if (actor.type === 'API_KEY' && actor.id !== null) services.memory.keyUses.count(account_id, actor.id, use);
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
  const { account_id, user_id, session_id, person_id, name, role, last_seen_at, last_used_at, confirmed_at } = session;
  const { lacks_factor } = session;
  const before = fromNow(-TOUCH_MS);
  if (last_seen_at === null || last_seen_at < before)
    await userStore.seen(services.db, account_id, user_id, at, before);
  const expires_at = sessionEnd(session.created_at);
  const isExtended = Date.parse(expires_at) - Date.parse(session.expires_at) > TOUCH_MS;
  const isElsewhere = ip !== session.ip || user_agent !== session.user_agent;
  if (isExtended || isElsewhere || last_used_at === null || last_used_at < before) {
    await sessionStore.update(services.db, account_id, session_id, { last_used_at: at, expires_at, ip, user_agent });
  }
  const actor: Actor = { type: 'USER', id: user_id, name, role };
  return { account_id, session_id, person_id, confirmed_at, lacks_factor, actor };
}

/** When a session of this sign-in ends if it is not used again. */
export function sessionEnd(created_at: string): string {
  const latest = toTimestamp(new Date(Date.parse(created_at) + SESSION_MAX_DAYS * DAY_MS).toISOString());
  const unused = fromNow(SESSION_DAYS * DAY_MS);
  return unused < latest ? unused : latest;
}

/** Throws a 403 if the account requires a second factor that the person does not have. */
export function requireFactor({ lacks_factor }: SignedIn): void {
  if (!lacks_factor) return;
  throw new Failure(403, 'This account requires a second factor: set up a passkey or an authenticator app first.', {
    required: 'SET_UP_SECOND_FACTOR',
  });
}

/** Throws a 403 unless the user entered the password or used a passkey recently. API keys and links need no confirmation. */
export function requireConfirmation({ actor, confirmed_at }: Pick<Ctx, 'actor' | 'confirmed_at'>): void {
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
  const { session: _, setCookie: __, device: ___, user_agent: ____, signingIn: _____, ...rest } = ctx;
  return { ...rest, ...who };
}
