import type { Input, Reply } from '../../contract/operations.ts';
import { fromNow, now } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import type { Tx } from '../platform/database/schema.ts';
import { actingAs, type PublicCtx, SESSION_MS, type Who } from './auth.ts';
import { verifyPassword } from './passwords.ts';
import * as accounts from './store/accounts.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** Who is signed in, or null. The browser keeps the cookie for as long as the service keeps the session. */
export async function get(ctx: PublicCtx, _input: Input<'sessionGet'>): Promise<Reply<'sessionGet'>> {
  if (!ctx.session) return { session: null };
  const session = await describe(ctx, ctx.session);
  if (session) ctx.setCookie(ctx.session.token);
  return { session };
}

/** Signs a person in. 401 says neither whether the email or the password is wrong, nor does the time it takes. */
export async function create(ctx: PublicCtx, { body }: Input<'sessionCreate'>): Promise<Reply<'sessionCreate'>> {
  const attempt = ctx.memory.signIns.count(body.email, ctx.ip);
  const user = await users.withEmail(ctx.db, body.email);
  const right = await verifyPassword(user?.password_hash ?? null, body.password);
  if (!user || !right) {
    ctx.log.warn({ request_id: ctx.request_id, ip: ctx.ip }, 'a sign-in failed');
    throw new Failure(401, 'The email or the password is wrong.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  attempt.succeeded();
  const { account_id, user_id, name, role } = user;
  const who: Who = { account_id, actor: { type: 'USER', id: user_id, name, role } };
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(user_id);
    return open(tx, ctx, account_id, user_id);
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who) };
}

/** Signs out. Without a session there is nothing to do, and the cookie goes all the same. */
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

/** Opens a session in place of the browser's old one, and answers its token. */
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

/** What a client may know of who is signed in; null when they were removed meanwhile. */
export async function describe(services: Services, who: Who): Promise<Reply<'sessionGet'>['session']> {
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
