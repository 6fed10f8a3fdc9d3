/** Several accounts per person: the session continues in another of them, and new accounts are created. */
import { OWNED_ACCOUNTS } from '../../contract/limits.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { fromNow, now } from '../lib/clock.ts';
import { forbidden, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Db, Tx, UsersTable } from '../platform/database/schema.ts';
import { actingAs, type PublicCtx } from './auth.ts';
import { INVITE_MS } from './invitations.ts';
import { entranceOf, requireEntrance, requireOwnSignIn } from './openid/entrance.ts';
import { describe, principalOf, signedIn, signInFirst } from './sessions.ts';
import * as accounts from './store/accounts.ts';
import * as audit from './store/audit.ts';
import * as people from './store/people.ts';
import * as sessions from './store/sessions.ts';
import * as users from './store/users.ts';
import { write } from './write.ts';

/** Continues this session in another account of the person. 404 for an account of which they are not a member. */
export async function switchTo(ctx: PublicCtx, { body }: Input<'sessionSwitch'>): Promise<Reply<'sessionSwitch'>> {
  const session = signedIn(ctx);
  requireOwnSignIn(session);
  const { person_id } = session;
  const member = (await people.memberships(ctx.db, person_id)).find((each) => each.account_id === body.account_id);
  if (!member) throw notFound('Account');
  return continueIn(ctx, member);
}

/** Creates an account whose owner is the signed-in person, and continues the session in it. */
export async function create(ctx: PublicCtx, { body }: Input<'accountCreate'>): Promise<Reply<'accountCreate'>> {
  const session = signedIn(ctx);
  requireOwnSignIn(session);
  const { person_id, actor } = session;
  if (!ctx.settings.newAccounts)
    throw forbidden('This installation does not let people create accounts (SLUICE_NEW_ACCOUNTS).');
  const person = await people.find(ctx.db, person_id);
  if (!person) throw notFound('Account');
  const owner = userOf(newId(), { email: person.email, name: actor.name, person_id });
  return continueIn(ctx, owner, async (tx) => {
    await people.lock(tx, person_id);
    const owned = (await people.memberships(tx, person_id)).filter(({ role }) => role === 'OWNER');
    if (owned.length >= OWNED_ACCOUNTS) throw forbidden(`You own ${OWNED_ACCOUNTS} accounts, which is the maximum.`);
    await insertAccount(tx, owner.account_id, body.name);
    await users.insert(tx, owner.account_id, owner);
  });
}

/** Creates an account for an operator, with an invitation of its owner; returns the token of the link. */
export async function createInvited(db: Db, name: string, email: string, by: string): Promise<string> {
  const token = newToken();
  const invited = { invite_hash: hashToken(token), invite_expires_at: fromNow(INVITE_MS) };
  const owner = { ...userOf(newId(), { email, name: email.replace(/@.*/, ''), person_id: null }), ...invited };
  await db.transaction().execute(async (tx) => {
    await insertAccount(tx, owner.account_id, name);
    await users.insert(tx, owner.account_id, owner);
    await audit.insert(tx, owner.account_id, {
      ...audit.bySystem(by),
      operation: 'accountCreate',
      resource_id: owner.account_id,
      request_id: '',
    });
  });
  return token;
}

const insertAccount = (tx: Tx, account_id: string, name: string) =>
  accounts.insert(tx, { account_id, name, created_at: now(), require_second_factor: false });

const userOf = (account_id: string, person: { email: string; name: string; person_id: string | null }): UsersTable => ({
  account_id,
  user_id: newId(),
  ...person,
  role: 'OWNER',
  invite_hash: null,
  invite_expires_at: null,
  created_at: now(),
  last_seen_at: null,
});

/** Gives the session a new token, so that one that was known before does not open the other account. */
async function continueIn(
  ctx: PublicCtx,
  member: UsersTable,
  before?: (tx: Tx) => Promise<void>,
): Promise<Reply<'sessionSwitch'>> {
  const session = signedIn(ctx);
  const who = principalOf(member);
  const token = newToken();
  await write(actingAs(ctx, who), async (tx, about) => {
    about(member.account_id, { noun: 'session' });
    await before?.(tx);
    const { account_id, user_id } = member;
    await requireEntrance(tx, account_id, entranceOf(session));
    if (!(await sessions.move(tx, session, { account_id, user_id, token_hash: hashToken(token) }))) throw signInFirst();
    // The next sign-in opens the account that was used last.
    await users.update(tx, account_id, user_id, { last_seen_at: now() });
  });
  ctx.setCookie(token);
  return { session: await describe(ctx, who, session) };
}
