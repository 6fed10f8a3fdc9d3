/**
 * Which member a user of an identity provider is. The subject at the issuer decides. At the first sign-in, it is linked
 * by the verified email address, and only if the address belongs to an allowed domain:
 *
 * - a provider of an account: to the member of the account with this address. A new or invited member becomes a person
 *   whom the account manages, although the address may belong to another person elsewhere. A member who signs in
 *   without the provider so far confirms the link once;
 * - a provider of the installation: to the person with this address, who confirms the link if they have a password.
 *
 * An address that is linked to another subject is refused: a mailbox may have a new owner.
 */
import { Name } from '../../../contract/fields.ts';
import { ROLES, type Role } from '../../../contract/states.ts';
import { now } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { PeopleTable, Tx, UsersTable } from '../../platform/database/schema.ts';
import type { PublicCtx } from '../auth.ts';
import * as accounts from '../store/accounts.ts';
import * as audit from '../store/audit.ts';
import * as identities from '../store/identities.ts';
import * as people from '../store/people.ts';
import * as users from '../store/users.ts';
import { hasOwnSignIn } from './entrance.ts';
import { at, type Claims, SignInRefused } from './protocol.ts';
import type { Provider } from './provider.ts';

/** `isConfirmed`: false if the person has to confirm the link; nothing has changed then. */
export type Admission = { person_id: string; user: UsersTable; email: string; isConfirmed: boolean };

/** Finds or creates the member. Throws SignInRefused. */
export async function admit(ctx: PublicCtx, tx: Tx, provider: Provider, claims: Claims): Promise<Admission> {
  await accounts.lock(tx, provider.account_id);
  const email = addressOf(provider, claims);
  const known = await identities.find(tx, keyOf(provider, claims));
  if (known) {
    const { person_id, account_id, user_id } = known;
    const user = account_id && user_id ? await users.find(tx, account_id, user_id) : await lastUsed(tx, person_id);
    if (!user) throw notMember(provider, email);
    await identities.used(tx, known, { email, last_used_at: now() });
    return { person_id, user: await withRole(ctx, tx, provider, user, claims), email, isConfirmed: true };
  }
  const found = await (provider.owner === null ? ofInstallation : ofAccount)(ctx, tx, provider, email, claims);
  if (!found.isConfirmed) return { ...found, email };
  return { ...found, email, user: await link(ctx, tx, provider, { ...found, email, claims }) };
}

/** Links the identity, applies the role mapping and returns the member. */
export async function link(
  ctx: PublicCtx,
  tx: Tx,
  provider: Provider,
  { person_id, user, email, claims }: Pick<Admission, 'person_id' | 'user' | 'email'> & { claims: RoleClaims },
): Promise<UsersTable> {
  const at = now();
  const ofOwner = provider.owner === null ? { account_id: null, user_id: null } : user;
  await identities.insert(tx, {
    ...keyOf(provider, claims),
    person_id,
    account_id: ofOwner.account_id,
    user_id: ofOwner.user_id,
    email,
    created_at: at,
    last_used_at: at,
  });
  return withRole(ctx, tx, provider, user, claims);
}

type RoleClaims = Pick<Claims, 'subject' | 'all'>;

/** The key of the identity. */
export const keyOf = ({ provider_id, issuer }: Provider, { subject }: Pick<Claims, 'subject'>) => ({
  provider_id,
  issuer,
  subject,
});

