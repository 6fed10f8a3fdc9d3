import { sql } from 'kysely';
import type { ConnectionsTable, Db, Tx } from '../../platform/database/schema.ts';

export async function insert(tx: Tx, account_id: string, row: Omit<ConnectionsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('connections')
    .values({ account_id, ...row })
    .execute();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  connection_id: string,
): Promise<ConnectionsTable | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .executeTakeFirst();
}

/** Like `find`; locks the row until the transaction ends, for a change that depends on its state. */
export async function lock(tx: Tx, account_id: string, connection_id: string): Promise<ConnectionsTable | undefined> {
  return tx
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * The connection of a gateway call that names none: the ACTIVE default, else the oldest ACTIVE one. With `without`, as
 * if that one did not exist.
 */
export async function findForApp(
  db: Db,
  account_id: string,
  app: string,
  without?: string,
): Promise<ConnectionsTable | undefined> {
  const active = db
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('status', '=', 'ACTIVE');
  return (without === undefined ? active : active.where('connection_id', '<>', without))
    .orderBy('is_default', 'desc')
    .orderBy('connection_id')
    .limit(1)
    .executeTakeFirst();
}

export async function update(
  tx: Tx,
  account_id: string,
  connection_id: string,
  changes: Partial<Omit<ConnectionsTable, 'account_id' | 'connection_id'>>,
): Promise<void> {
  await tx
    .updateTable('connections')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .execute();
}

/** Like `update`, unless the credentials were replaced meanwhile. */
export async function updateIf(
  tx: Tx,
  account_id: string,
  connection_id: string,
  credentials: string | null,
  changes: Partial<Omit<ConnectionsTable, 'account_id' | 'connection_id'>>,
): Promise<void> {
  await tx
    .updateTable('connections')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .where('credentials', 'is not distinct from', credentials)
    .where('status', '=', 'ACTIVE')
    .execute();
}

/**
 * Adds 401 responses to the connection's count, or sets the count to them if another response arrived before; returns
 * the new count. Undefined if the connection is no longer ACTIVE with these credentials. Clears `unconfirmed` after a
 * 2xx.
 */
export async function countRefusals(
  db: Db,
  account_id: string,
  connection_id: string,
  completed_at: string | null,
  { refused, isReset, isConfirmed }: { refused: number; isReset: boolean; isConfirmed: boolean },
): Promise<number | undefined> {
  const row = await db
    .updateTable('connections')
    .set((e) => ({
      refusals: isReset ? refused : e('refusals', '+', refused),
      ...(isConfirmed ? { unconfirmed: null } : {}),
    }))
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .where('completed_at', 'is not distinct from', completed_at)
    .where('status', '=', 'ACTIVE')
    .returning('refusals')
    .executeTakeFirst();
  return row?.refusals;
}

/** Connections of all accounts whose refresh is due: the most overdue first, at most `each` per app. */
export async function dueForRefresh(
  db: Db,
  at: string,
  { limit, each }: { limit: number; each: number },
): Promise<ConnectionsTable[]> {
  return db
    .with('due', (q) =>
      q
        .selectFrom('connections')
        .selectAll()
        .select(sql<number>`row_number() over (partition by account_id, app order by refresh_at)`.as('place'))
        .where('refresh_at', '<=', at),
    )
    .selectFrom('due')
    .selectAll()
    .where('place', '<=', each)
    .orderBy('refresh_at')
    .limit(limit)
    .execute();
}

/** The time of the next refresh in any account. */
export async function nextRefreshAt(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('connections')
    .select((e) => e.fn.min('refresh_at').as('next'))
    .where('refresh_at', 'is not', null)
    .executeTakeFirst();
  return row?.next ?? null;
}

/** Removes the connection from the refresh schedule. */
export async function dontRefresh(db: Db, account_id: string, connection_id: string): Promise<void> {
  await db
    .updateTable('connections')
    .set({ refresh_at: null })
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .execute();
}

/** The app's connections, locked in a fixed order, so that changes of the default are serialized. */
export async function lockApp(tx: Tx, account_id: string, app: string): Promise<void> {
  await tx
    .selectFrom('connections')
    .select('connection_id')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .orderBy('connection_id')
    .forUpdate()
    .execute();
}

export async function clearDefault(tx: Tx, account_id: string, app: string): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ is_default: false })
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .where('is_default', '=', true)
    .execute();
}

export async function remove(tx: Tx, account_id: string, connection_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('connections')
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether the connection of a row is one of these. */
export const isAmong = (connection_ids: readonly string[]) =>
  sql<boolean>`connection_id = any (${connection_ids}::uuid[])`;

/** Disables the triggers of connections that are being deleted; returns their IDs. */
export async function disableTriggers(
  tx: Tx,
  account_id: string,
  connection_ids: readonly string[],
  at: string,
): Promise<string[]> {
  const rows = await tx
    .updateTable('triggers')
    .set({ status: 'DISABLED', reason: 'CONNECTION_DELETED', updated_at: at, next_fire_at: null })
    .where('account_id', '=', account_id)
    .where(isAmong(connection_ids))
    .returning('trigger_id')
    .execute();
  return rows.map(({ trigger_id }) => trigger_id);
}

/** Records on their triggers that connections are unusable or usable again; returns the triggers' IDs. */
export async function markTriggers(
  tx: Tx,
  account_id: string,
  connection_ids: readonly string[],
  reason: 'CONNECTION_FAILED' | null,
  at: string,
): Promise<string[]> {
  const all = tx
    .updateTable('triggers')
    .set({ reason, updated_at: at })
    .where('account_id', '=', account_id)
    .where(isAmong(connection_ids));
  const rows = await (reason === null
    ? all.where('reason', '=', 'CONNECTION_FAILED')
    : all.where((e) => e.or([e('reason', 'is', null), e('reason', '=', reason)]))
  )
    .returning('trigger_id')
    .execute();
  return rows.map(({ trigger_id }) => trigger_id);
}

/** The number of connections of an app, in any status. */
export async function countOfApp(tx: Tx, account_id: string, app: string): Promise<number> {
  const { count } = await tx
    .selectFrom('connections')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of triggers per connection, without zeros; for these connections or, without a list, for all. */
export async function countTriggers(
  db: Db,
  account_id: string,
  ids?: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const all = db
    .selectFrom('triggers')
    .select(['connection_id', (e) => e.fn.countAll<number>().as('count')])
    .where('account_id', '=', account_id)
    .where('connection_id', 'is not', null)
    .groupBy('connection_id');
  const rows = await (ids ? all.where(sql<boolean>`connection_id = any (${ids}::uuid[])`) : all).execute();
  return new Map(rows.map((row) => [row.connection_id ?? '', row.count]));
}

export type Use = { account_id: string; connection_id: string; at: string };
export type Used = Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'status'>;

/**
 * Stores the last use of each connection; returns those that were not used later, with their status. Rows are updated
 * in order of ID, so that concurrent calls can't deadlock.
 */
export async function noteUses(db: Db, uses: Use[]): Promise<Used[]> {
  const { rows } = await sql<Used>`
    with used as (
      select * from json_to_recordset(${JSON.stringify(uses)}::json)
        as u(account_id uuid, connection_id uuid, at timestamptz)
    ), locked as (
      select c.account_id, c.connection_id, used.at from connections c join used using (account_id, connection_id)
      where c.last_used_time is null or c.last_used_time < used.at
      order by c.connection_id for no key update of c
    )
    update connections c set last_used_time = locked.at from locked
    where c.account_id = locked.account_id and c.connection_id = locked.connection_id
    returning c.account_id, c.connection_id, c.status
  `.execute(db);
  return rows;
}
