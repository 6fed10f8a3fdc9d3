import { SESSIONS_PER_USER } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { now } from '../lib/clock.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import type { PeopleTable, Tx, UsersTable } from '../platform/database/schema.ts';
import type { SealedPlace } from '../platform/vault/vault.ts';
import { actingAs, type Principal, type PublicCtx, requireConfirmation, type SignedIn, sessionEnd } from './auth.ts';
import { requireSecondStep } from './factors/pending-sign-in.ts';
import { BY_PASSWORD, type Entrance, passwordsOff, requireEntrance } from './openid/entrance.ts';
import { signOutUrl } from './openid/protocol.ts';
import { findProvider, providerName } from './openid/provider.ts';
import { verifyPassword } from './passwords.ts';
import { countSignIn } from './sign-in-throttle.ts';
import * as audit from './store/audit.ts';
import * as factors from './store/factors.ts';
import * as people from './store/people.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** Returns the session or null, and renews the cookie so that it expires with the session. */
export async function get(ctx: PublicCtx, _input: Input<'sessionGet'>): Promise<Reply<'sessionGet'>> {
  if (!ctx.session) return { session: null };
  const session = await describe(ctx, ctx.session, ctx.session);
  if (session) ctx.setCookie(ctx.session.token);
  return { session };
}

/**
 * Signs a user in, or throws the 401 that asks for their second factor. Neither the 401 for wrong credentials nor its
 * timing reveals whether the email or the password is wrong.
 */
export async function create(ctx: PublicCtx, { body }: Input<'sessionCreate'>): Promise<Reply<'sessionCreate'>> {
  const device = knownDevice(ctx, body.email);
  const succeeded = await countSignIn(ctx, body.email, { ip: ctx.ip, device });
  const person = await people.withEmail(ctx.db, body.email);
  const right = await verifyPassword(person?.password_hash ?? null, body.password);
  const memberships = person ? await people.memberships(ctx.db, person.person_id) : [];
  const [user] = memberships;
  if (!person || !user || !right) {
    ctx.log.warn({ request_id: ctx.request_id, ip: ctx.ip }, 'sign-in failed');
    if (user) await noteFailed(ctx, user);
    throw new Failure(401, 'The email or password is incorrect.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  await succeeded();
  const entered = people.byPassword(memberships);
  if (!entered) throw passwordsOff(user.account_name);
  await requireSecondStep(ctx, person);
  const who = await enter(ctx, person, entered);
  if (device === null) markDevice(ctx, body.email);
  return { session: await describe(ctx, who) };
}

/** Opens a session of a person who is authenticated, as a member of this account, and sets its cookie. */
export async function enter(
  ctx: PublicCtx,
  { person_id }: Pick<PeopleTable, 'person_id'>,
  user: UsersTable,
  entrance: Entrance = BY_PASSWORD,
): Promise<Principal> {
  const who = principalOf(user);
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(entrance.provider_id ?? user.user_id, { noun: 'session' });
    return open(tx, ctx, { ...user, person_id }, entrance);
  });
  ctx.setCookie(token);
  return who;
}

export const principalOf = ({ account_id, user_id, name, role }: UsersTable): Principal => ({
  account_id,
  actor: { type: 'USER', id: user_id, name, role },
});

// A browser is marked with a random id and its HMAC for the email address: no other address can use the mark.

/** Marks the browser as one in which this address has signed in. */
export function markDevice({ vault, device }: PublicCtx, email: string): void {
  const id = newToken();
  device.set(`${id}.${vault.hmac('device', `${id}/${email}`)}`);
}

/** The id of a browser in which this address has signed in before, or null. */
export function knownDevice({ vault, device }: PublicCtx, email: string): string | null {
  const [id = '', mac = ''] = device.get()?.split('.') ?? [];
  return vault.verifyHmac('device', `${id}/${email}`, mac) ? id : null;
}

/** Records a failed sign-in in the audit log of the user's account. `resource_id` is a passkey if it failed. */
export async function noteFailed(
  ctx: PublicCtx,
  { account_id, user_id, email }: UsersTable,
  resource_id: string = user_id,
): Promise<void> {
  await ctx.db.transaction().execute((tx) =>
    audit.insert(tx, account_id, {
      ...audit.bySystem(email ?? 'Unknown'),
      operation: ctx.operation,
      resource_id,
      request_id: ctx.request_id,
      ip: ctx.ip,
      outcome: 'FAILED',
    }),
  );
  ctx.changed(account_id, { noun: 'account' });
}

/**
 * Signs out. Removes the cookie even without a session. The reply has the page that ends the session at the identity
 * provider, if there is one.
 */
export async function remove(ctx: PublicCtx, _input: Input<'sessionDelete'>): Promise<Reply<'sessionDelete'>> {
  const { session } = ctx;
  const provider = session?.provider_id ? await findProvider(ctx, session.provider_id) : undefined;
  const id_token = session && provider ? await readIdToken(ctx, session) : null;
  if (session) {
    await write(actingAs(ctx, session), async (tx, about) => {
      about(session.actor.id ?? '');
      await sessions.remove(tx, session.account_id, hashToken(session.token));
    });
  }
  ctx.setCookie(null);
  return { sign_out_url: provider ? await signOutUrl(ctx, provider, id_token) : null };
}

