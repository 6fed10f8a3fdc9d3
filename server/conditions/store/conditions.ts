import { sql } from 'kysely';
import type { ConditionsTable, Db, Tx } from '../../platform/database/schema.ts';

/** The open conditions of a trigger. */
export async function openOf(tx: Tx, account_id: string, trigger_id: string): Promise<ConditionsTable[]> {
  return tx
    .selectFrom('conditions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('closed_at', 'is', null)
    .orderBy('key')
    .execute();
}

/** The conditions of a trigger with these keys, open or closed. */
export async function withKeys(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  keys: string[],
): Promise<ConditionsTable[]> {
  if (keys.length === 0) return [];
  return tx
    .selectFrom('conditions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('key', 'in', keys)
    .execute();
}

/** Inserts a condition, or replaces the previous occurrence. */
export async function put(tx: Tx, row: ConditionsTable): Promise<void> {
  const { account_id, trigger_id, key, ...rest } = row;
  await tx
    .insertInto('conditions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'trigger_id', 'key']).doUpdateSet(rest))
    .execute();
}

export async function update(
  tx: Tx,
  { account_id, trigger_id, key }: ConditionsTable,
  changes: Partial<Pick<ConditionsTable, 'type' | 'calm_since' | 'closed_at' | 'resource'>>,
): Promise<void> {
  await tx
    .updateTable('conditions')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('key', '=', key)
    .execute();
}

/** Deletes up to `limit` conditions that closed `days` ago; returns the number. */
export async function deleteClosed(db: Db, days: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from conditions where (account_id, trigger_id, key) in (
      select account_id, trigger_id, key from conditions where closed_at < now() - ${days} * interval '1 day'
      order by closed_at limit ${limit} for update skip locked)
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
