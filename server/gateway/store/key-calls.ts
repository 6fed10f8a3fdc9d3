import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db } from '../../platform/database/schema.ts';

/** Calls of a key to one path of an app. */
export type CallKind = { app: string; connection_id: string; method: string; path: string; calls: number };

/** The kinds of calls of a key, the most frequent first, and the number of all its calls. */
export async function kindsOfKey(
  db: Db,
  account_id: string,
  key_id: string,
  since_ms: number,
  limit: number,
): Promise<{ kinds: CallKind[]; calls: number }> {
  const { rows } = await sql<CallKind & { all_calls: number }>`
    select app, connection_id, method, path, count(*)::float8 as calls, (sum(count(*)) over ())::float8 as all_calls
    from gateway_calls
    where account_id = ${account_id} and key_id = ${key_id} and call_id >= ${firstIdAt(since_ms)}
    group by app, connection_id, method, path order by count(*) desc, app, method, path limit ${limit}
  `.execute(db);
  return { kinds: rows.map(({ all_calls: _, ...kind }) => kind), calls: rows[0]?.all_calls ?? 0 };
}

/** Every connection of the account that can be used. */
export async function connectionsOf(db: Db, account_id: string): Promise<{ app: string; connection_id: string }[]> {
  return db.selectFrom('connections').select(['app', 'connection_id']).where('account_id', '=', account_id).execute();
}

/** Those of these functions that the account has. */
export async function ownFunctions(db: Db, account_id: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('functions')
    .select('function_id')
    .where('account_id', '=', account_id)
    .where('function_id', 'in', ids)
    .execute();
  return rows.map(({ function_id }) => function_id);
}
