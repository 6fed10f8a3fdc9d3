import { type RawBuilder, sql } from 'kysely';
import type { TriggerStatus } from '../../../contract/states.ts';
import type { NamedDestination } from '../../deliveries/store/destinations/destinations.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { containing } from '../../platform/database/like.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { EnvVariablesTable } from '../../platform/database/tables/function-tables.ts';

export type Named = { id: string; name: string };
export type FoundTrigger = { trigger_id: string; name: string; source: string; status: TriggerStatus };
export type FoundDestination = Omit<NamedDestination, 'url'>;

/** The names of these functions of the account, and their runs since then, each counted up to `most`. */
export async function runsOf(
  db: Db,
  account_id: string,
  ids: readonly string[],
  { since_ms, most }: { since_ms: number; most: number },
): Promise<(Named & { runs: number })[]> {
  const { rows } = await sql<Named & { runs: number }>`
    select f.function_id as id, f.name, (
      select count(*)::int from (
        select from runs r
        where r.account_id = ${account_id} and r.function_id = f.function_id and r.run_id >= ${firstIdAt(since_ms)}
        limit ${most}) counted
    ) as runs
    from functions f where f.account_id = ${account_id} and f.function_id = any (${ids}::uuid[])
  `.execute(db);
  return rows;
}

/** Which calls through the gateway count: those with a key, with a connection, or of some apps. */
export type CallsWith = { key_id: string } | { connection_id: string } | { apps: readonly string[] };
export type Traffic = {
  calls: number;
  last_id: string | null;
  functions: (Named & { calls: number })[];
  keys: (Named & { calls: number })[];
};

/** The newest `looked` calls since then, and the functions and keys that made them. */
export async function traffic(
  db: Db,
  account_id: string,
  using: CallsWith,
  { since_ms, looked, limit }: { since_ms: number; looked: number; limit: number },
): Promise<Traffic> {
  const { rows } = await sql<Traffic>`
    with recent as materialized (
      select call_id, run_id, key_id from gateway_calls
      where account_id = ${account_id} and ${isWith(using)} and call_id >= ${firstIdAt(since_ms)}
      order by call_id desc limit ${looked}
    ), by_function as (
      select f.function_id as id, f.name, count(*)::int as calls from recent
      join runs r on r.account_id = ${account_id} and r.run_id = recent.run_id
      join functions f on f.account_id = ${account_id} and f.function_id = r.function_id
      group by f.function_id, f.name order by calls desc, f.name limit ${limit}
    ), by_key as (
      select k.key_id as id, k.name, count(*)::int as calls from recent
      join api_keys k on k.account_id = ${account_id} and k.key_id = recent.key_id
      where recent.run_id is null group by k.key_id, k.name order by calls desc, k.name limit ${limit}
    )
    select (select count(*)::int from recent) as calls,
      (select call_id from recent order by call_id desc limit 1) as last_id,
      coalesce((select json_agg(each) from by_function each), '[]') as functions,
      coalesce((select json_agg(each) from by_key each), '[]') as keys
  `.execute(db);
  return rows[0] ?? { calls: 0, last_id: null, functions: [], keys: [] };
}

function isWith(using: CallsWith): RawBuilder<unknown> {
  if ('key_id' in using) return sql`key_id = ${using.key_id}`;
  if ('connection_id' in using) return sql`connection_id = ${using.connection_id}`;
  return sql`app = any (${using.apps}::text[])`;
}

/** Triggers with a connection or of a source, newest first. */
export async function triggersWith(
  db: Db,
  account_id: string,
  by: { connection_id: string } | { source: string },
  limit: number,
): Promise<FoundTrigger[]> {
  const query = db
    .selectFrom('triggers')
    .select(['trigger_id', 'name', 'source', 'status'])
    .where('account_id', '=', account_id);
  return ('source' in by ? query.where('source', '=', by.source) : query.where('connection_id', '=', by.connection_id))
    .orderBy('trigger_id', 'desc')
    .limit(limit)
    .execute();
}

/** The account's triggers with these IDs, newest first. */
export async function triggersNamed(db: Db, account_id: string, ids: readonly string[]): Promise<FoundTrigger[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('triggers')
    .select(['trigger_id', 'name', 'source', 'status'])
    .where('account_id', '=', account_id)
    .where('trigger_id', 'in', ids)
    .orderBy('trigger_id', 'desc')
    .execute();
}

/** The destinations of these triggers, oldest first. */
export async function destinationsOfTriggers(
  db: Db,
  account_id: string,
  trigger_ids: readonly string[],
  limit: number,
): Promise<FoundDestination[]> {
  if (trigger_ids.length === 0) return [];
  const { rows } = await sql<FoundDestination>`
    select d.trigger_id, t.name as trigger_name, d.destination_id, d.name, d.status
    from destinations d join triggers t using (account_id, trigger_id)
    where d.account_id = ${account_id} and d.trigger_id = any (${trigger_ids}::uuid[])
    order by d.destination_id limit ${limit}
  `.execute(db);
  return rows;
}

/** Functions whose grants contain this text. */
export async function grantedFunctions(db: Db, account_id: string, text: string, limit: number): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select function_id as id, name from functions
    where account_id = ${account_id} and gateway_grants like ${containing(text)}
    order by function_id limit ${limit}
  `.execute(db);
  return rows;
}

/** API keys whose limits contain this text. */
export async function limitedKeys(db: Db, account_id: string, text: string, limit: number): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select key_id as id, name from api_keys
    where account_id = ${account_id} and limits like ${containing(text)} order by key_id limit ${limit}
  `.execute(db);
  return rows;
}

/** Environment variables of the account's functions, sealed, the newest first. */
export async function variables(db: Db, account_id: string, limit: number): Promise<EnvVariablesTable[]> {
  return db
    .selectFrom('env_variables')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();
}
