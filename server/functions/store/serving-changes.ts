/** Functions whose serving version or visibility changed, until saved searches are compared with the change. */
import { sql } from 'kysely';
import { newId } from '../../lib/ids.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { ServingChangesTable } from '../../platform/database/tables/function-tables.ts';

/**
 * Notes, before the change and in its transaction, what serves until now. Of several changes the first is kept, so that
 * they are compared once. Without saved searches, nothing is noted.
 */
export async function noteServing(tx: Tx, account_id: string, function_id: string, isNew: boolean): Promise<void> {
  const before = isNew ? sql`null::int, null::text` : sql`f.version, f.visibility`;
  await sql`
    insert into serving_changes (account_id, function_id, change_id, from_version, from_visibility, changed_at, due_at, attempts)
    select f.account_id, f.function_id, ${newId()}::uuid, ${before}, clock_timestamp(), now(), 0 from functions f
    where f.account_id = ${account_id} and f.function_id = ${function_id} and exists (select from saved_searches)
    on conflict (account_id, function_id) do update set changed_at = clock_timestamp()
  `.execute(tx);
}

/** Takes the change that is due for the longest time; it is due again after `leaseMs`, if the node fails. */
export async function takeDue(db: Db, leaseMs: number): Promise<ServingChangesTable | undefined> {
  const { rows } = await sql<ServingChangesTable>`
    update serving_changes c set due_at = now() + ${leaseMs} * interval '1 millisecond', attempts = c.attempts + 1
    from (
      select account_id, function_id from serving_changes where due_at <= now()
      order by due_at limit 1 for update skip locked
    ) as due
    where c.account_id = due.account_id and c.function_id = due.function_id
    returning c.*
  `.execute(db);
  return rows[0];
}

/** Locks a change that was taken; undefined if another node has completed it. */
export async function lockTaken(tx: Tx, taken: ServingChangesTable): Promise<ServingChangesTable | undefined> {
  const { rows } = await sql<ServingChangesTable>`
    select * from serving_changes
    where account_id = ${taken.account_id} and function_id = ${taken.function_id} and change_id = ${taken.change_id}
      and from_version is not distinct from ${taken.from_version}
      and from_visibility is not distinct from ${taken.from_visibility}
    for update
  `.execute(tx);
  return rows[0];
}

/** Removes a change that was compared. One that came meanwhile is due now, from what was compared. */
export async function complete(
  tx: Tx,
  { account_id, function_id, changed_at }: ServingChangesTable,
  current: ServingChangesTable,
  compared: { version: number; visibility: string },
): Promise<void> {
  if (current.changed_at === changed_at) {
    await tx
      .deleteFrom('serving_changes')
      .where('account_id', '=', account_id)
      .where('function_id', '=', function_id)
      .execute();
    return;
  }
  await sql`
    update serving_changes set change_id = ${newId()}, from_version = ${compared.version},
      from_visibility = ${compared.visibility}, due_at = now(), attempts = 0
    where account_id = ${account_id} and function_id = ${function_id}
  `.execute(tx);
}

/** The change is due again after this time. */
export async function retryIn(db: Db, { account_id, function_id }: ServingChangesTable, ms: number): Promise<void> {
  await sql`
    update serving_changes set due_at = now() + ${ms} * interval '1 millisecond'
    where account_id = ${account_id} and function_id = ${function_id}
  `.execute(db);
}
