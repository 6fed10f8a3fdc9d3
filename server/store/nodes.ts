import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Says that this node lives. By the database's clock, which all nodes share. */
export async function beat(db: Db, node_id: string): Promise<void> {
  await sql`
    insert into nodes (node_id, started_at, heartbeat_at) values (${node_id}, now(), now())
    on conflict (node_id) do update set heartbeat_at = now()
  `.execute(db);
}

export async function remove(db: Db, node_id: string): Promise<void> {
  await db.deleteFrom('nodes').where('node_id', '=', node_id).execute();
}

/** The nodes that beat. */
export async function living(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('nodes').select('node_id').execute();
  return rows.map(({ node_id }) => node_id);
}

/**
 * Forgets the nodes that were silent for so long, and frees what they had leased, in one transaction. Answers how many
 * deliveries became due again.
 */
export async function freeSilent(db: Db, silentMs: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ node_id: string }>`
      delete from nodes where heartbeat_at < now() - ${silentMs} * interval '1 millisecond' returning node_id
    `.execute(tx);
    if (rows.length === 0) return 0;
    const { numAffectedRows } = await sql`
      update deliveries set leased_by = null, next_at = now()
      where next_at is not null and leased_by = any(${rows.map(({ node_id }) => node_id)}::uuid[])
    `.execute(tx);
    return Number(numAffectedRows ?? 0n);
  });
}

/** Frees what any node has leased that doesn't beat; with `alone`, what any node but this one has. */
export async function freeOrphans(db: Db, node_id: string, alone: boolean): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set leased_by = null, next_at = now()
    where next_at is not null and leased_by is not null and leased_by <> ${node_id}
      and (${alone} or leased_by not in (select node_id from nodes))
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
