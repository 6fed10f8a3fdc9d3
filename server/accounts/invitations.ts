/**
 * One-time links: `{console_url}/welcome#token=…`. The fragment reaches no server, so no log has it. Two kinds have the same page: an invitation, whose token's hash is
 * stored in the row of the invited member until they accept it, and the link for a new password, stored in the row of
 * the person (password-changes.ts). A person who signs in already accepts an invitation while signed in and keeps their
 * password. The first administrator is invited too (first-start.ts), without an email address.
 */
import { INVITE_DAYS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import type { Addresses } from '../lib/addresses.ts';
import { now } from '../lib/clock.ts';
import { badRequest, conflict, Failure } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken } from '../lib/tokens.ts';
import type { PeopleTable, Tx, UsersTable } from '../platform/database/schema.ts';
import { actingAs, type PublicCtx } from './auth.ts';
import { beginSecondStep, usableFactors } from './factors/pending-sign-in.ts';
import { BY_OPERATOR, BY_PASSWORD, type Entrance } from './openid/entrance.ts';
import { hashPassword, refuseGuessable } from './passwords.ts';
import { describe, open, principalOf } from './sessions.ts';
import * as accounts from './store/accounts.ts';
import * as pendingSignIns from './store/pending-sign-ins.ts';
import * as people from './store/people.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** How long a link works. */
export const INVITE_MS = INVITE_DAYS * 24 * 3_600_000;

/** The URL of the page that accepts the token. */
export const welcomeUrl = (addresses: Addresses, token: string): string =>
  `${addresses.console_url}/welcome#token=${token}`;

/** Reads a link. 404 if it was used, replaced or has expired. */
export async function read(ctx: PublicCtx, { body }: Input<'invitationRead'>): Promise<Reply<'invitationRead'>> {
  const hash = hashToken(body.token);
  const reset = await people.withReset(ctx.db, hash, now());
  if (reset) {
    const { account_name, role } = await lastUsed(ctx, reset);
    return { invitation: { purpose: 'NEW_PASSWORD', account_name, email: reset.email, role } };
  }
  const user = await users.withInvitation(ctx.db, hash, now());
  if (!user) throw used();
  const account = await accounts.get(ctx.db, user.account_id);
  const person = user.email === null ? undefined : await people.withEmail(ctx.db, user.email);
  const purpose = !person ? 'WELCOME' : isSelf(ctx, person) ? 'JOIN' : 'JOIN_AFTER_SIGN_IN';
  return { invitation: { purpose, account_name: account.name, email: user.email, role: user.role } };
}

/**
 * Accepts an invitation, or sets a new password, and signs in. 409 if the email address belongs to a person who is not
 * the signed-in one.
 */
export async function accept(ctx: PublicCtx, { body }: Input<'invitationAccept'>): Promise<Reply<'invitationAccept'>> {
  const hash = hashToken(body.token);
  const reset = await people.withReset(ctx.db, hash, now());
  if (reset) return setNewPassword(ctx, reset, body);
  const user = await users.withInvitation(ctx.db, hash, now());
  if (!user) throw used();
  const email = emailFor(user, body.email);
  const person = await people.withEmail(ctx.db, email);
  return person ? join(ctx, user, person, body) : welcome(ctx, { ...user, email }, body);
}

type Body = Input<'invitationAccept'>['body'];

/** A new person sets a password. */
async function welcome(
  ctx: PublicCtx,
  user: UsersTable & { email: string },
  body: Body,
): Promise<Reply<'invitationAccept'>> {
  const { account_id, user_id, email } = user;
  const name = body.name ?? user.name;
  const password_hash = await hashNew(ctx, body, [email, name], account_id);
  const person: PeopleTable = {
    person_id: newId(),
    email,
    password_hash,
    reset_hash: null,
    reset_expires_at: null,
    created_at: now(),
    account_id: null,
    reset_by_operator: null,
  };
  return enterWith(ctx, { ...user, name }, async (tx) => {
    await stillInvited(tx, body.token);
    await people.insert(tx, person).catch(refuseTakenEmail);
    const change = { email, name, person_id: person.person_id, invite_hash: null, invite_expires_at: null };
    await users.update(tx, account_id, user_id, change).catch(refuseTakenEmail);
    return person;
  });
}

