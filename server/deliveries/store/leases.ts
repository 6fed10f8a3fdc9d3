/** Deliveries leased by nodes, and how those of nodes that no longer answer become due again. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import { LISTED, listWaiting } from './waiting-deliveries.ts';

/**
 * Forgets the nodes that were silent for so long, and frees what they had leased, in one transaction. Answers how many
 * nodes those were, and how many deliveries became due again.
 */
export async function freeSilent(db: Db, silentMs: number): Promise<{ silent: number; freed: number }> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ node_id: string }>`
      delete from nodes where heartbeat_at < now() - ${silentMs} * interval '1 millisecond' returning node_id
    `.execute(tx);
    if (rows.length === 0) return { silent: 0, freed: 0 };
    const silent = rows.map(({ node_id }) => node_id);
    return { silent: rows.length, freed: await free(tx, sql`d.leased_by = any(${silent}::uuid[])`) };
  });
}

/** Frees what any node has leased that doesn't beat; with `alone`, what any node but this one has. */
export async function freeOrphans(db: Db, node_id: string, alone: boolean): Promise<number> {
  return free(db, sql`d.leased_by <> ${node_id} and (${alone} or d.leased_by not in (select node_id from nodes))`);
}

/** A lease as the table has it: its holder may make attempt `number`. */
export type Leased = { account_id: string; event_id: string; delivery_id: string; number: number; mine: boolean };

/** What this node has leased, and leases without a live owner: leased by a node that doesn't beat, or for too long. */
export async function listDoubtful(db: Db, node_id: string): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    select account_id, event_id, delivery_id, attempts as number, leased_by = ${node_id} and next_at > now() as mine
    from deliveries
    where leased_by is not null and next_at is not null
      and (leased_by = ${node_id} or next_at <= now() or leased_by not in (select node_id from nodes))
  `.execute(db);
  return rows;
}

/** Frees these where they are leased as they were. */
export async function freeLeased(db: Db, leased: Leased[]): Promise<number> {
  return free(
    db,
    sql`(d.account_id, d.event_id, d.delivery_id, d.attempts) in (
      select account_id, event_id, delivery_id, number from json_to_recordset(${JSON.stringify(leased)}::json)
        as r(account_id uuid, event_id uuid, delivery_id uuid, number int))`,
  );
}

async function free(db: Db | Tx, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with freed as (
      update deliveries d set leased_by = null, next_at = now()
      where d.next_at is not null and d.leased_by is not null and (${which})
      returning ${LISTED}
    )
    ${listWaiting('freed')}
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
