import { sql } from 'kysely';
import { now } from '../../lib/clock.ts';
import type { ConnectionsTable, Db, Tx } from '../../platform/database/schema.ts';

/** How often the connections of an app are checked; 0 for never. */
export async function minutesOfApp(db: Db | Tx, account_id: string, app: string): Promise<number> {
  const row = await db
    .selectFrom('app_checks')
    .select('every_minutes')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .executeTakeFirst();
  return row?.every_minutes ?? 0;
}

export async function putApp(tx: Tx, account_id: string, app: string, every_minutes: number): Promise<void> {
  const changes = { every_minutes, updated_at: now() };
  await tx
    .insertInto('app_checks')
    .values({ account_id, app, ...changes })
    .onConflict((conflict) => conflict.columns(['account_id', 'app']).doUpdateSet(changes))
    .execute();
}

/** Sets the next checks of the app's connections without their own setting at random times within the interval. */
export async function spread(tx: Tx, account_id: string, app: string, every_minutes: number): Promise<void> {
  await sql`
    update connections set check_at = case when ${every_minutes}::int > 0
      then now() + random() * make_interval(mins => ${every_minutes}::int) end
    where account_id = ${account_id} and app = ${app} and check_every_minutes is null
  `.execute(tx);
}

/** Leases due ACTIVE connections of all accounts until `until`: the most overdue first, at most `each` per app. */
export async function claim(
  db: Db,
  until: string,
  { limit, each }: { limit: number; each: number },
): Promise<ConnectionsTable[]> {
  const { rows } = await sql<ConnectionsTable>`
    with due as (
      select account_id, connection_id, check_at,
        row_number() over (partition by account_id, app order by check_at) as place
      from connections where check_at <= now() and status = 'ACTIVE'
    ), locked as (
      select c.account_id, c.connection_id from connections c
      where c.check_at <= now() and c.status = 'ACTIVE' and (c.account_id, c.connection_id) in (
        select account_id, connection_id from due where place <= ${each} order by check_at limit ${limit})
      for no key update of c skip locked
    )
    update connections c set check_at = ${until}::timestamptz from locked
    where c.account_id = locked.account_id and c.connection_id = locked.connection_id
    returning c.*
  `.execute(db);
  return rows;
}

/** Stores the result of a check, unless the connection was completed again or deleted meanwhile. */
export async function finish(
  db: Db,
  { account_id, connection_id, completed_at }: ConnectionsTable,
  changes: Partial<Pick<ConnectionsTable, 'check_at' | 'check_result' | 'check_failures'>>,
): Promise<void> {
  await db
    .updateTable('connections')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .where('completed_at', 'is not distinct from', completed_at)
    .execute();
}

/** The time of the next check in any account. */
export async function nextAt(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('connections')
    .select((e) => e.fn.min('check_at').as('next'))
    .where('check_at', 'is not', null)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  return row?.next ?? null;
}

export type Denied = { account_id: string; connection_id: string; denied: number; reset: boolean };

/**
 * Adds calls that got 401 or 403 to the connection's count of consecutive ones, or sets it to them if another response
 * arrived before. Returns the connections whose count passed `min` in either direction.
 */
export async function countDenied(
  db: Db,
  denied: readonly Denied[],
  min: number,
): Promise<Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'status'>[]> {
  const { rows } = await sql<Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'status'>>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(denied)}::json)
        as d(account_id uuid, connection_id uuid, denied int, reset boolean)
    ), locked as (
      select c.account_id, c.connection_id, c.denied_calls as before,
        case when g.reset then g.denied else c.denied_calls + g.denied end as after
      from connections c join given g using (account_id, connection_id)
      where g.denied > 0 or c.denied_calls > 0
      order by c.connection_id for no key update of c
    )
    update connections c set denied_calls = locked.after from locked
    where c.account_id = locked.account_id and c.connection_id = locked.connection_id
    returning c.account_id, c.connection_id, c.status, (locked.before >= ${min}) <> (locked.after >= ${min}) as passed
  `.execute(db);
  return rows.filter((row) => (row as { passed?: boolean }).passed);
}
