import type { Db, IdentityProvidersTable, Tx } from '../../platform/database/schema.ts';

export type Change = Partial<Omit<IdentityProvidersTable, 'account_id' | 'provider_id' | 'issuer' | 'created_at'>>;

export async function insert(tx: Tx, provider: IdentityProvidersTable): Promise<void> {
  await tx.insertInto('identity_providers').values(provider).execute();
}

/** The providers of the account, in the order they were added. */
export async function list(db: Db | Tx, account_id: string): Promise<IdentityProvidersTable[]> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('provider_id')
    .execute();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  provider_id: string,
): Promise<IdentityProvidersTable | undefined> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('provider_id', '=', provider_id)
    .executeTakeFirst();
}

/** The enabled provider with this id, in any account: the caller is not signed in yet. */
export async function withId(db: Db, provider_id: string): Promise<IdentityProvidersTable | undefined> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('enabled', '=', true)
    .executeTakeFirst();
}

/** The enabled providers, in any account, that accept email addresses of this domain. */
export async function withDomain(db: Db, domain: string): Promise<IdentityProvidersTable[]> {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('enabled', '=', true)
    .where('allowed_domains', 'like', `%"${domain.replaceAll(/[\\%_]/g, '\\$&')}"%`)
    .orderBy('provider_id')
    .limit(20)
    .execute();
}

export async function update(tx: Tx, account_id: string, provider_id: string, change: Change): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx
    .updateTable('identity_providers')
    .set(change)
    .where('account_id', '=', account_id)
    .where('provider_id', '=', provider_id)
    .execute();
}

/** Deletes a provider, with the identities of its users and the sessions that it opened. */
export async function remove(tx: Tx, account_id: string, provider_id: string): Promise<void> {
  await tx
    .deleteFrom('identities')
    .where('account_id', '=', account_id)
    .where('provider_id', '=', provider_id)
    .execute();
  await endSessions(tx, account_id, provider_id);
  await tx
    .deleteFrom('identity_providers')
    .where('account_id', '=', account_id)
    .where('provider_id', '=', provider_id)
    .execute();
}

/** Ends the sessions that the provider opened. */
export async function endSessions(tx: Tx, account_id: string, provider_id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('account_id', '=', account_id).where('provider_id', '=', provider_id).execute();
}
