/**
 * Finds the row of an id with one index probe per table. Tables partitioned by day are keyed by UUIDv7, so the id
 * determines the partition. Two ids are not keys of their table:
 *
 * - `delivery_id`: deliveries are keyed by event. A delivery is nearly always created in the same 4-second slot as its
 *   event (the first 36 bits of both ids are equal), so the probe reads the account's deliveries of that slot; the
 *   others have an entry in the partial index `deliveries_late`.
 * - `webhook_id` of a replay as a new message: the partial index `attempts_webhook`.
 *
 * These two, and request ids, need a probe in every partition, and planning takes longer than the probes. They are
 * therefore read only if nothing else has the id, by prepared statements.
 *
 * As everywhere, rows of a deleted trigger, function or connection are omitted.
 */
import { type RawBuilder, sql } from 'kysely';
import type { LookupKind, LookupMatchedBy } from '../../../contract/states.ts';
import { timestampAt } from '../../lib/clock.ts';
import { msOf } from '../../lib/ids.ts';
import { PREPARED } from '../../platform/database/prepared.ts';
import type { Db } from '../../platform/database/schema.ts';

export type LookupRow = {
  kind: LookupKind;
  id: string;
  name: string;
  detail: string | null;
  at: string;
  matched: LookupMatchedBy;
  params: Record<string, string | number>;
};

/** Limit per table, for a request id that a client reuses. */
const MATCHES_MAX = 10;
/** The first 36 bits of an id as text: about four seconds. */
const SLOT_CHARS = 10;

/** All rows with this id, of any kind. */
export async function byId(db: Db, account_id: string, id: string): Promise<LookupRow[]> {
  const own = sql`account_id = ${account_id}`;
  const found = await read(db, 'ID', [
    sql`select 'TRIGGER' as kind, trigger_id as id, name, event_type as detail, created_at as at,
      json_build_object('trigger_id', trigger_id) as params
      from triggers where ${own} and trigger_id = ${id}`,
    sql`select 'DESTINATION', d.destination_id, coalesce(nullif(d.name, ''), d.url), t.name, d.created_at,
      json_build_object('trigger_id', d.trigger_id, 'destination_id', d.destination_id)
      from destinations d join triggers t using (account_id, trigger_id)
      where d.account_id = ${account_id} and d.destination_id = ${id}`,
    sql`select 'FUNCTION', function_id, name, label, created_at, json_build_object('function_id', function_id)
      from functions where ${own} and function_id = ${id}`,
    sql`select 'CONNECTION', connection_id, coalesce(name, app), app, creation_time,
      json_build_object('connection_id', connection_id)
      from connections where ${own} and connection_id = ${id}`,
    sql`select 'REPLAY', replay_id, 'Bulk replay', status, created_at, json_build_object('replay_id', replay_id)
      from replays where ${own} and replay_id = ${id}`,
    sql`select 'API_KEY', key_id, name, prefix, created_at, json_build_object('key_id', key_id)
      from api_keys where ${own} and key_id = ${id}`,
    sql`select 'MEMBER', user_id, name, role, created_at, json_build_object('user_id', user_id)
      from users where ${own} and user_id = ${id}`,
    audited(sql`${own} and audit_id = ${id}`),
    eventWhere(sql`e.account_id = ${account_id} and e.event_id = ${id}`),
    deliveryWhere(
      sql`d.account_id = ${account_id} and d.delivery_id = ${id}
        and d.event_id between ${slotEdge(id, '0')} and ${slotEdge(id, 'f')}`,
    ),
    sql`select 'RUN', r.run_id, r.method || ' ' || r.path, f.name, r.created_at,
      json_build_object('function_id', r.function_id, 'run_id', r.run_id)
      from runs r join functions f using (account_id, function_id)
      where r.account_id = ${account_id} and r.run_id = ${id}`,
    callWhere(sql`c.account_id = ${account_id} and c.call_id = ${id}`),
    rejectionWhere(sql`r.account_id = ${account_id} and r.rejection_id = ${id}`),
  ]);
  return found.length > 0 ? found : inEveryPartition(db, account_id, id);
}

