import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { FunctionVersionsTable } from '../../platform/database/tables/function-tables.ts';

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

/** Newest first, optionally below the version `before`; `publicAnd`: only public versions and this one. */
export async function list(
  db: Db,
  account_id: string,
  function_id: string,
  page: { limit: number; before?: number | undefined; publicAnd?: number | undefined },
): Promise<FunctionVersionsTable[]> {
  let query = db
    .selectFrom('function_versions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id);
  if (page.before !== undefined) query = query.where('version', '<', page.before);
  const { publicAnd } = page;
  if (publicAnd !== undefined)
    query = query.where((row) => row.or([row('is_public', '=', true), row('version', '=', publicAnd)]));
  return query.orderBy('version', 'desc').limit(page.limit).execute();
}

/** Hides all versions of a function from other accounts, optionally except one. */
export async function setPublic(
  tx: Tx,
  account_id: string,
  function_id: string,
  version: number | null,
): Promise<void> {
  await sql`
    update function_versions set is_public = not is_public
    where account_id = ${account_id} and function_id = ${function_id}
      and is_public is distinct from coalesce(version = ${version}::integer, false)
  `.execute(tx);
}

/** Makes one more version readable by other accounts while the function is PUBLIC. */
export async function addPublic(tx: Tx, account_id: string, function_id: string, version: number): Promise<void> {
  await tx
    .updateTable('function_versions')
    .set({ is_public: true })
    .where('account_id', '=', account_id)
    .where('function_id', '=', function_id)
    .where('version', '=', version)
    .execute();
}

/** By function: the versions that other accounts may read. */
export async function publicVersions(db: Db, function_ids: string[]): Promise<Map<string, Set<number>>> {
  const { rows } = await sql<{ function_id: string; versions: number[] }>`
    select f.function_id, array_agg(v.version) as versions
    from functions f join function_versions v using (account_id, function_id)
    where f.function_id = any (${function_ids}::uuid[]) and f.visibility = 'PUBLIC' and (v.is_public or v.version = f.version)
    group by f.function_id
  `.execute(db);
  return new Map(rows.map(({ function_id, versions }) => [function_id, new Set(versions)]));
}

/** The number of versions of a function, and of those marked public. */
export async function count(db: Db, account_id: string, function_id: string): Promise<{ all: number; public: number }> {
  const { rows } = await sql<{ all: number; public: number }>`
    select count(*)::int as "all", count(*) filter (where is_public)::int as "public" from function_versions
    where account_id = ${account_id} and function_id = ${function_id}
  `.execute(db);
  return rows[0] ?? { all: 0, public: 0 };
}

/** Returns which of these blobs any version of any account uses. */
export async function usedBlobs(db: Db, sha256s: string[]): Promise<Set<string>> {
  // Nearly all of them are used, so the query returns the others.
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
