/**
 * One-time links: `{console_url}/welcome#token=…`. The fragment reaches no server, so no log has it. The token's hash is
 * stored in the row of the user until they set a password with it: a new member the first one, others a new one
 * (password-changes.ts). The first administrator is invited too (first-start.ts), without an email address.
 */
import { INVITE_DAYS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { Addresses } from '../lib/addresses.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, Failure } from '../lib/failure.ts';
import { hashToken } from '../lib/tokens.ts';
import type { UsersTable } from '../platform/database/schema.ts';
import { actingAs, type Principal, type PublicCtx } from './auth.ts';
import { hashPassword, refuseGuessable } from './passwords.ts';
import { describe, open } from './sessions.ts';
import * as accounts from './store/accounts.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** How long a link works. */
export const INVITE_MS = INVITE_DAYS * 24 * 3_600_000;

/** The URL of the page that accepts the token. */
export const welcomeUrl = (addresses: Addresses, token: string): string =>
  `${addresses.console_url}/welcome#token=${token}`;

/** Reads an invitation. 404 if it was used, replaced or has expired. */
export async function read(ctx: PublicCtx, { body }: Input<'invitationRead'>): Promise<Reply<'invitationRead'>> {
  const user = await users.withInvitation(ctx.db, hashToken(body.token), now());
  if (!user) throw used();
  const account = await accounts.get(ctx.db, user.account_id);
  const purpose = user.password_hash === null ? 'WELCOME' : 'NEW_PASSWORD';
  return { invitation: { purpose, account_name: account.name, email: user.email, role: user.role } };
}

/**
 * Sets the password of the link's user and signs them in; their other sessions end. 409 if another user has the chosen
 * email address.
 */
export async function accept(ctx: PublicCtx, { body }: Input<'invitationAccept'>): Promise<Reply<'invitationAccept'>> {
  const invite_hash = hashToken(body.token);
  const user = await users.withInvitation(ctx.db, invite_hash, now());
  if (!user) throw used();
  const { account_id, user_id, role } = user;
  const email = emailFor(user, body.email);
  const name = body.name ?? user.name;
  const account = await accounts.get(ctx.db, account_id);
  await refuseGuessable('password', body.password, [email, name, account.name]);
  const password_hash = await hashPassword(body.password);
  const who: Principal = { account_id, actor: { type: 'USER', id: user_id, name, role } };
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(user_id, { noun: 'account' });
    if (!(await users.withInvitation(tx, invite_hash, now()))) throw used();
    const change = { email, name, password_hash, invite_hash: null, invite_expires_at: null };
    await users.update(tx, account_id, user_id, change).catch(refuseTakenEmail);
    // A person who knew the previous password is signed out.
    await sessions.removeOthers(tx, account_id, user_id, { kept: null });
    return open(tx, ctx, account_id, user_id);
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who) };
}

/** Turns a violation of unique email addresses into a 409. */
export function refuseTakenEmail(error: unknown): never {
  if (users.isTakenEmail(error)) throw conflict('email: this address already has an account');
  throw error;
}

function emailFor(user: UsersTable, chosen: string | undefined): string {
  if (user.email === null) {
    if (chosen === undefined) throw badRequest('email: expected the email address to sign in with');
    return chosen;
  }
  if (chosen !== undefined && chosen !== user.email)
    throw badRequest(`email: this invitation is for ${user.email}; omit this field`);
  return user.email;
}

const used = () =>
  new Failure(404, 'token: this link was used already, has expired or was replaced; ask for a new one');
