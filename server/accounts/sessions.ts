import type { Input, Reply } from '../../contract/operations.ts';
import { fromNow, now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import { actingAs, type Principal, type PublicCtx, SESSION_MS } from './auth.ts';
import { verifyPassword } from './passwords.ts';
import * as accounts from './store/accounts.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** Returns the session or null, and renews the cookie so that it expires with the session. */
export async function get(ctx: PublicCtx, _input: Input<'sessionGet'>): Promise<Reply<'sessionGet'>> {
  if (!ctx.session) return { session: null };
  const session = await describe(ctx, ctx.session);
  if (session) ctx.setCookie(ctx.session.token);
  return { session };
}

/** Signs a user in. Neither the 401 nor its timing reveals whether the email or the password is wrong. */
export async function create(ctx: PublicCtx, { body }: Input<'sessionCreate'>): Promise<Reply<'sessionCreate'>> {
  const attempt = ctx.memory.signIns.count(body.email, ctx.ip);
  const user = await users.withEmail(ctx.db, body.email);
  const right = await verifyPassword(user?.password_hash ?? null, body.password);
  if (!user || !right) {
    ctx.log.warn({ request_id: ctx.request_id, ip: ctx.ip }, 'sign-in failed');
    throw new Failure(401, 'The email or password is incorrect.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  attempt.succeeded();
  const { account_id, user_id, name, role } = user;
  const who: Principal = { account_id, actor: { type: 'USER', id: user_id, name, role } };
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(user_id);
    return open(tx, ctx, account_id, user_id);
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who) };
}

/** Signs out. Removes the cookie even without a session. */
export async function remove(ctx: PublicCtx, _input: Input<'sessionDelete'>): Promise<Reply<'sessionDelete'>> {
  const { session } = ctx;
  if (session) {
    await write(actingAs(ctx, session), async (tx, about) => {
      about(session.actor.id ?? '');
      await sessions.remove(tx, session.account_id, hashToken(session.token));
    });
  }
  ctx.setCookie(null);
  return {};
}

/** Replaces the browser's session with a new one and returns its token. */
export async function open(tx: Tx, ctx: PublicCtx, account_id: string, user_id: string): Promise<string> {
  if (ctx.session) await sessions.remove(tx, ctx.session.account_id, hashToken(ctx.session.token));
  const token = newToken();
  await sessions.insert(tx, account_id, {
    token_hash: hashToken(token),
    user_id,
    created_at: now(),
    expires_at: fromNow(SESSION_MS),
  });
  return token;
}

/** The public view of a session; null if the user was removed meanwhile. */
export async function describe(services: Services, who: Principal): Promise<Reply<'sessionGet'>['session']> {
  const user = await users.find(services.db, who.account_id, who.actor.id ?? '');
  if (!user) return null;
  const account = await accounts.get(services.db, who.account_id);
  return {
    user_id: user.user_id,
    email: user.email ?? '',
    name: user.name,
    role: user.role,
    account_id: account.account_id,
    account_name: account.name,
    live_position: services.live.position(),
  };
}
