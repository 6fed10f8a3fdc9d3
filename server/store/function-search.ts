import { sql } from 'kysely';
import type { Scope, SeenFunction } from './functions.ts';
import type { Db } from './schema.ts';

/** The functions with these ids that are within the scope now, in no order. */
export async function withIds(
  db: Db,
  account_id: string,
  { owner, visibility }: Scope,
  ids: string[],
): Promise<SeenFunction[]> {
  const whose = owner === 'ALL' ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`;
  const { rows } = await sql<SeenFunction>`
    select f.*, exists (
      select 1 from stars s where s.account_id = ${account_id} and s.function_id = f.function_id) as starred
    from functions f
    where f.function_id = any (${ids}::uuid[]) and ${whose} ${visibility ? sql`and f.visibility = ${visibility}` : sql``}
  `.execute(db);
  return rows;
}
