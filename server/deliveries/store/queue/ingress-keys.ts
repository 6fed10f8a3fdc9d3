/**
 * Deduplication keys: the sources' ids of their messages. A key is valid for DEDUPLICATION_HOURS; a message with an
 * older key counts as new. The fragments are parts of the statement that stores events (delivery-queue.ts).
 */
import { sql } from 'kysely';
import { DEDUPLICATION_HOURS } from '../../../../contract/limits.ts';
import type { Db } from '../../../platform/database/schema.ts';

/** The event that has a key. */
export type KeyRow = { trigger_id: string; key: string; event_id: string };

const isOld = sql`k.at < now() - ${sql.lit(DEDUPLICATION_HOURS)} * interval '1 hour'`;

/**
 * `keyed`: the keys of the events in `given`, each with the event that has it. Of several events with one key, the
 * first has it. Sorted by key, which prevents deadlocks between two such statements.
 */
export const claimKeys = sql`keyed as (
  insert into ingress_keys as k (account_id, trigger_id, key, event_id, at)
  select distinct on (account_id, trigger_id, key) account_id, trigger_id, key, event_id, now()
  from given where key is not null order by account_id, trigger_id, key, event_id
  on conflict (account_id, trigger_id, key) do update set
    event_id = case when ${isOld} then excluded.event_id else k.event_id end,
    at = case when ${isOld} then excluded.at else k.at end
  returning trigger_id, key, event_id
)`;

/** Events of `given` without a key, or with a key that no other event has. */
export const isNew = sql`key is null or event_id in (select event_id from keyed)`;
export const withoutDuplicates = sql`where ${isNew}`;

/** Deletes up to `limit` expired keys; returns the number. */
export async function deleteOldKeys(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ingress_keys k where ${isOld} and (account_id, trigger_id, key) in (
      select account_id, trigger_id, key from ingress_keys k where ${isOld} order by at limit ${limit}
      for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
