import type { Input, Reply } from '../../contract/operations.ts';
import { mayDropOwner } from '../../contract/states.ts';
import { fromNow, now } from '../lib/clock.ts';
import { badRequest, notFound } from '../lib/failure.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newToken } from '../lib/tokens.ts';
import type { Ctx } from '../platform/context.ts';
import type { Db, Tx, UsersTable } from '../platform/database/schema.ts';
import { forgetSecrets } from './api-keys.ts';
import { requireConfirmation } from './auth.ts';
import { INVITE_MS, refuseTakenEmail, welcomeUrl } from './invitations.ts';
import * as apiKeys from './store/api-keys.ts';
import * as audit from './store/audit.ts';
import * as factors from './store/factors.ts';
import * as people from './store/people.ts';
import * as users from './store/users.ts';
import { type About, auditEntry, write } from './write.ts';

/** Lists the members of the account, in the order they were added. */
export async function list(ctx: Ctx, _input: Input<'memberList'>): Promise<Reply<'memberList'>> {
  const members = await users.list(ctx.db, ctx.account_id);
  const having = await peopleWithFactor(ctx, ctx.db, members);
  return { members: members.map((member) => describe(member, having)) };
}

/** Invites a member. The link in the reply works once, for a week, and is not returned again. */
export async function create(ctx: Ctx, { body }: Input<'memberCreate'>): Promise<Reply<'memberCreate'>> {
  if (body.role === 'OWNER') requireConfirmation(ctx);
  const token = newToken();
  const user = {
    user_id: newId(),
    email: body.email,
    name: body.name ?? body.email.replace(/@.*/, ''),
    role: body.role,
    person_id: null,
    invite_hash: hashToken(token),
    invite_expires_at: fromNow(INVITE_MS),
    created_at: now(),
    last_seen_at: null,
  };
  await write(ctx, async (tx, about) => {
    about(user.user_id, { noun: 'account' });
    await users.insert(tx, ctx.account_id, user).catch(refuseTakenEmail);
  });
  return { member: describe(user, new Set()), invite_url: welcomeUrl(ctx.settings.addresses, token) };
}

/** Changes a member's name or role. The new role applies from their next request. */
export async function update(ctx: Ctx, { params, body }: Input<'memberUpdate'>): Promise<Reply<'memberUpdate'>> {
  if (body.role === 'OWNER') requireConfirmation(ctx);
  const member = await write(ctx, async (tx, about, note) => {
    const owners = await users.lockOwners(tx, ctx.account_id);
    const user = await get(tx, ctx, params.user_id);
    about(user.user_id, { noun: 'account' });
    if (body.role !== undefined && body.role !== 'OWNER') keepAnOwner(owners, user, 'role: ');
    const change = {
      ...(body.name !== undefined ? { name: body.name } : {}),
      ...(body.role !== undefined ? { role: body.role } : {}),
    };
    await users.update(tx, ctx.account_id, user.user_id, change);
    note(body, user, { ...user, ...change });
    return describe({ ...user, ...change }, await peopleWithFactor(ctx, tx, [user]));
  });
  return { member };
}

/**
 * Removes a member. Their sessions in the account end, and an unused invitation becomes invalid. A person without
 * another account can't sign in any more. With `revoke_keys`, the keys that they created stop working, too.
 */
export async function remove(ctx: Ctx, { params, query }: Input<'memberDelete'>): Promise<Reply<'memberDelete'>> {
  await write(ctx, async (tx, about) => {
    const owners = await users.lockOwners(tx, ctx.account_id);
    const user = await get(tx, ctx, params.user_id);
    keepAnOwner(owners, user, '');
    if (query.revoke_keys) await revokeKeys(tx, ctx, user, about);
    about(user.user_id, { noun: 'account' });
    if (user.person_id !== null) await people.lock(tx, user.person_id);
    await users.remove(tx, ctx.account_id, user.user_id);
    if (user.person_id !== null && (await people.memberships(tx, user.person_id)).length === 0)
      await people.remove(tx, user.person_id);
  });
  return {};
}

/** Revokes the keys that a member created; each has its own audit row. */
async function revokeKeys(tx: Tx, ctx: Ctx, { user_id }: UsersTable, about: About): Promise<void> {
  for (const key_id of await apiKeys.ofMember(tx, ctx.account_id, user_id)) {
    const key = await apiKeys.remove(tx, ctx.account_id, key_id);
    if (!key) continue;
    await audit.insert(tx, ctx.account_id, { ...auditEntry(ctx, key_id), operation: 'apiKeyDelete' });
    forgetSecrets(about, key);
  }
}

async function get(tx: Tx, ctx: Ctx, user_id: string): Promise<UsersTable> {
  const user = await users.find(tx, ctx.account_id, user_id);
  if (!user) throw notFound('Member');
  return user;
}

/** `owners` are the owners who can sign in. An invited owner can't, and so doesn't prevent a lockout. */
function keepAnOwner(owners: string[], user: UsersTable, field: string): void {
  if (!owners.includes(user.user_id)) return;
  const verdict = mayDropOwner(owners.length);
  if (!verdict.can) throw badRequest(field + verdict.reason);
}

/** Ids of the members' people who have a second factor; null if the caller may not know, because it shows weak spots. */
async function peopleWithFactor({ actor }: Ctx, db: Db | Tx, members: UsersTable[]): Promise<Set<string> | null> {
  if (actor.role !== 'OWNER') return null;
  return factors.having(
    db,
    members.flatMap(({ person_id }) => person_id ?? []),
  );
}

type Described = Omit<UsersTable, 'account_id'>;
const describe = (user: Described, having: Set<string> | null): Reply<'memberList'>['members'][number] => ({
  user_id: user.user_id,
  email: user.email,
  name: user.name,
  role: user.role,
  status: user.person_id === null ? 'INVITED' : 'ACTIVE',
  second_factor: having && user.person_id !== null && having.has(user.person_id),
  created_at: user.created_at,
  last_seen_at: user.last_seen_at,
});
