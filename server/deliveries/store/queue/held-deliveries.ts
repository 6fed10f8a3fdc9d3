/**
 * Due deliveries that the circuit breaker of their destination holds. A node writes to the destination the time until
 * which its breaker is open (store/destination-health.ts). The mark expires, so that a node that ends leaves none.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/schema.ts';

/** Longer than an attempt of a half-open breaker takes until its result is stored. */
const EXPIRES_S = 60;

/** Whether the circuit breaker of the destination `x` is open or half-open. */
export const isCircuitOpen = (alias: string): RawBuilder<boolean> => sql<boolean>`
  (${sql.ref(`${alias}.circuit_open_until`)} > now() - ${EXPIRES_S} * interval '1 second')`;

/** Whether the circuit breaker holds the delivery `alias`. At a paused destination nothing is held. */
export const isHeld = (alias: 'd' | 'o'): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`(${column('status')} in ('PENDING', 'RETRYING') and ${column('leased_by')} is null
    and ${column('next_at')} <= now() and exists (select from destinations x
      where x.account_id = ${column('account_id')} and x.destination_id = ${column('destination_id')}
        and x.paused_at is null and ${isCircuitOpen('x')}))`;
};

/** `paused`: its destination is paused. Otherwise its breaker is open until `open_until`. */
export type HeldRow = { delivery_id: string; open_until: string | null; paused: boolean };

/** The deliveries of one event that a circuit breaker or a pause holds. */
export async function heldOf(db: Db | Tx, account_id: string, event_id: string): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select d.delivery_id, x.circuit_open_until as open_until, x.paused_at is not null as paused
    from deliveries d join destinations x on x.account_id = d.account_id and x.destination_id = d.destination_id
    where d.account_id = ${account_id} and d.event_id = ${event_id}
      and (${isHeld('d')} or x.paused_at is not null and d.status in ('PENDING', 'RETRYING') and d.leased_by is null)
  `.execute(db);
  return rows;
}
