/**
 * Changes of a password: by its user, who enters the current one, or with a one-time link, which is an invitation to
 * set a new password (invitations.ts). The link is sent by email if the installation has a mail server. An operator can
 * always create one on the server: `npm run reset-password`.
 */
import { PASSWORD_RESET_HOURS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { Addresses } from '../lib/addresses.ts';
import { fromNow, now } from '../lib/clock.ts';
import { badRequest } from '../lib/failure.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Db, PeopleTable } from '../platform/database/schema.ts';
import { sendMail } from '../platform/mail.ts';
import { actingAs, type PublicCtx } from './auth.ts';
import { confirmWithPasskey } from './factors/passkey-assertions.ts';
import { welcomeUrl } from './invitations.ts';
import { entranceOf, requireOwnSignIn } from './openid/entrance.ts';
import { hashPassword, refuseGuessable, verifyPassword } from './passwords.ts';
import { describe, open, signedIn, signInFirst } from './sessions.ts';
import { countSignIn } from './sign-in-throttle.ts';
import * as accounts from './store/accounts.ts';
import * as audit from './store/audit.ts';
import * as pendingSignIns from './store/pending-sign-ins.ts';
import * as people from './store/people.ts';
import * as sessions from './store/sessions.ts';
import { write } from './write.ts';

/** Changes the password of the signed-in user, and ends all their sessions. This browser gets a new one. */
export async function change(ctx: PublicCtx, { body }: Input<'passwordChange'>): Promise<Reply<'passwordChange'>> {
  const who = signedIn(ctx);
  requireOwnSignIn(who);
  const person = await verified(ctx, 'current_password', body.current_password);
  if (body.new_password === body.current_password) throw badRequest('new_password: expected another password');
  const account = await accounts.get(ctx.db, who.account_id);
  await refuseGuessable('new_password', body.new_password, [person.email, who.actor.name, account.name]);
  const password_hash = await hashPassword(body.new_password);
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(who.actor.id ?? '', { noun: 'session' });
    // Of two changes at once, with the same current password, the second fails.
    if (!(await people.changePassword(tx, person, password_hash)))
      throw badRequest('current_password: not the current password');
    await sessions.removeOthers(tx, who.person_id, { kept: null });
    await pendingSignIns.removeOf(tx, who.person_id);
    return open(tx, ctx, { ...who, user_id: who.actor.id ?? '' }, entranceOf(who));
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who, who) };
}

/** Confirms the password or a passkey, so that the session may do what gives others access. The session gets a new token. */
export async function confirm(ctx: PublicCtx, { body }: Input<'passwordConfirm'>): Promise<Reply<'passwordConfirm'>> {
  const who = signedIn(ctx);
  if (body.password !== undefined) await verified(ctx, 'password', body.password);
  if (body.passkey) await confirmWithPasskey(ctx, body.passkey);
  const token = newToken();
  await write(actingAs(ctx, who), async (tx, about) => {
    about(who.actor.id ?? '');
    const before = { account_id: who.account_id, token_hash: hashToken(who.token) };
    if (!(await sessions.renew(tx, before, { token_hash: hashToken(token), confirmed_at: now() }))) throw signInFirst();
  });
  ctx.setCookie(token);
  return {};
}

/** Sends a link for a new password to the address, if it has an account. The reply does not reveal whether it has. */
export async function forgotten(
  ctx: PublicCtx,
  { body }: Input<'passwordForgotten'>,
): Promise<Reply<'passwordForgotten'>> {
  const { smtp, addresses } = ctx.settings;
  if (!smtp) return { sent_by: 'OPERATOR' };
  await countSignIn(ctx, `forgotten/${body.email}`, { ip: ctx.ip, device: null });
  const send = async () => {
    const link = await createLink(ctx.db, addresses, body.email, {
      name: 'Password reset',
      request_id: ctx.request_id,
      isOperator: false,
    });
    if (!link) return;
    const { account_name, url } = link;
    await sendMail(smtp, { to: body.email, ...messageOf(account_name, url) });
  };
  // Not awaited: the time of the reply would reveal whether the address has an account.
  send().catch((err: unknown) => ctx.log.error({ err, request_id: ctx.request_id }, 'password email not sent'));
  return { sent_by: 'EMAIL' };
}

/**
 * Creates a link with which the user of this address sets a new password. Returns null if no active member has the
 * address, or passwords are not allowed; an operator's link lets an owner in. An earlier link stops working.
 */
export async function createLink(
  db: Db,
  addresses: Addresses,
  email: string,
  by: { name: string; request_id: string; isOperator: boolean },
): Promise<{ url: string; account_name: string } | null> {
  return db.transaction().execute(async (tx) => {
    const own = await people.withEmail(tx, email);
    const person = own ?? (by.isOperator ? await people.managedOwner(tx, email) : undefined);
    const member = person && people.byPasswordOrLink(await people.memberships(tx, person.person_id), by.isOperator);
    if (!person || !member) return null;
    const { account_id, user_id, account_name } = member;
    const token = newToken();
    const change = {
      reset_hash: hashToken(token),
      reset_expires_at: fromNow(PASSWORD_RESET_HOURS * 3_600_000),
      reset_by_operator: by.isOperator,
    };
    await people.update(tx, person.person_id, change);
    await audit.insert(tx, account_id, {
      ...audit.bySystem(by.name),
      operation: 'passwordForgotten',
      resource_id: user_id,
      request_id: by.request_id,
    });
    return { url: welcomeUrl(addresses, token), account_name };
  });
}

/** The signed-in person, if `password` is theirs; otherwise throws a 400 for the field. Failures count as sign-ins. */
async function verified(ctx: PublicCtx, field: string, password: string): Promise<PeopleTable> {
  const { person_id, session_id } = signedIn(ctx);
  const person = await people.find(ctx.db, person_id);
  const succeeded = await countSignIn(ctx, `session/${session_id}`, { ip: ctx.ip, device: null });
  if (!person || !(await verifyPassword(person.password_hash, password)))
    throw badRequest(`${field}: not the current password`);
  await succeeded();
  return person;
}

const messageOf = (account_name: string, url: string) => ({
  subject: 'Set a new password for Sluice',
  text: `Someone asked for a new password for your member account of ${account_name} in Sluice.

Set it with this link, which works once, within ${PASSWORD_RESET_HOURS} hour:

${url}

If you did not ask for it, ignore this message: your password stays as it is.
`,
});
