import { sql } from 'kysely';
import type { Scope, SeenFunction } from './functions.ts';
import type { Db } from './schema.ts';

/** The serving code of a function, to be scanned. */
export type Candidate = { function_id: string; code_sha256: string };

const MAX_CANDIDATES = 100_000;

const within = (account_id: string, { owner, visibility }: Scope) => {
  const whose = owner === 'ALL' ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`;
  return visibility ? sql`${whose} and f.visibility = ${visibility}` : whose;
};

const starred = (account_id: string) =>
  sql`exists (select 1 from stars s where s.account_id = ${account_id} and s.function_id = f.function_id) as starred`;

/** What a code search goes through, better functions first: more stars, then changed later. */
export async function candidates(db: Db, account_id: string, scope: Scope): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select f.function_id, v.code_sha256
    from functions f
    join function_versions v using (account_id, function_id, version)
    where ${within(account_id, scope)}
    order by f.star_count desc, f.updated_at desc, f.function_id
    limit ${MAX_CANDIDATES}
  `.execute(db);
  return rows;
}

/** The functions with these ids that are still within the scope, in no order. */
export async function withIds(db: Db, account_id: string, scope: Scope, ids: string[]): Promise<SeenFunction[]> {
  const { rows } = await sql<SeenFunction>`
    select f.*, ${starred(account_id)}
    from functions f
    where f.function_id = any (${ids}::uuid[]) and ${within(account_id, scope)}
  `.execute(db);
  return rows;
}

/**
 * Functions whose name or description has all the words, each as a word or the beginning of one, or the whole text
 * anywhere in its name. Best first: by full-text rank, where a name weighs more than a description.
 */
export async function ranked(
  db: Db,
  account_id: string,
  scope: Scope,
  text: string,
  limit: number,
): Promise<SeenFunction[]> {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = words.map((word) => `'${word}':*`).join(' & ');
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await sql<SeenFunction>`
    select f.*, ${starred(account_id)}
    from functions f, to_tsquery('simple', ${query}) query
    where (${document} @@ query or f.name ilike ${part}) and ${within(account_id, scope)}
    order by (lower(f.name) = lower(${text})) desc, ts_rank_cd(${document}, query) desc, f.star_count desc, f.updated_at desc,
      f.function_id
    limit ${limit}
  `.execute(db);
  return rows;
}

/** As in the index functions_text. Signs between words would make one word of "order-sync" or "orders.get". */
const document = sql`(
  setweight(to_tsvector('simple', translate(f.name, '-_./:@#', '       ')), 'A') ||
  setweight(to_tsvector('simple', translate(f.description, '-_./:@#', '       ')), 'B'))`;
