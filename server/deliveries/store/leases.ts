/** Leases of deliveries, and their release when a node expires. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';
import { LISTED, listWaiting } from './waiting-deliveries.ts';

/**
 * Deletes nodes without a heartbeat for `silentMs` and releases their leases, in one transaction. Returns the numbers
 * of nodes and of deliveries that became due.
 */
export async function releaseExpired(db: Db, silentMs: number): Promise<{ expired: number; released: number }> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ node_id: string }>`
      delete from nodes where heartbeat_at < now() - ${silentMs} * interval '1 millisecond' returning node_id
    `.execute(tx);
    if (rows.length === 0) return { expired: 0, released: 0 };
    const expired = rows.map(({ node_id }) => node_id);
    return { expired: rows.length, released: await release(tx, sql`d.leased_by = any(${expired}::uuid[])`) };
  });
}

/** Releases the leases of nodes without a heartbeat; with `alone`, those of every node except this one. */
export async function releaseOrphans(db: Db, node_id: string, alone: boolean): Promise<number> {
  return release(db, sql`d.leased_by <> ${node_id} and (${alone} or d.leased_by not in (select node_id from nodes))`);
}

/** A lease as stored: its holder may make attempt `number`. */
export type Leased = { account_id: string; event_id: string; delivery_id: string; number: number; mine: boolean };

/** Leases of this node, and leases without a live owner: the owner has no heartbeat, or the lease has expired. */
export async function listDoubtful(db: Db, node_id: string): Promise<Leased[]> {
  const { rows } = await sql<Leased>`
    select account_id, event_id, delivery_id, attempts as number, leased_by = ${node_id} and next_at > now() as mine
    from deliveries
    where leased_by is not null and next_at is not null
      and (leased_by = ${node_id} or next_at <= now() or leased_by not in (select node_id from nodes))
  `.execute(db);
  return rows;
}

/** Releases these leases if they are unchanged. */
export async function releaseLeased(db: Db, leased: Leased[]): Promise<number> {
  return release(
    db,
    sql`(d.account_id, d.event_id, d.delivery_id, d.attempts) in (
      select account_id, event_id, delivery_id, number from json_to_recordset(${JSON.stringify(leased)}::json)
        as r(account_id uuid, event_id uuid, delivery_id uuid, number int))`,
  );
}

async function release(db: Db | Tx, which: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    with released as (
      update deliveries d set leased_by = null, next_at = now()
      where d.next_at is not null and d.leased_by is not null and (${which})
      returning ${LISTED}
    )
    ${listWaiting('released')}
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