/** The domain of an email address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

function addressOf({ name, allowed_domains }: Provider, { email, isUnverified }: Claims): string {
  if (isUnverified)
    throw new SignInRefused(`${name} did not verify your email address. Verify it there, then sign in again.`);
  if (email === undefined) throw new SignInRefused(`${name} did not send a verified email address.`);
  const domain = domainOf(email);
  if (allowed_domains.includes(domain)) return email;
  throw withEmail(new SignInRefused(`${name} is not set up here for addresses of ${domain}.`), email);
}

type Found = Pick<Admission, 'person_id' | 'user' | 'isConfirmed'>;

async function ofAccount(ctx: PublicCtx, tx: Tx, provider: Provider, email: string, claims: Claims): Promise<Found> {
  const member = await users.withEmail(tx, provider.account_id, email);
  if (!member || member.person_id === null) return join(ctx, tx, provider, { member, email, claims });
  const { person_id } = member;
  await refuseOtherSubject(tx, provider, person_id, email);
  const person = await people.find(tx, person_id);
  return { person_id, user: member, isConfirmed: person?.account_id === provider.account_id };
}

async function ofInstallation(
  ctx: PublicCtx,
  tx: Tx,
  provider: Provider,
  email: string,
  claims: Claims,
): Promise<Found> {
  const person = await people.withEmail(tx, email);
  if (person) {
    const { person_id } = person;
    await refuseOtherSubject(tx, provider, person_id, email);
    const user = await lastUsed(tx, person_id);
    if (!user) throw notMember(provider, email);
    return { person_id, user, isConfirmed: !hasOwnSignIn(person) };
  }
  const member = await users.withEmail(tx, provider.account_id, email);
  if (!member || member.person_id === null) return join(ctx, tx, provider, { member, email, claims });
  throw withEmail(new SignInRefused(`${email} signs in through an identity provider of the account.`), email);
}

/** Creates the person of an invited member, or of a new one if the provider may. */
async function join(
  ctx: PublicCtx,
  tx: Tx,
  provider: Provider,
  { member, email, claims }: { member: UsersTable | undefined; email: string; claims: Claims },
): Promise<Found> {
  if (!member && !provider.creates_members) throw notMember(provider, email);
  const created_at = now();
  const person: PeopleTable = {
    person_id: newId(),
    email,
    password_hash: null,
    reset_hash: null,
    reset_expires_at: null,
    reset_by_operator: null,
    created_at,
    account_id: provider.owner,
  };
  await people.insert(tx, person);
  const { person_id } = person;
  const accepted = { person_id, invite_hash: null, invite_expires_at: null };
  if (member) {
    await users.update(tx, provider.account_id, member.user_id, accepted);
    return { person_id, user: { ...member, ...accepted }, isConfirmed: true };
  }
  const name = Name.safeParse(claims.name?.slice(0, 100));
  const user: UsersTable = {
    account_id: provider.account_id,
    user_id: newId(),
    email,
    name: name.success ? name.data : email.replace(/@.*/, ''),
    role: provider.default_role,
    ...accepted,
    created_at,
    last_seen_at: null,
  };
  await users.insert(tx, provider.account_id, user);
  await record(ctx, tx, provider, user, 'memberCreate');
  return { person_id, user, isConfirmed: true };
}

/** The role that the provider's claim gives; undefined without a mapping. */
export function roleOf(provider: Provider, claims: Record<string, unknown>): Role | undefined {
  if (provider.role_claim === null) return undefined;
  const values = [at(claims, provider.role_claim)].flat().filter((value) => typeof value === 'string');
  const given = provider.role_mapping.filter(({ value }) => values.includes(value)).map(({ role }) => role);
  return ROLES.find((role) => given.includes(role)) ?? provider.default_role;
}

/** Applies the role mapping. The last owner stays one. */
async function withRole(
  ctx: PublicCtx,
  tx: Tx,
  provider: Provider,
  user: UsersTable,
  { all }: Pick<Claims, 'all'>,
): Promise<UsersTable> {
  const role = user.account_id === provider.account_id ? roleOf(provider, all) : undefined;
  if (role === undefined || role === user.role) return user;
  if (user.role === 'OWNER') {
    const owners = await users.lockOwners(tx, user.account_id);
    if (owners.every((owner) => owner === user.user_id)) return user;
  }
  await users.update(tx, user.account_id, user.user_id, { role });
  await record(ctx, tx, provider, user, 'memberUpdate');
  return { ...user, role };
}

function record(ctx: PublicCtx, tx: Tx, provider: Provider, user: UsersTable, operation: string): Promise<void> {
  return audit.insert(tx, user.account_id, {
    ...audit.bySystem(provider.name),
    operation,
    resource_id: user.user_id,
    request_id: ctx.request_id,
    ip: ctx.ip,
  });
}

async function lastUsed(tx: Tx, person_id: string): Promise<UsersTable | undefined> {
  return (await people.memberships(tx, person_id))[0];
}

async function refuseOtherSubject(tx: Tx, provider: Provider, person_id: string, email: string): Promise<void> {
  if (!(await identities.ofPerson(tx, provider, person_id))) return;
  const words = `${provider.name} now has another user with the address ${email}. An owner has to remove the member first.`;
  throw withEmail(new SignInRefused(words), email);
}

const notMember = ({ name }: Provider, email: string) =>
  withEmail(
    new SignInRefused(`${email} is not a member. Ask an owner to invite you, then continue with ${name}.`),
    email,
  );

function withEmail(refusal: SignInRefused, email: string): SignInRefused {
  refusal.email = email;
  return refusal;
}
