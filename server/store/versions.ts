import { sql } from 'kysely';
import type { FunctionVersionsTable } from './function-tables.ts';
import type { Db, Tx } from './schema.ts';

export async function insert(
  tx: Tx,
  account_id: string,
  row: Omit<FunctionVersionsTable, 'account_id'>,
): Promise<FunctionVersionsTable> {
  return tx
    .insertInto('function_versions')
    .values({ account_id, ...row })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  function_id: string,
  version: number,
): Promise<FunctionVersionsTable | undefined> {
  return db
    .selectFrom('function_versions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** Newest first, below the version `before` when one is given. */
export async function list(
  db: Db,
  account_id: string,
  function_id: string,
  page: { limit: number; before?: number | undefined },
): Promise<FunctionVersionsTable[]> {
  let query = db
    .selectFrom('function_versions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id);
  if (page.before !== undefined) query = query.where('version', '<', page.before);
  return query.orderBy('version', 'desc').limit(page.limit).execute();
}

/** Which of these addresses of blobs any version of any account has. */
export async function usedBlobs(db: Db, sha256s: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ sha256: string }>`
    select distinct each.sha256
    from function_versions v, lateral (values (v.code_sha256), (v.build_sha256), (v.map_sha256)) as each (sha256)
    where each.sha256 = any (${sha256s}::text[])
  `.execute(db);
  return new Set(rows.map((row) => row.sha256));
}
