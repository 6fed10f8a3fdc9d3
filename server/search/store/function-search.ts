import { sql } from 'kysely';
import type { Scope, SeenFunction } from '../../functions/store/functions.ts';
import { PREPARED } from '../../platform/database/prepared.ts';
import type { Db } from '../../platform/database/schema.ts';

/** `accounts`: only functions of these. */
type SearchScope = Scope & { accounts?: string[] | undefined };

/** The functions with these ids that are within the scope now, in no particular order. */
export async function withIds(
  db: Db,
  account_id: string,
  { owner, visibility }: Scope,
  ids: string[],
): Promise<SeenFunction[]> {
  const whose = owner === 'ALL' ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`;
  const { rows } = await sql<SeenFunction>`${PREPARED}
    select f.*, exists (
      select 1 from stars s where s.account_id = ${account_id} and s.function_id = f.function_id) as starred,
      (select a.name from accounts a where a.account_id = f.account_id) as account_name
    from functions f
    where f.function_id = any (${ids}::uuid[]) and ${whose} ${visibility ? sql`and f.visibility = ${visibility}` : sql``}
  `.execute(db);
  return rows;
}

/** The functions that a search in this scope could cover. Access is checked again for each one that is found. */
const within = (account_id: string, { owner, visibility, accounts }: SearchScope) => sql`
  ${owner === 'ALL' ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`}
  ${visibility ? sql`and f.visibility = ${visibility}` : sql``}
  ${accounts ? sql`and f.account_id = any (${accounts}::uuid[])` : sql``}`;

/** The ids of the functions in a scope after this one, in ascending order. */
export async function idsAfter(
  db: Db,
  account_id: string,
  scope: SearchScope,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ function_id: string }>`
    select f.function_id from functions f
    where ${within(account_id, scope)} ${after === undefined ? sql`` : sql`and f.function_id > ${after}`}
    order by f.function_id limit ${limit}
  `.execute(db);
  return rows.map(({ function_id }) => function_id);
}

/** The number of functions in a scope. */
export async function countWithin(db: Db, account_id: string, scope: SearchScope): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from functions f where ${within(account_id, scope)}
  `.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Normalizes the Unicode form, the case and the final sigma of a text, for comparisons. */
const letters = (text: unknown) => sql`replace(lower(normalize(${text}, nfd)), 'ς', 'σ')`;

/** The accounts whose names begin with this text, ignoring case; at most 1000. */
export async function accountsNamed(db: Db, start: string): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from accounts where starts_with(${letters(sql.ref('name'))}, ${letters(start)}) order by name limit 1000
  `.execute(db);
  return rows.map(({ account_id }) => account_id);
}
