/**
 * Sources' own ids of what they send, so that what comes twice is stored once. A key counts for DEDUPLICATION_HOURS;
 * one that is older counts as new. The fragments are parts of the statement that stores events (delivery-queue.ts).
 */
import { sql } from 'kysely';
import { DEDUPLICATION_HOURS } from '../../../contract/limits.ts';
import type { Db } from '../../platform/database/schema.ts';

/** Which event has a source's own id. */
export type KeyRow = { trigger_id: string; key: string; event_id: string };

const isOld = sql`k.at < now() - ${sql.lit(DEDUPLICATION_HOURS)} * interval '1 hour'`;

/**
 * `keyed`: the keys of the events in `given`, each with the event that has it from now on. Of several with the same key
 * the first has it. In order of key, so that two such statements never wait for each other.
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

/** Of `given`, what has no key or has it to itself. */
export const withoutDoubles = sql`where key is null or event_id in (select event_id from keyed)`;

/** Forgets keys that are too old to matter, some at a time. Answers how many. */
export async function forgetOldKeys(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ingress_keys k where ${isOld} and (account_id, trigger_id, key) in (
      select account_id, trigger_id, key from ingress_keys k where ${isOld} order by at limit ${limit}
      for update skip locked
    )
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
