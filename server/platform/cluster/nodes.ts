import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';

/** A node without a heartbeat for this time does not run: its leases are released. */
export const SILENT_MS = 15_000;

/** Writes the heartbeat of this node, by the clock of the database. */
export async function beat(db: Db, node_id: string): Promise<void> {
  await sql`
    insert into nodes (node_id, started_at, heartbeat_at) values (${node_id}, now(), now())
    on conflict (node_id) do update set heartbeat_at = now()
  `.execute(db);
}

export async function remove(db: Db, node_id: string): Promise<void> {
  await db.deleteFrom('nodes').where('node_id', '=', node_id).execute();
}

/** The earlier time of this machine's clock and the database's: a single clock that is ahead has no effect. */
export async function earlierClockMs(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from now()) * 1000)::float8 as ms`.execute(db);
  return Math.min(Date.now(), rows[0]?.ms ?? 0);
}

/** The ids of nodes with a heartbeat. */
export async function living(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('nodes').select('node_id').execute();
  return rows.map(({ node_id }) => node_id);
}
