import { now } from '../../lib/clock.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { CapturesTable } from '../../platform/database/tables/connection-tables.ts';

/** The captures that apply to calls with this connection now. */
export async function activeCaptures(
  db: Db,
  account_id: string,
  app: string,
  connection_id: string,
): Promise<{ untilMs: number; percent: number }[]> {
  const rows = await db
    .selectFrom('captures')
    .select(['until', 'percent'])
    .where('account_id', '=', account_id)
    .where((e) => e.or([e('connection_id', '=', connection_id), e('app', '=', app)]))
    .where('until', '>', now())
    .execute();
  return rows.map(({ until, percent }) => ({ untilMs: Date.parse(until), percent }));
}

/** Whether the request of this call was captured. */
export async function hasCapturedCall(db: Db, account_id: string, call_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('captured_calls')
    .select('call_id')
    .where('account_id', '=', account_id)
    .where('call_id', '=', call_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Captures that are on, the one that ends first at the top. */
export async function list(db: Db | Tx, account_id: string): Promise<CapturesTable[]> {
  return db
    .selectFrom('captures')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('until', '>', now())
    .orderBy('until')
    .orderBy('capture_id')
    .execute();
}

/** Adds a capture and ends earlier ones of the same connection or app. */
export async function put(tx: Tx, account_id: string, row: Omit<CapturesTable, 'account_id'>): Promise<void> {
  await tx
    .deleteFrom('captures')
    .where('account_id', '=', account_id)
    .where('connection_id', 'is not distinct from', row.connection_id)
    .where('app', 'is not distinct from', row.app)
    .execute();
  await tx
    .insertInto('captures')
    .values({ account_id, ...row })
    .execute();
}

/** Whether there was one. */
export async function remove(tx: Tx, account_id: string, capture_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('captures')
    .where('account_id', '=', account_id)
    .where('capture_id', '=', capture_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes captures of all accounts that ended before this time. */
export async function removeEnded(db: Db, before: string): Promise<void> {
  await db.deleteFrom('captures').where('until', '<', before).execute();
}
