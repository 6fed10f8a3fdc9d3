/**
 * One-time links: `{console_url}/welcome?token=…`. The token's hash is stored in the invited person's row until they
 * set a password with it; then it is cleared. The very first administrator is invited too (first-start.ts), without an
 * address.
 */
import { INVITE_DAYS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { Addresses } from '../lib/addresses.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, Failure } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { UsersTable } from '../platform/database/schema.ts';
import { actingAs, type PublicCtx, type Who } from './auth.ts';
import { hashPassword } from './passwords.ts';
import { describe, open } from './sessions.ts';
import * as accounts from './store/accounts.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** How long a link works. */
export const INVITE_MS = INVITE_DAYS * 24 * 3_600_000;

/** The address of the page where a link's token is used. */
export const welcomeUrl = (addresses: Addresses, token: string): string =>
  `${addresses.console_url}/welcome?token=${token}`;

/** What a link is for. 404 when it was used, replaced or has expired. */
export async function read(ctx: PublicCtx, { body }: Input<'invitationRead'>): Promise<Reply<'invitationRead'>> {
  const user = await users.withInvitation(ctx.db, hashToken(body.token), now());
  if (!user) throw used();
  const account = await accounts.get(ctx.db, user.account_id);
  return { invitation: { account_name: account.name, email: user.email, role: user.role } };
}

/** Sets the password of the invited person and signs them in. 409 when another person has the email they chose. */
export async function accept(ctx: PublicCtx, { body }: Input<'invitationAccept'>): Promise<Reply<'invitationAccept'>> {
  const invite_hash = hashToken(body.token);
  const user = await users.withInvitation(ctx.db, invite_hash, now());
  if (!user) throw used();
  const { account_id, user_id, role } = user;
  const email = emailFor(user, body.email);
  const name = body.name ?? user.name;
  const password_hash = await hashPassword(body.password);
  const who: Who = { account_id, actor: { type: 'USER', id: user_id, name, role } };
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(user_id, { noun: 'account' });
    if (!(await users.withInvitation(tx, invite_hash, now()))) throw used();
    const change = { email, name, password_hash, invite_hash: null, invite_expires_at: null };
    await users.update(tx, account_id, user_id, change).catch(refuseTakenEmail);
    return open(tx, ctx, account_id, user_id);
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who) };
}

/** For a change that may give somebody an address which another has. */
export function refuseTakenEmail(error: unknown): never {
  if (users.isTakenEmail(error)) throw conflict('email: this address already has an account');
  throw error;
}

function emailFor(user: UsersTable, chosen: string | undefined): string {
  if (user.email === null) {
    if (chosen === undefined) throw badRequest('email: expected the address you will sign in with');
    return chosen;
  }
  if (chosen !== undefined && chosen !== user.email)
    throw badRequest(`email: this invitation is for ${user.email}; leave it out`);
  return user.email;
}

const used = () =>
  new Failure(404, 'token: this link was used already, has expired or was replaced; ask for a new one');
