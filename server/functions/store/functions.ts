import { sql } from 'kysely';
import type { Visibility } from '../../../contract/states.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import { noteChange } from './code-index.ts';
import { isReservedElsewhere } from './reserved-labels.ts';
import { noteServing } from './serving-changes.ts';

/** A function as an account sees it: with its owner, and whether that account starred it. */
export type SeenFunction = FunctionsTable & { starred: boolean; account_name: string };
export type FunctionChange = Partial<Omit<FunctionsTable, 'account_id' | 'function_id' | 'runtime' | 'created_at'>>;

const seenBy = (db: Db | Tx, account_id: string) =>
  db
    .selectFrom('functions')
    .selectAll('functions')
    .select((row) =>
      row
        .exists(
          row
            .selectFrom('stars')
            .whereRef('stars.function_id', '=', 'functions.function_id')
            .where('stars.account_id', '=', account_id),
        )
        .$castTo<boolean>()
        .as('starred'),
    )
    .select((row) =>
      row
        .selectFrom('accounts')
        .select('accounts.name')
        .whereRef('accounts.account_id', '=', 'functions.account_id')
        .$asScalar()
        .$notNull()
        .as('account_name'),
    );

export async function insert(tx: Tx, account_id: string, row: Omit<FunctionsTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('functions')
    .values({ account_id, ...row })
    .execute();
  await noteServing(tx, account_id, row.function_id, true);
  await noteChange(tx, account_id, row.function_id);
}

/** A function of the account. */
export async function find(db: Db | Tx, account_id: string, function_id: string): Promise<SeenFunction | undefined> {
  return seenBy(db, account_id)
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .executeTakeFirst();
}

/** A function of the account, or any PUBLIC one. */
export async function findReadable(
  db: Db | Tx,
  account_id: string,
  function_id: string,
): Promise<SeenFunction | undefined> {
  return seenBy(db, account_id)
    .where('function_id', '=', function_id)
    .where((row) => row.or([row('account_id', '=', account_id), row('visibility', '=', 'PUBLIC')]))
    .executeTakeFirst();
}

/** The names of the account's functions with these ids. */
export async function namesOf(db: Db, account_id: string, function_ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('functions')
    .select(['function_id', 'name'])
    .where('account_id', '=', account_id)
    .where('function_id', 'in', function_ids)
    .execute();
  return new Map(rows.map(({ function_id, name }) => [function_id, name]));
}

/**
 * A function of the account, locked until the transaction ends: the lock protects the numbers of versions and
 * variables.
 */
export async function lock(tx: Tx, account_id: string, function_id: string): Promise<FunctionsTable | undefined> {
  return tx
    .selectFrom('functions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .forUpdate()
    .executeTakeFirst();
}

export async function update(tx: Tx, account_id: string, function_id: string, change: FunctionChange): Promise<void> {
  if (change.version !== undefined || change.visibility !== undefined)
    await noteServing(tx, account_id, function_id, false);
  await tx
    .updateTable('functions')
    .set(change)
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .execute();
  await noteChange(tx, account_id, function_id);
}

/** Removes the function with its versions and variables. Returns its label; undefined when it does not exist. */
export async function remove(tx: Tx, account_id: string, function_id: string): Promise<string | undefined> {
  const removed = await tx
    .deleteFrom('functions')
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .returning('label')
    .executeTakeFirst();
  await noteChange(tx, account_id, function_id);
  return removed?.label;
}

/** `SELF`: functions of the account; `ALL`: every account's PUBLIC ones. */
export type Scope = { owner: 'SELF' | 'ALL'; visibility?: Visibility | undefined };

/** Newest first, optionally after the function `before`. */
export async function list(
  db: Db,
  account_id: string,
  scope: Scope,
  page: { limit: number; before?: string | undefined },
): Promise<SeenFunction[]> {
  let query = seenBy(db, account_id);
  if (scope.owner === 'ALL') query = query.where('visibility', '=', 'PUBLIC');
  else query = query.where('account_id', '=', account_id);
  if (scope.visibility) query = query.where('visibility', '=', scope.visibility);
  if (page.before) query = query.where('function_id', '<', page.before);
  return query.orderBy('function_id', 'desc').limit(page.limit).execute();
}

/** The owner of a URL: its label identifies the account. */
export async function withLabel(db: Db, label: string): Promise<FunctionsTable | undefined> {
  return db.selectFrom('functions').selectAll().where('label', '=', label).executeTakeFirst();
}

/**
 * Whether a function uses this label, or another account has reserved it. Concurrent checks wait for this transaction.
 */
export async function isLabelTaken(tx: Tx, account_id: string, label: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`label/${label}`}, 0))`.execute(tx);
  const taken = await tx.selectFrom('functions').select('function_id').where('label', '=', label).executeTakeFirst();
  return taken !== undefined || isReservedElsewhere(tx, account_id, label);
}

/** Counts a read of the code by another account. */
export async function countView(db: Db, owner_id: string, function_id: string): Promise<void> {
  await db
    .updateTable('functions')
    .set((row) => ({ view_count: row('view_count', '+', 1) }))
    .where('account_id', '=', owner_id)
    .where('function_id', '=', function_id)
    .execute();
}