/** A person who signs in already becomes a member of one more account. */
async function join(
  ctx: PublicCtx,
  user: UsersTable,
  person: PeopleTable,
  body: Body,
): Promise<Reply<'invitationAccept'>> {
  if (!isSelf(ctx, person))
    throw conflict(`email: ${person.email} signs in already; sign in with this address first, then accept`);
  if (body.password !== undefined)
    throw badRequest('password: you sign in already and keep your password; omit this field');
  const name = body.name ?? user.name;
  return enterWith(ctx, { ...user, name }, async (tx) => {
    if (!(await people.lock(tx, person.person_id))) throw used();
    await stillInvited(tx, body.token);
    const change = {
      email: person.email,
      name,
      person_id: person.person_id,
      invite_hash: null,
      invite_expires_at: null,
    };
    await users.update(tx, user.account_id, user.user_id, change);
    return person;
  });
}

/** Signs in, unless the person has a second factor: then `session` is null, and the sign-in waits for it. */
async function setNewPassword(ctx: PublicCtx, person: PeopleTable, body: Body): Promise<Reply<'invitationAccept'>> {
  const user = await entered(ctx, person);
  const entrance = person.reset_by_operator ? BY_OPERATOR : BY_PASSWORD;
  const password_hash = await hashNew(ctx, body, [person.email, user.name], user.account_id);
  const change = async (tx: Tx) => {
    if (!(await people.withReset(tx, hashToken(body.token), now()))) throw used();
    await people.update(tx, person.person_id, { password_hash, reset_hash: null, reset_expires_at: null });
    // The operator vouches for the address: the person signs in with it and needs no identity provider any more.
    if (person.account_id !== null && !(await people.withEmail(tx, person.email)))
      await people.update(tx, person.person_id, { account_id: null });
    // A person who knew the previous password is signed out.
    await sessions.removeOthers(tx, person.person_id, { kept: null });
    await pendingSignIns.removeOf(tx, person.person_id);
    return person;
  };
  if ((await usableFactors(ctx, person.person_id)).length === 0) return enterWith(ctx, user, change, entrance);
  await write(actingAs(ctx, principalOf(user)), async (tx, about) => {
    about(user.user_id, { noun: 'session' });
    await change(tx);
  });
  ctx.setCookie(null);
  await beginSecondStep(ctx, person, { by_operator: person.reset_by_operator ?? false });
  return { session: null };
}

/** Changes what the link is for, and opens a session of the member in the same transaction. */
async function enterWith(
  ctx: PublicCtx,
  user: UsersTable,
  change: (tx: Tx) => Promise<PeopleTable>,
  entrance: Entrance = BY_PASSWORD,
): Promise<Reply<'invitationAccept'>> {
  const who = principalOf(user);
  const token = await write(actingAs(ctx, who), async (tx, about) => {
    about(user.user_id, { noun: 'account' });
    const { person_id } = await change(tx);
    return open(tx, ctx, { ...user, person_id }, entrance);
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who) };
}

/** The hash of the new password, unless it is missing or easy to guess. */
async function hashNew(ctx: PublicCtx, body: Body, words: string[], account_id: string): Promise<string> {
  if (body.password === undefined) throw badRequest('password: expected the new password');
  const account = await accounts.get(ctx.db, account_id);
  await refuseGuessable('password', body.password, [...words, account.name]);
  return hashPassword(body.password);
}

async function stillInvited(tx: Tx, token: string): Promise<void> {
  if (!(await users.withInvitation(tx, hashToken(token), now()))) throw used();
}

/** The account that a link for a new password enters. */
async function entered(ctx: PublicCtx, person: PeopleTable) {
  const memberships = await people.memberships(ctx.db, person.person_id);
  const member = people.byPasswordOrLink(memberships, person.reset_by_operator ?? false);
  if (!member) throw used();
  return member;
}

/** The member that the person used last. */
async function lastUsed(ctx: PublicCtx, person: PeopleTable) {
  const [member] = await people.memberships(ctx.db, person.person_id);
  if (!member) throw used();
  return member;
}

/** A session that is limited to one account does not act for the person elsewhere. */
const isSelf = ({ session }: PublicCtx, { person_id }: PeopleTable) =>
  session?.person_id === person_id && !session.only_account;

/** Turns a violation of unique email addresses into a 409. */
export function refuseTakenEmail(error: unknown): never {
  if (people.isTakenEmail(error)) throw conflict('email: this address signs in already');
  if (users.isTakenEmail(error)) throw conflict('email: this address is a member already');
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
