import { sql } from 'kysely';
import type { Db, SourceHooksTable, Tx } from '../../platform/database/schema.ts';

export type SourceHook = SourceHooksTable;
type Changes = Partial<Omit<SourceHook, 'account_id' | 'hook_id' | 'trigger_id'>>;

export async function insert(tx: Tx, account_id: string, hook: Omit<SourceHook, 'account_id'>): Promise<void> {
  await tx
    .insertInto('source_hooks')
    .values({ account_id, ...hook })
    .execute();
}

/** The registrations of these triggers, including those being removed. */
export async function listOf(db: Db | Tx, account_id: string, trigger_ids: string[]): Promise<SourceHook[]> {
  if (trigger_ids.length === 0) return [];
  return db
    .selectFrom('source_hooks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', 'in', trigger_ids)
    .orderBy('hook_id')
    .execute();
}

/** One registration; locks the row until the transaction ends. */
export async function lock(tx: Tx, account_id: string, hook_id: string): Promise<SourceHook | undefined> {
  return tx
    .selectFrom('source_hooks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('hook_id', '=', hook_id)
    .forUpdate()
    .executeTakeFirst();
}

export async function update(tx: Tx, account_id: string, hook_id: string, changes: Changes): Promise<void> {
  await tx
    .updateTable('source_hooks')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('hook_id', '=', hook_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, hook_id: string): Promise<void> {
  await tx.deleteFrom('source_hooks').where('account_id', '=', account_id).where('hook_id', '=', hook_id).execute();
}

/** Leases due rows of all accounts until `until`. A row whose earlier lease expired counts as tried. */
export async function claim(db: Db, until: string, limit: number): Promise<SourceHook[]> {
  const { rows } = await sql<SourceHook>`
    update source_hooks h set next_at = ${until}::timestamptz, leased = true,
      tries = case when h.leased then greatest(h.tries, 1) else h.tries end
    from (
      select account_id, hook_id from source_hooks where next_at <= now() order by next_at limit ${limit}
      for update skip locked
    ) due
    where h.account_id = due.account_id and h.hook_id = due.hook_id
    returning h.*
  `.execute(db);
  return rows;
}

/** Releases all leases, for a caller that knows that they have no owner. */
export async function freeAll(db: Db): Promise<void> {
  await db
    .updateTable('source_hooks')
    .set({ next_at: sql<string>`now()` })
    .where('leased', '=', true)
    .where('next_at', 'is not', null)
    .execute();
}

/** Milliseconds until the next row of any account is due; null without one. */
export async function untilNext(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_at) - now()) * 1000)::float8 as ms from source_hooks where next_at is not null
  `.execute(db);
  return rows[0]?.ms ?? null;
}
