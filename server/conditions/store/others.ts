/** Failed connections, ended replays, expiring API keys, and the storage of nodes. */
import { sql } from 'kysely';
import type { ReplayStatus } from '../../../contract/states.ts';
import type {
  ApiKeysTable,
  ConnectionsTable,
  Db,
  NodesTable,
  ReplaysTable,
  Tx,
} from '../../platform/database/schema.ts';
import type { GradualDeploysTable } from '../../platform/database/tables/function-tables.ts';

export type ConnectionState = Pick<
  ConnectionsTable,
  'connection_id' | 'app' | 'name' | 'status' | 'failure' | 'last_updated_time'
>;
const CONNECTION = ['connection_id', 'app', 'name', 'status', 'failure', 'last_updated_time'] as const;

export async function connections(tx: Tx, account_id: string, ids: string[]): Promise<ConnectionState[]> {
  if (ids.length === 0) return [];
  return tx
    .selectFrom('connections')
    .select(CONNECTION)
    .where('account_id', '=', account_id)
    .where('connection_id', 'in', ids)
    .execute();
}

/** FAILED connections besides these, the first failed first. */
export async function failedConnections(
  tx: Tx,
  account_id: string,
  besides: string[],
  limit: number,
): Promise<ConnectionState[]> {
  return tx
    .selectFrom('connections')
    .select(CONNECTION)
    .where('account_id', '=', account_id)
    .where('status', '=', 'FAILED')
    .where(sql<boolean>`connection_id <> all(${besides}::uuid[])`)
    .orderBy('last_updated_time')
    .limit(limit)
    .execute();
}

/** Replays that ended after `since` with one of these statuses, and that the trigger has not reported yet. */
export async function endedReplays(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  { since, statuses, limit }: { since: string; statuses: ReplayStatus[]; limit: number },
): Promise<ReplaysTable[]> {
  return tx
    .selectFrom('replays')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('finished_at', '>', since)
    .where('status', 'in', statuses)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('conditions')
            .where('conditions.account_id', '=', account_id)
            .where('conditions.trigger_id', '=', trigger_id)
            .where(sql<boolean>`key = 'replay:' || replay_id::text`),
        ),
      ),
    )
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

export type RolledBack = Pick<
  GradualDeploysTable,
  'function_id' | 'version' | 'live_version' | 'reason' | 'started_at'
> & { key: string; name: string };

/** Gradual deploys that were rolled back after `since`, and that the trigger has not reported yet. */
export async function rolledBack(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  { since, limit }: { since: string; limit: number },
): Promise<RolledBack[]> {
  const { rows } = await sql<RolledBack>`
    select g.function_id, g.version, g.live_version, g.reason, g.started_at, f.name, k.key
    from gradual_deploys g join functions f using (account_id, function_id),
      lateral (select 'rollback:' || g.function_id || '/' || extract(epoch from g.ended_at)::text as key) k
    where g.account_id = ${account_id} and g.status = 'ROLLED_BACK' and g.ended_at > ${since}::timestamptz
      and not exists (select from conditions c
        where c.account_id = ${account_id} and c.trigger_id = ${trigger_id} and c.key = k.key)
    order by g.ended_at limit ${limit}
  `.execute(tx);
  return rows;
}

export type KeyState = Pick<ApiKeysTable, 'key_id' | 'name' | 'prefix' | 'expires_at'>;

/** API keys with these ids, and those that expire after `since` and before `until`, the first first. */
export async function expiringKeys(
  tx: Tx,
  account_id: string,
  ids: string[],
  { since, until, limit }: { since: string; until: string; limit: number },
): Promise<KeyState[]> {
  const { rows } = await sql<KeyState>`
    (select key_id, name, prefix, expires_at from api_keys
      where account_id = ${account_id} and key_id = any(${ids}::uuid[]))
    union all
    (select key_id, name, prefix, expires_at from api_keys
      where account_id = ${account_id} and expires_at > ${since}::timestamptz and expires_at <= ${until}::timestamptz
        and key_id <> all(${ids}::uuid[])
      order by expires_at limit ${limit})
  `.execute(tx);
  return rows;
}

export type HostStorage = { host: string; free: number; total: number };

/** The file systems of the nodes in the cluster, the smaller one of two nodes on a host. */
export async function storages(tx: Tx): Promise<HostStorage[]> {
  const { rows } = await sql<HostStorage>`
    select distinct on (host) host, storage_free as free, storage_total as total from nodes
    where host is not null and storage_total > 0 order by host, storage_free
  `.execute(tx);
  return rows;
}

/** Stores the free space of this node; false if it has not joined the cluster yet. */
export async function noteStorage(
  db: Db,
  node_id: string,
  { host, storage_free, storage_total }: Pick<NodesTable, 'host' | 'storage_free' | 'storage_total'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('nodes')
    .set({ host, storage_free, storage_total })
    .where('node_id', '=', node_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
