/** Which people have a second factor: a passkey, or an authenticator app that was confirmed. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';

/** The condition that the person whose id is in a column has a factor. */
export const hasFactor = (column: 'p.person_id' | 's.person_id'): RawBuilder<boolean> => sql<boolean>`(
  exists (select from passkeys as k where k.person_id = ${sql.ref(column)})
  or exists (select from authenticators as t where t.person_id = ${sql.ref(column)} and t.confirmed_at is not null))`;

/** Those of the people who have a second factor. */
export async function having(db: Db | Tx, person_ids: string[]): Promise<Set<string>> {
  if (person_ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('people as p')
    .select('p.person_id')
    .where('p.person_id', 'in', person_ids)
    .where(hasFactor('p.person_id'))
    .execute();
  return new Set(rows.map(({ person_id }) => person_id));
}

/** Names of the person's accounts that require a second factor. */
export async function requiredBy(db: Db | Tx, person_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.account_id', 'u.account_id')
    .select('a.name')
    .where('u.person_id', '=', person_id)
    .where('a.require_second_factor', '=', true)
    .orderBy('a.name')
    .execute();
  return rows.map(({ name }) => name);
}