const idTokenPlace = (account_id: string, session_id: string): SealedPlace => ({
  account_id,
  table: 'sessions',
  row: session_id,
  field: 'id_token',
});

async function readIdToken({ db, vault }: Services, { account_id, session_id }: SignedIn): Promise<string | null> {
  const sealed = await sessions.idTokenOf(db, account_id, session_id);
  return sealed && vault.open(idTokenPlace(account_id, session_id), sealed);
}

/**
 * Lists the sessions of the signed-in user, the last used first. A session that is limited to its account lists only
 * such sessions.
 */
export async function list(ctx: PublicCtx, _input: Input<'sessionList'>): Promise<Reply<'sessionList'>> {
  const { person_id, session_id, account_id, only_account } = signedIn(ctx);
  const all = await sessions.list(ctx.db, person_id, now());
  const rows = only_account ? all.filter((row) => row.only_account && row.account_id === account_id) : all;
  return {
    sessions: rows.map((row) => ({
      session_id: row.session_id,
      current: row.session_id === session_id,
      created_at: row.created_at,
      last_used_at: row.last_used_at,
      expires_at: row.expires_at,
      ip: row.ip,
      user_agent: row.user_agent,
    })),
  };
}

/** Ends one other session of the signed-in user, or all others. The password must have been entered recently. */
export async function revoke(ctx: PublicCtx, { body }: Input<'sessionRevoke'>): Promise<Reply<'sessionRevoke'>> {
  const who = signedIn(ctx);
  requireConfirmation(actingAs(ctx, who));
  const only = body.session_id;
  if (only === who.session_id) throw badRequest('session_id: this is the current session; sign out to end it');
  const ended = await write(actingAs(ctx, who), async (tx, about) => {
    about(only ?? who.actor.id ?? '', { noun: 'session' });
    const ended = await sessions.removeOthers(tx, who.person_id, {
      kept: who.session_id,
      only,
      within: who.only_account ? who.account_id : undefined,
    });
    if (only !== undefined && ended === 0) throw notFound('Session');
    return ended;
  });
  return { ended };
}

/** The signed-in user of a public operation; throws a 401 if there is none. */
export function signedIn({ session }: PublicCtx): NonNullable<PublicCtx['session']> {
  if (session) return session;
  throw signInFirst();
}

/** The failure of a request whose session has ended. */
export const signInFirst = () => new Failure(401, 'Sign in first.', { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Replaces the browser's session with a new one and returns its token. 403 if the account is not entered this way. */
export async function open(
  tx: Tx,
  ctx: PublicCtx,
  { account_id, user_id, person_id }: { account_id: string; user_id: string; person_id: string },
  entrance: Entrance = BY_PASSWORD,
): Promise<string> {
  await requireEntrance(tx, account_id, entrance);
  if (ctx.session) await sessions.remove(tx, ctx.session.account_id, hashToken(ctx.session.token));
  const token = newToken();
  const at = now();
  const session_id = newId();
  const { provider_id, only_account, id_token, authenticated_at } = entrance;
  await sessions.insert(tx, account_id, {
    session_id,
    token_hash: hashToken(token),
    user_id,
    person_id,
    created_at: at,
    expires_at: sessionEnd(at),
    last_used_at: at,
    confirmed_at: authenticated_at ?? at,
    ip: ctx.ip,
    user_agent: ctx.user_agent,
    provider_id,
    only_account,
    id_token: id_token && ctx.vault.seal(idTokenPlace(account_id, session_id), id_token),
  });
  await sessions.removeOldest(tx, person_id, SESSIONS_PER_USER);
  return token;
}

/** The public view of a session; null if the user was removed meanwhile. */
export async function describe(
  services: Services,
  who: Principal,
  { provider_id, only_account }: Pick<Entrance, 'provider_id' | 'only_account'> = BY_PASSWORD,
): Promise<Reply<'sessionGet'>['session']> {
  const user = await users.find(services.db, who.account_id, who.actor.id ?? '');
  if (!user) return null;
  const accounts = user.person_id === null ? [] : await people.memberships(services.db, user.person_id);
  const account = accounts.find((each) => each.account_id === user.account_id);
  const { person_id } = user;
  const lacksFactor =
    account?.require_second_factor === true &&
    // An identity provider is responsible for its factors.
    provider_id === null &&
    person_id !== null &&
    !(await factors.having(services.db, [person_id])).has(person_id);
  const name = provider_id && ((await providerName(services, who.account_id, provider_id)) ?? provider_id);
  return {
    user_id: user.user_id,
    email: user.email ?? '',
    name: user.name,
    role: user.role,
    account_id: user.account_id,
    account_name: account?.account_name ?? '',
    accounts: accounts
      .filter(({ account_id }) => !only_account || account_id === user.account_id)
      .map(({ account_id, account_name, role }) => ({ account_id, name: account_name, role })),
    on_hold: services.hold.current() !== null,
    demo: services.settings.demo,
    may_create_account: services.settings.newAccounts && !only_account,
    provider: provider_id && name ? { provider_id, name, only_account } : null,
    live_position: services.live.position(),
    ...(lacksFactor ? { required: 'SET_UP_SECOND_FACTOR' } : {}),
  };
}
