import { sql } from 'kysely';
import type { AccountsTable, Db, Tx } from '../../platform/database/schema.ts';

/** The same for every Sluice, and different from that of migrate.ts: "sluice" in ASCII, and one. */
const LOCK_KEY = 0x736c7569636501n;

/** Held until the transaction ends, so that nodes that start at once create only one account. */
export async function lockFirstStart(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY.toString())}::bigint)`.execute(tx);
}

export async function any(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst()) !== undefined;
}

export async function several(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('accounts').select('account_id').limit(2).execute()).length > 1;
}

/** The ids of all accounts. */
export async function ids(tx: Tx): Promise<string[]> {
  return (await tx.selectFrom('accounts').select('account_id').execute()).map(({ account_id }) => account_id);
}

export async function insert(tx: Tx, account: AccountsTable): Promise<void> {
  await tx.insertInto('accounts').values(account).execute();
}

export async function get(db: Db | Tx, account_id: string): Promise<AccountsTable> {
  return db.selectFrom('accounts').selectAll().where('account_id', '=', account_id).executeTakeFirstOrThrow();
}

export async function update(
  tx: Tx,
  account_id: string,
  change: Partial<Pick<AccountsTable, 'name' | 'require_second_factor'>>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.updateTable('accounts').set(change).where('account_id', '=', account_id).execute();
}

/**
 * One at a time per account, so that limits and unique names hold. It does not block rows that refer to the account.
 */
export async function lock(tx: Tx, account_id: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', account_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