/** A delivery that was added to its event later, or the newest attempt with this `webhook-id`. */
async function inEveryPartition(db: Db, account_id: string, id: string): Promise<LookupRow[]> {
  const late = await read(
    db,
    'ID',
    [
      deliveryWhere(
        sql`d.account_id = ${account_id} and d.delivery_id = ${id}
          and left(d.delivery_id::text, ${sql.lit(SLOT_CHARS)}) <> left(d.event_id::text, ${sql.lit(SLOT_CHARS)})`,
      ),
    ],
    PREPARED,
  );
  if (late.length > 0) return late;
  const sent = await sql<{ event_id: string; delivery_id: string; number: number }>`${PREPARED}
    select event_id, delivery_id, number from attempts
    where account_id = ${account_id} and webhook_id = ${id} order by number desc limit 1`.execute(db);
  const [attempt] = sent.rows;
  if (!attempt) return [];
  const { event_id, delivery_id, number } = attempt;
  return read(db, 'ID', [
    sql`select 'ATTEMPT' as kind, a.delivery_id as id, d.destination_name as name, t.name as detail, a.started_at as at,
      json_build_object('trigger_id', d.trigger_id, 'event_id', a.event_id, 'delivery_id', a.delivery_id,
        'attempt', a.number) as params
      from attempts a join deliveries d using (account_id, event_id, delivery_id)
        join triggers t on t.account_id = d.account_id and t.trigger_id = d.trigger_id
      where a.account_id = ${account_id} and a.event_id = ${event_id} and a.delivery_id = ${delivery_id}
        and a.number = ${number} and d.event_id = ${event_id}`,
  ]);
}

/** The results of requests with one of these ids: events first, then calls, rejections and other changes. */
export async function byRequestId(db: Db, account_id: string, ids: string[]): Promise<LookupRow[]> {
  const newest = (query: RawBuilder<unknown>) =>
    sql`select * from (${query} order by 2 desc limit ${MATCHES_MAX}) newest`;
  const queries = [
    newest(eventWhere(sql`e.account_id = ${account_id} and e.request_id = any(${ids}::text[])`)),
    newest(callWhere(sql`c.account_id = ${account_id} and c.request_id = any(${ids}::text[])`)),
    newest(rejectionWhere(sql`r.account_id = ${account_id} and r.request_id = any(${ids}::text[])`)),
    newest(audited(sql`account_id = ${account_id} and request_id = any(${ids}::text[])`)),
  ];
  return read(db, 'REQUEST_ID', queries, PREPARED);
}

const eventWhere = (is: RawBuilder<unknown>) => sql`
  select 'EVENT' as kind, e.event_id as id, t.event_type as name, t.name as detail, e.received_at as at,
    json_build_object('trigger_id', e.trigger_id, 'event_id', e.event_id) as params
  from events e join triggers t using (account_id, trigger_id) where ${is}`;

const deliveryWhere = (is: RawBuilder<unknown>) => sql`
  select 'DELIVERY' as kind, d.delivery_id as id, d.destination_name as name, t.name as detail, d.created_at as at,
    json_build_object('trigger_id', d.trigger_id, 'event_id', d.event_id, 'delivery_id', d.delivery_id) as params
  from deliveries d join triggers t using (account_id, trigger_id) where ${is}`;

/** Their time is the time in their id. */
const callWhere = (is: RawBuilder<unknown>) => sql`
  select 'GATEWAY_CALL', c.call_id, c.method || ' ' || c.path, c.app, null::timestamptz,
    json_build_object('connection_id', c.connection_id, 'call_id', c.call_id)
  from gateway_calls c join connections using (account_id, connection_id) where ${is}`;

const rejectionWhere = (is: RawBuilder<unknown>) => sql`
  select 'REJECTION', r.rejection_id, r.cause, t.name, null::timestamptz,
    json_build_object('trigger_id', r.trigger_id, 'rejection_id', r.rejection_id)
  from rejections r join triggers t using (account_id, trigger_id) where ${is}`;

const audited = (is: RawBuilder<unknown>) => sql`
  select 'AUDIT_ENTRY', audit_id, operation, actor_name, at,
    json_strip_nulls(json_build_object('audit_id', audit_id, 'resource_id', resource_id))
  from audit where ${is}`;

const slotEdge = (id: string, digit: '0' | 'f') =>
  id.slice(0, SLOT_CHARS) + id.slice(SLOT_CHARS).replace(/[0-9a-f]/g, digit);

type Found = Omit<LookupRow, 'at' | 'matched'> & { at: string | null };

async function read(
  db: Db,
  matched: LookupMatchedBy,
  queries: RawBuilder<unknown>[],
  mark: RawBuilder<unknown> = sql``,
): Promise<LookupRow[]> {
  const { rows } = await sql<Found>`${mark}${sql.join(queries, sql` union all `)}`.execute(db);
  return rows.map((row) => ({
    ...row,
    at: row.at ?? timestampAt(msOf(row.id)),
    matched: row.kind === 'ATTEMPT' ? 'WEBHOOK_ID' : matched,
  }));
}
