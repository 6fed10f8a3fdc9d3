import type { AppsTable, Db, Tx } from '../../platform/database/schema.ts';

/** Without the paths, which calls do not need. */
export type AppRow = Omit<AppsTable, 'paths'>;
const COLUMNS = ['account_id', 'app', 'definition', 'created_at'] as const;

/** False if the account already has an app with that ID. */
export async function insert(tx: Tx, account_id: string, app: Omit<AppsTable, 'account_id'>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('apps')
    .values({ account_id, ...app })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function find(db: Db | Tx, account_id: string, app: string): Promise<AppRow | undefined> {
  return db
    .selectFrom('apps')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .executeTakeFirst();
}

/** Sorted by ID. */
export async function list(db: Db, account_id: string): Promise<AppRow[]> {
  return db.selectFrom('apps').select(COLUMNS).where('account_id', '=', account_id).orderBy('app').execute();
}

/** Like `find`; locks the row until the transaction ends. */
export async function lock(tx: Tx, account_id: string, app: string): Promise<AppRow | undefined> {
  return tx
    .selectFrom('apps')
    .select(COLUMNS)
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether the app exists; prevents its deletion until the transaction ends. */
export async function hold(tx: Tx, account_id: string, app: string): Promise<boolean> {
  const row = await tx
    .selectFrom('apps')
    .select('app')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** The paths of an app as JSON; undefined if the account has no such app. */
export async function findPaths(
  db: Db,
  account_id: string,
  app: string,
): Promise<Pick<AppsTable, 'paths'> | undefined> {
  return db
    .selectFrom('apps')
    .select('paths')
    .where('account_id', '=', account_id)
    .where('app', '=', app)
    .executeTakeFirst();
}

export async function update(
  tx: Tx,
  account_id: string,
  app: string,
  changes: Partial<Pick<AppsTable, 'definition' | 'paths'>>,
): Promise<void> {
  await tx.updateTable('apps').set(changes).where('account_id', '=', account_id).where('app', '=', app).execute();
}

export async function remove(tx: Tx, account_id: string, app: string): Promise<void> {
  await tx.deleteFrom('apps').where('account_id', '=', account_id).where('app', '=', app).execute();
}

/** The event types that triggers of this source use. */
export async function eventTypesInUse(db: Db | Tx, account_id: string, source: string): Promise<string[]> {
  const rows = await db
    .selectFrom('triggers')
    .select('event_type')
    .distinct()
    .where('account_id', '=', account_id)
    .where('source', '=', source)
    .execute();
  return rows.map(({ event_type }) => event_type);
}
