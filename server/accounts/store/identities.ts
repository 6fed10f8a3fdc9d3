/**
 * Users of identity providers. The key is the provider, its issuer and the subject that the provider chose: like the
 * token of a session, they identify one person of all accounts.
 */
import type { Db, IdentitiesTable, Tx } from '../../platform/database/schema.ts';

export type IdentityKey = Pick<IdentitiesTable, 'provider_id' | 'issuer' | 'subject'>;

export async function insert(tx: Tx, identity: IdentitiesTable): Promise<void> {
  await tx.insertInto('identities').values(identity).execute();
}

export async function find(db: Db | Tx, key: IdentityKey): Promise<IdentitiesTable | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('provider_id', '=', key.provider_id)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .executeTakeFirst();
}

/** The identity of a person at a provider. */
export async function ofPerson(
  db: Db | Tx,
  { provider_id, issuer }: Pick<IdentitiesTable, 'provider_id' | 'issuer'>,
  person_id: string,
): Promise<IdentitiesTable | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('issuer', '=', issuer)
    .where('person_id', '=', person_id)
    .executeTakeFirst();
}

export async function used(tx: Tx, key: IdentityKey, change: Pick<IdentitiesTable, 'email' | 'last_used_at'>) {
  await tx
    .updateTable('identities')
    .set(change)
    .where('provider_id', '=', key.provider_id)
    .where('issuer', '=', key.issuer)
    .where('subject', '=', key.subject)
    .execute();
}

/** The number of members with an identity, by provider of the account. */
export async function counts(db: Db | Tx, account_id: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('identities')
    .select(['provider_id', (row) => row.fn.count<string>('user_id').distinct().as('members')])
    .where('account_id', '=', account_id)
    .groupBy('provider_id')
    .execute();
  return new Map(rows.map(({ provider_id, members }) => [provider_id, Number(members)]));
}
