/** The second factors of the signed-in person, and the rules for every change of one. */
import type { Input, Reply } from '../../../contract/operations.ts';
import type { Operation } from '../../../contract/routes.ts';
import { conflict } from '../../lib/failure.ts';
import type { Db, PasskeysTable, Tx } from '../../platform/database/schema.ts';
import { actingAs, type PublicCtx, requireConfirmation, type SignedIn } from '../auth.ts';
import { signedIn } from '../sessions.ts';
import * as audit from '../store/audit.ts';
import * as authenticators from '../store/authenticators.ts';
import * as factors from '../store/factors.ts';
import * as passkeys from '../store/passkeys.ts';
import * as people from '../store/people.ts';
import * as sessions from '../store/sessions.ts';
import { type About, write } from '../write.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { relyingParty } from './relying-party.ts';

/** Lists the second factors of the signed-in person. */
export async function list(ctx: PublicCtx, _input: Input<'factorList'>): Promise<Reply<'factorList'>> {
  const { person_id } = signedIn(ctx);
  const app = await authenticators.find(ctx.db, person_id);
  const person = await people.find(ctx.db, person_id);
  return {
    passkeys: (await passkeys.list(ctx.db, person_id)).map(describePasskey),
    passkeys_unavailable: relyingParty(ctx.settings.addresses).unavailable ?? null,
    authenticator: app?.confirmed_at ? { created_at: app.confirmed_at, last_used_at: app.last_used_at } : null,
    recovery_codes_left: await authenticators.codesLeft(ctx.db, person_id),
    required_by: await factors.requiredBy(ctx.db, person_id),
    has_password: person !== undefined && person.password_hash !== null,
  };
}

export const describePasskey = (passkey: PasskeysTable): Reply<'passkeyUpdate'>['passkey'] => ({
  passkey_id: passkey.passkey_id,
  name: passkey.name,
  synced: passkey.synced,
  created_at: passkey.created_at,
  last_used_at: passkey.last_used_at,
});

/** The signed-in person, who confirmed their password or passkey recently. Changes of factors begin with it. */
export function confirmedPerson(ctx: PublicCtx): SignedIn {
  const who = signedIn(ctx);
  requireConfirmation(who);
  return who;
}

type Change<T> = (tx: Tx, about: About, hadFactor: boolean) => Promise<T>;

/** Changes factors of the signed-in person, one change at a time per person, with its audit row. */
export async function changeFactors<T>(ctx: PublicCtx, change: Change<T>): Promise<T> {
  const who = confirmedPerson(ctx);
  return write(actingAs(ctx, who), async (tx, about) => {
    await people.lock(tx, who.person_id);
    return change(tx, about, await hasFactor(tx, who.person_id));
  });
}

/**
 * Adds a factor. The first one comes with recovery codes, which are returned, and ends the person's other sessions:
 * they were opened without it.
 */
export async function addFactor(
  ctx: PublicCtx,
  add: (tx: Tx, about: About) => Promise<void>,
): Promise<{ recovery_codes: string[] | null }> {
  const { person_id, session_id } = signedIn(ctx);
  const recovery_codes = await changeFactors(ctx, async (tx, about, hadFactor) => {
    await add(tx, about);
    if (hadFactor) return null;
    await sessions.removeOthers(tx, person_id, { kept: session_id });
    return newRecoveryCodes(tx, person_id);
  });
  return { recovery_codes };
}

/**
 * Removes a factor and ends the person's other sessions, which may have been opened with it. The last factor takes the
 * recovery codes with it. 409 if it is the last one and an account requires one.
 */
export async function removeFactor(ctx: PublicCtx, remove: (tx: Tx, about: About) => Promise<void>): Promise<void> {
  const { person_id, session_id } = signedIn(ctx);
  await changeFactors(ctx, async (tx, about) => {
    await remove(tx, about);
    await sessions.removeOthers(tx, person_id, { kept: session_id });
    if (await hasFactor(tx, person_id)) return;
    const [account] = await factors.requiredBy(tx, person_id);
    if (account !== undefined)
      throw conflict(`${account} requires a second factor, and this is your last one: add another one first`);
    await authenticators.replaceCodes(tx, person_id, []);
  });
}

/** Replaces the recovery codes of the signed-in person. 409 without a second factor. */
export async function replaceRecoveryCodes(
  ctx: PublicCtx,
  _input: Input<'recoveryCodeCreate'>,
): Promise<Reply<'recoveryCodeCreate'>> {
  const { person_id } = signedIn(ctx);
  const recovery_codes = await changeFactors(ctx, async (tx, about, hadFactor) => {
    about(person_id, { noun: 'session' });
    if (!hadFactor) throw conflict('Set up a passkey or an authenticator app first: it comes with recovery codes.');
    return newRecoveryCodes(tx, person_id);
  });
  return { recovery_codes };
}

/**
 * Removes all second factors of the person with this email address and ends their sessions, for an operator. Returns
 * how many factors were removed; null if no active member has the address.
 */
export async function removeAll(db: Db, email: string, by: { name: string }): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const found = await people.withEmail(tx, email);
    const person = found && (await people.lock(tx, found.person_id));
    const members = person ? await people.memberships(tx, person.person_id) : [];
    if (!person || members.length === 0) return null;
    const { person_id } = person;
    const removed: { operation: Operation; resource_id: string }[] = [];
    for (const { passkey_id } of await passkeys.list(tx, person_id)) {
      await passkeys.remove(tx, person_id, passkey_id);
      removed.push({ operation: 'passkeyDelete', resource_id: passkey_id });
    }
    if (await authenticators.remove(tx, person_id))
      removed.push({ operation: 'authenticatorDelete', resource_id: person_id });
    await authenticators.replaceCodes(tx, person_id, []);
    await sessions.removeOthers(tx, person_id, { kept: null });
    for (const { account_id } of members)
      for (const each of removed) await audit.insert(tx, account_id, { ...audit.bySystem(by.name), ...each });
    return removed.length;
  });
}

const hasFactor = async (tx: Tx, person_id: string) => (await factors.having(tx, [person_id])).has(person_id);
