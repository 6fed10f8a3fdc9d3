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
  // Nearly all of them are, so the others are asked for.
  const { rows } = await sql<{ sha256: string }>`
    select asked.sha256 from unnest(${sha256s}::text[]) as asked (sha256)
    except (
      select code_sha256 from function_versions where code_sha256 = any (${sha256s}::text[])
      union all
      select build_sha256 from function_versions
      where build_sha256 <> code_sha256 and build_sha256 = any (${sha256s}::text[])
      union all
      select map_sha256 from function_versions where map_sha256 <> code_sha256 and map_sha256 = any (${sha256s}::text[])
    )
  `.execute(db);
  const others = new Set(rows.map((row) => row.sha256));
  return new Set(sha256s.filter((sha256) => !others.has(sha256)));
}
