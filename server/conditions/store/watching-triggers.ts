/** Enabled triggers of the source `sluice` as a queue: `next_poll_at` is the time of the next evaluation. */
import { sql } from 'kysely';
import type { Db, TriggersTable, Tx } from '../../platform/database/schema.ts';

/** Locks one trigger of any account that is due, and skips those that another node evaluates. */
export async function lockDue(tx: Tx): Promise<TriggersTable | undefined> {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .where('source', '=', 'sluice')
    .where('next_poll_at', '<=', sql<string>`now()`)
    .orderBy('next_poll_at')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Makes the triggers of these accounts due. */
export async function makeDue(db: Db, account_ids: string[]): Promise<void> {
  await sql`
    with locked as (
      select account_id, trigger_id from triggers
      where source = 'sluice' and next_poll_at > now() and account_id = any(${account_ids}::uuid[])
      order by trigger_id for no key update
    )
    update triggers t set next_poll_at = now() from locked
    where t.account_id = locked.account_id and t.trigger_id = locked.trigger_id
  `.execute(db);
}

/** Sets the time of the next evaluation, unless the trigger was disabled. */
export async function evaluateIn(
  db: Db | Tx,
  { account_id, trigger_id }: Pick<TriggersTable, 'account_id' | 'trigger_id'>,
  ms: number,
): Promise<void> {
  await sql`
    update triggers set next_poll_at = now() + ${ms} * interval '1 millisecond'
    where account_id = ${account_id} and trigger_id = ${trigger_id} and next_poll_at is not null
  `.execute(db);
}

/** Milliseconds until the next evaluation for any account; null without one. */
export async function untilNext(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_poll_at) - now()) * 1000)::float8 as ms from triggers
    where source = 'sluice' and next_poll_at is not null
  `.execute(db);
  return rows[0]?.ms ?? null;
}
