/**
 * The first start on an empty database creates one account with one owner. The owner comes from the settings
 * (SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD), or is invited: every start prints the one-time link until it is used.
 * The link's token is derived from the vault's key, so all starts and all nodes print the same link. SLUICE_API_KEY
 * becomes the account's first key. An advisory lock serializes nodes that start at once.
 */
import { Email, Password } from '../../contract/account.ts';
import { fromNow, now } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, prefixOf } from '../lib/tokens.ts';
import type { Services } from '../platform/context.ts';
import { Refusal } from '../platform/database/refusal.ts';
import type { Tx } from '../platform/database/schema.ts';
import { INVITE_MS, welcomeUrl } from './invitations.ts';
import { hashPassword, isGuessable } from './passwords.ts';
import * as accounts from './store/accounts.ts';
import * as apiKeys from './store/api-keys.ts';
import * as audit from './store/audit.ts';
import * as people from './store/people.ts';
import * as users from './store/users.ts';

/** SLUICE_ADMIN_EMAIL, SLUICE_ADMIN_PASSWORD and SLUICE_API_KEY. */
export type FirstSettings = {
  email: string | undefined;
  password: string | undefined;
  apiKey: string | undefined;
};

/**
 * Creates the account if none exists. Returns the one-time link of the owner while it is unused, otherwise null.
 * Throws a `Refusal` that names the setting if one is invalid.
 */
export async function firstStart(services: Services, first: FirstSettings): Promise<string | null> {
  return services.db.transaction().execute(async (tx) => {
    await accounts.lockFirstStart(tx);
    if (!(await accounts.any(tx))) await makeAccount(tx, await checked(first));
    return inviteOwner(tx, services);
  });
}

async function makeAccount(tx: Tx, { owner, apiKey }: Checked): Promise<void> {
  const account_id = newId();
  await accounts.insert(tx, { account_id, name: 'My account', created_at: now(), require_second_factor: false });
  const user_id = newId();
  const person = owner && {
    person_id: newId(),
    email: owner.email,
    password_hash: await hashPassword(owner.password),
    reset_hash: null,
    reset_expires_at: null,
    created_at: now(),
  };
  if (person) await people.insert(tx, person);
  await users.insert(tx, account_id, {
    user_id,
    email: owner?.email ?? null,
    name: owner?.email.replace(/@.*/, '') ?? 'Administrator',
    role: 'OWNER',
    person_id: person?.person_id ?? null,
    invite_hash: null,
    invite_expires_at: null,
    created_at: now(),
    last_seen_at: null,
  });
  await record(tx, account_id, 'memberCreate', user_id);
  if (apiKey === undefined) return;
  const key_id = newId();
  await apiKeys.insert(tx, account_id, {
    key_id,
    name: 'First key',
    prefix: prefixOf(apiKey),
    hash: hashToken(apiKey),
    created_by: ACTOR.actor_name,
    created_by_type: ACTOR.actor_type,
    created_by_name: ACTOR.actor_name,
    created_at: now(),
    expires_at: null,
    limits: null,
  });
  await record(tx, account_id, 'apiKeyCreate', key_id);
}

async function inviteOwner(tx: Tx, { vault, settings }: Services): Promise<string | null> {
  const owner = await users.unnamedOwner(tx);
  if (!owner) return null;
  const token = vault.hmac('welcome', owner.user_id);
  const change = { invite_hash: hashToken(token), invite_expires_at: fromNow(INVITE_MS) };
  await users.update(tx, owner.account_id, owner.user_id, change);
  return welcomeUrl(settings.addresses, token);
}

const ACTOR = audit.bySystem('First start');

async function record(tx: Tx, account_id: string, operation: string, resource_id: string): Promise<void> {
  await audit.insert(tx, account_id, { operation, resource_id, ...ACTOR });
}

type Checked = { owner: { email: string; password: string } | undefined; apiKey: string | undefined };

async function checked({ email, password, apiKey }: FirstSettings): Promise<Checked> {
  if (apiKey !== undefined && !/^[A-Za-z0-9_-]{20,200}$/.test(apiKey))
    throw refusal('SLUICE_API_KEY: expected 20 to 200 characters of A-Z, a-z, 0-9, _ and -');
  if (email === undefined && password === undefined) return { owner: undefined, apiKey };
  if (email === undefined) throw refusal('SLUICE_ADMIN_EMAIL: required because SLUICE_ADMIN_PASSWORD is set');
  if (password === undefined) throw refusal('SLUICE_ADMIN_PASSWORD: required because SLUICE_ADMIN_EMAIL is set');
  const goodEmail = Email.safeParse(email);
  if (!goodEmail.success) throw refusal(`SLUICE_ADMIN_EMAIL: ${goodEmail.error.issues[0]?.message}`);
  const goodPassword = Password.safeParse(password);
  if (!goodPassword.success) throw refusal(`SLUICE_ADMIN_PASSWORD: ${goodPassword.error.issues[0]?.message}`);
  if (await isGuessable(password, [email]))
    throw refusal('SLUICE_ADMIN_PASSWORD: too easy to guess; expected for example a few random words');
  return { owner: { email: goodEmail.data, password: goodPassword.data }, apiKey };
}

const refusal = (message: string) => new Refusal(message, 'Settings are described in docs/reference/operating.md.');
