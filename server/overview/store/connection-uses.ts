import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';

/** Triggers of a connection, newest first. */
export async function triggers(db: Db, account_id: string, connection_id: string, limit: number) {
  return db
    .selectFrom('triggers')
    .select(['trigger_id', 'name', 'source', 'event_type', 'status', 'reason'])
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .orderBy('trigger_id', 'desc')
    .limit(limit)
    .execute();
}

export type Named = { id: string; name: string; text: string | null };

/** Functions whose grants name the connection, in order of ID. `text` has the grants. */
export async function grantedFunctions(db: Db | Tx, account_id: string, connection_id: string): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select function_id as id, name, gateway_grants as text from functions
    where account_id = ${account_id} and gateway_grants like ${`%${connection_id}%`} order by function_id
  `.execute(db);
  return rows;
}

/** API keys whose limits name the connection, in order of ID. `text` has the limits. */
export async function limitedKeys(db: Db | Tx, account_id: string, connection_id: string): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select key_id as id, name, limits as text from api_keys
    where account_id = ${account_id} and limits like ${`%${connection_id}%`} order by key_id
  `.execute(db);
  return rows;
}

export type Caller = { kind: 'function' | 'key'; id: string; name: string; calls: number };

/** The functions and keys of the newest `looked` calls since then, with the most calls first. */
export async function callers(
  db: Db,
  account_id: string,
  connection_id: string,
  { since_ms, looked }: { since_ms: number; looked: number },
): Promise<Caller[]> {
  const { rows } = await sql<Caller>`
    with recent as (
      select run_id, key_id from gateway_calls
      where account_id = ${account_id} and connection_id = ${connection_id} and call_id >= ${firstIdAt(since_ms)}
      order by call_id desc limit ${looked}
    )
    select 'function' as kind, f.function_id as id, f.name, count(*)::int as calls from recent
      join runs r on r.account_id = ${account_id} and r.run_id = recent.run_id
      join functions f on f.account_id = ${account_id} and f.function_id = r.function_id
      group by f.function_id, f.name
    union all
    select 'key', k.key_id, k.name, count(*)::int from recent
      join api_keys k on k.account_id = ${account_id} and k.key_id = recent.key_id
      where recent.run_id is null group by k.key_id, k.name
    order by calls desc, name limit 200
  `.execute(db);
  return rows;
}
