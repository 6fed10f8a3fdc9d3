/**
 * The table `deliveries` as a queue. A row waits until `next_at` (waiting-deliveries.ts finds due rows). A leased row
 * has `leased_by`, and its lease ends at `next_at` at the latest. Finished rows have neither. All times are those of
 * the database, which the nodes share.
 */

import { sql } from 'kysely';
import type { DeliveryReason, DeliveryStatus } from '../../../../contract/states.ts';
import type { RequestValues } from '../../../../contract/text/request-values.ts';
import { type Columns, few, givenRows } from '../../../platform/database/given-rows.ts';
import { PREPARED } from '../../../platform/database/prepared.ts';
import type {
  AttemptsTable,
  Db,
  DeliveriesTable,
  EventRequestsTable,
  EventsTable,
  Tx,
} from '../../../platform/database/schema.ts';
import type { Trace } from '../../../platform/tracing/trace.ts';
import type { RecordedDestination } from '../destinations/destinations.ts';
import { isLate, noteLate } from '../events/figures.ts';
import { claimKeys, isNew, type KeyRow, withoutDuplicates } from './ingress-keys.ts';
import type { Lease } from './lease.ts';
import { leavePlaces, place } from './ordered-deliveries.ts';
import { type RouteVersion, staleOf } from './routes.ts';
import { LISTED, listWaiting } from './waiting-deliveries.ts';

/** `key`: the source's id of the event, if any. `request`: the source's request, if any. */
export type NewEventRow = Omit<EventsTable, 'xid' | 'request_id' | 'traceparent' | 'tracestate'> & {
  key?: string | null;
  request_id?: string | null;
  request?: NewRequest | null;
  trace?: Trace | undefined;
};
/** The request of a source, as stored with an event; see EventRequestsTable. */
export type NewRequest = { values: RequestValues; text: string } & Pick<EventRequestsTable, 'body' | 'body_of'>;
export type NewDeliveryRow = Pick<
  DeliveriesTable,
  | 'account_id'
  | 'event_id'
  | 'delivery_id'
  | 'trigger_id'
  | 'destination_id'
  | 'status'
  | 'reason'
  | 'origin'
  | 'leased_by'
  | 'created_at'
  | 'replay_id'
  | 'webhook_id'
> & { destination: RecordedDestination; order_key?: string | null };

const EVENT: Columns<NewEventRow> = {
  account_id: ['uuid', (row) => row.account_id],
  event_id: ['uuid', (row) => row.event_id],
  trigger_id: ['uuid', (row) => row.trigger_id],
  received_at: ['timestamptz', (row) => row.received_at],
  payload: ['text', (row) => row.payload],
  replay_of: ['uuid', (row) => row.replay_of],
  request_id: ['text', (row) => row.request_id],
  traceparent: ['text', (row) => row.trace?.traceparent],
  tracestate: ['text', (row) => row.trace?.tracestate],
  key: ['text', (row) => row.key],
  request: ['text', (row) => row.request?.text],
  body: ['bytea', (row) => row.request?.body],
  body_of: ['uuid', (row) => row.request?.body_of],
};
const DELIVERY: Columns<NewDeliveryRow> = {
  account_id: ['uuid', (row) => row.account_id],
  event_id: ['uuid', (row) => row.event_id],
  delivery_id: ['uuid', (row) => row.delivery_id],
  trigger_id: ['uuid', (row) => row.trigger_id],
  destination_id: ['uuid', (row) => row.destination_id],
  destination_name: ['text', (row) => row.destination.name],
  destination_url: ['text', (row) => row.destination.url],
  destination_method: ['text', (row) => row.destination.method],
  status: ['text', (row) => row.status],
  reason: ['text', (row) => row.reason],
  origin: ['text', (row) => row.origin],
  leased_by: ['uuid', (row) => row.leased_by],
  created_at: ['timestamptz', (row) => row.created_at],
  replay_id: ['uuid', (row) => row.replay_id],
  webhook_id: ['text', (row) => row.webhook_id],
  order_key: ['uuid', (row) => row.order_key],
};

/** Skipped rows: duplicate keys with the existing event id; triggers whose version changed. */
export type Inserted = { keys: KeyRow[]; stale: string[] };

/** The first part of a union names its columns. */
const NO_KEYS = sql`select null::uuid as trigger_id, null::text as key, null::uuid as event_id where false`;

const isOrdered = ({ order_key }: NewDeliveryRow) => order_key != null;

/**
 * Inserts events and their deliveries in one statement. A delivery that is already stored is unchanged. An event whose
 * key its trigger received recently is skipped with its deliveries; the result has the event id for each key. All
 * events of a trigger whose version differs from `routes` are skipped, too.
 */
export async function insert(
  db: Db | Tx,
  events: NewEventRow[],
  deliveries: NewDeliveryRow[],
  leaseMs: number,
  routes: RouteVersion[] = [],
): Promise<Inserted> {
  const withKeys = events.some(({ key }) => key != null);
  const isFresh = routes.length > 0 ? sql`trigger_id not in (select trigger_id from stale)` : sql`true`;
  const someWait = deliveries.some(({ status, leased_by }) => status === 'PENDING' && leased_by === null);
  const withRequests = events.some(({ request }) => request != null);
  const { rows } = await sql<{ trigger_id: string; key: string | null; event_id: string | null }>`${PREPARED}
    with ${routes.length > 0 ? sql`${staleOf(routes)},` : sql``} given as (
      select * from ${givenRows(events, EVENT, 'r')} where ${isFresh}
    ), ${withKeys ? sql`${claimKeys},` : sql``} e as (
      insert into events (account_id, event_id, trigger_id, received_at, payload, replay_of, request_id, traceparent,
        tracestate)
      select account_id, event_id, trigger_id, received_at, payload, replay_of, request_id, traceparent, tracestate
      from given
      ${withKeys ? withoutDuplicates : sql``}
    ), ${withRequests ? sql`${storeRequests(withKeys)},` : sql``} d as (
    insert into deliveries as d (account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, reason, origin, replay_id, webhook_id, order_key, created_at, attempts,
      leased_by, next_at, finished_at)
    select account_id, event_id, delivery_id, trigger_id, destination_id, destination_name,
      destination_url, destination_method, status, reason, origin, replay_id, webhook_id, order_key, created_at,
      case when leased_by is null then 0 else 1 end,
      leased_by,
      case when status <> 'PENDING' then null when leased_by is null then now()
        else now() + ${leaseMs} * interval '1 millisecond' end,
      case when status <> 'PENDING' then created_at end
    from ${givenRows(deliveries, DELIVERY, 'r')}
    where ${withKeys ? sql`event_id in (select event_id from given ${withoutDuplicates})` : isFresh}
    on conflict (account_id, event_id, destination_id) do nothing
    returning ${LISTED}, d.order_key
    )${someWait ? sql`, listed as (${listWaiting('d')})` : sql``}
    ${deliveries.some(isOrdered) ? sql`, placed as (${place('d')})` : sql``}
    ${deliveries.some(isLate) ? sql`, noted as (${noteLate('d')})` : sql``}
    ${withKeys ? sql`select trigger_id, key, event_id from keyed` : NO_KEYS}
    ${routes.length > 0 ? sql`union all select trigger_id, null, null from stale` : sql``}
  `.execute(db);
  const isKey = (row: (typeof rows)[number]): row is KeyRow => row.key !== null;
  return { keys: rows.filter(isKey), stale: rows.filter((row) => !isKey(row)).map(({ trigger_id }) => trigger_id) };
}

/** Part of the statement: the requests of the events that are stored. */
const storeRequests = (withKeys: boolean) => sql`q as (
  insert into event_requests (account_id, event_id, request, body, body_of)
  select account_id, event_id, request, body, body_of from given
  where request is not null ${withKeys ? sql`and (${isNew})` : sql``}
)`;

/**
 * Releases leases that were not sent, with their attempt number; the deliveries are due at once, except those that were
 * canceled. First attempts are due in order of receipt, before deliveries that were stored later.
 */
export async function release(db: Db, node_id: string, leases: Lease[]): Promise<void> {
  const keys = leases.map(({ payload: _, request: __, original: ___, ...key }) => key);
  await sql`
    with released as (
      update deliveries d set leased_by = null, attempts = d.attempts - 1,
        next_at = case when d.next_at is not null then least(now() - coalesce(r.held_ms, 0) * interval '1 millisecond',
          case when d.origin = 'EVENT' then d.created_at end) end
      from json_to_recordset(${JSON.stringify(keys)}::json)
        as r(account_id uuid, event_id uuid, delivery_id uuid, number int, generation int, held_ms float8)
      where d.account_id = r.account_id and d.event_id = r.event_id and d.delivery_id = r.delivery_id
        and d.attempts = r.number and d.generation = r.generation and d.leased_by = ${node_id}
      returning ${LISTED}
    )
    ${listWaiting('released')}
  `.execute(db);
}

/** The attempt, as stored. */
export type Sent = Omit<AttemptsTable, 'account_id' | 'event_id' | 'delivery_id' | 'number' | 'origin' | 'reason'>;
/** The outcome of a lease. `sent` is null if no attempt was made. */
export type Completion = Pick<
  Lease,
  'account_id' | 'event_id' | 'delivery_id' | 'number' | 'step' | 'generation' | 'origin'
> & {
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  /** Milliseconds to the next attempt; null when there is none. */
  retry_ms: number | null;
  /** The same for a new schedule, because a replay may have joined. Null if a retry cannot succeed. */
  restart_ms: number | null;
  /** Attempts of the schedule that were due while the circuit breaker held the delivery. */
  used: number;
  finished_at: string;
  /** The destination was failing when the attempt began. */
  was_failing: boolean;
  /** It has a place in the order of its destination. */
  isOrdered?: boolean;
  sent: Sent | null;
  /** The run of a transformation that returned null. */
  transform?: Pick<Sent, 'run_id' | 'function_id'> | null;
};
const COMPLETION: Columns<Completion> = {
  account_id: ['uuid', (row) => row.account_id],
  event_id: ['uuid', (row) => row.event_id],
  delivery_id: ['uuid', (row) => row.delivery_id],
  number: ['int', (row) => row.number],
  step: ['int', (row) => row.step],
  generation: ['int', (row) => row.generation],
  origin: ['text', (row) => row.origin],
  status: ['text', (row) => row.status],
  reason: ['text', (row) => row.reason],
  retry_ms: ['float8', (row) => row.retry_ms],
  restart_ms: ['float8', (row) => row.restart_ms],
  used: ['int', (row) => row.used],
  finished_at: ['timestamptz', (row) => row.finished_at],
  was_sent: ['bool', (row) => row.sent !== null],
  started_at: ['timestamptz', (row) => row.sent?.started_at],
  duration_ms: ['int', (row) => row.sent?.duration_ms],
  request_method: ['text', (row) => row.sent?.request_method],
  request_url: ['text', (row) => row.sent?.request_url],
  request_headers: ['text', (row) => row.sent?.request_headers],
  request_body: ['text', (row) => row.sent?.request_body],
  response_status: ['int', (row) => row.sent?.response_status],
  response_headers: ['text', (row) => row.sent?.response_headers],
  response_body: ['text', (row) => row.sent?.response_body],
  response_truncated: ['bool', (row) => row.sent?.response_truncated],
  error_message: ['text', (row) => row.sent?.error_message],
  run_id: ['uuid', (row) => (row.sent ? row.sent.run_id : row.transform?.run_id)],
  function_id: ['uuid', (row) => (row.sent ? row.sent.function_id : row.transform?.function_id)],
  replay_id: ['uuid', (row) => row.sent?.replay_id],
  webhook_id: ['text', (row) => row.sent?.webhook_id],
  payload_at: ['int', (row) => row.sent?.payload_at],
  transform_function_id: ['uuid', (row) => row.sent?.transform_function_id],
  transform_version: ['int', (row) => row.sent?.transform_version],
  transform_run_id: ['uuid', (row) => row.sent?.transform_run_id],
};
/** The current state of the delivery. `wait_ms`: until its next attempt. */
export type Completed = Pick<Lease, 'account_id' | 'event_id' | 'delivery_id' | 'trigger_id' | 'destination_id'> & {
  status: DeliveryStatus;
  wait_ms: number | null;
};

/**
 * Records attempts and updates their deliveries, in one statement. Fenced: a worker that returns after another one has
 * claimed the delivery (a different attempt number) or after a replay (a different generation) adds its attempt and
 * does not change the state. A delivery that was canceled during the attempt stays CANCELED unless it succeeded.
 */
export async function complete(db: Db, completions: Completion[]): Promise<Completed[]> {
  const isCanceled = sql`d.status = 'CANCELED'`;
  // A replay that joined has set the step back.
  const wait = sql`case when r.restart_ms is null or ${isCanceled} then null
    when d.step < r.step then r.restart_ms else r.retry_ms end`;
  const someWait = completions.some(({ retry_ms, restart_ms }) => retry_ms !== null || restart_ms !== null);
  const { rows } = await sql<Completed>`${PREPARED}
    with r as materialized (
      select * from ${givenRows(completions, COMPLETION, 'r')}
      where ${few('r.number')}
    ), kept as (
      insert into attempts (account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
        request_url, request_headers, request_body, response_status, response_headers, response_body,
        response_truncated, reason, error_message, run_id, function_id, replay_id, webhook_id, payload_at,
        transform_function_id, transform_version, transform_run_id)
      select account_id, event_id, delivery_id, number, origin, started_at, duration_ms, request_method,
        request_url, request_headers, request_body, response_status, response_headers, response_body,
        response_truncated, reason, error_message, run_id, function_id, replay_id, webhook_id, payload_at,
        transform_function_id, transform_version, transform_run_id
      from r where was_sent
      on conflict do nothing
    ), moved as (
    update deliveries d set
      status = case when ${isCanceled} and r.status <> 'SUCCEEDED' then 'CANCELED' when r.restart_ms is null then r.status
        when ${wait} is null then 'FAILED' else 'RETRYING' end,
      reason = case when ${isCanceled} and r.status <> 'SUCCEEDED' then d.reason else r.reason end,
      next_at = now() + ${wait} * interval '1 millisecond',
      finished_at = case when ${wait} is null then r.finished_at end,
      leased_by = null,
      attempts = case when r.was_sent then d.attempts else d.attempts - 1 end,
      step = case when not r.was_sent then d.step when d.step < r.step then 1 else r.step + 1 + r.used end,
      origin = case when r.was_sent and d.origin = 'EVENT' then 'RETRY' else d.origin end,
      destination_url = coalesce(r.request_url, d.destination_url),
      destination_method = coalesce(r.request_method, d.destination_method),
      last_attempt_at = coalesce(r.started_at, d.last_attempt_at),
      last_response_status = case when r.was_sent then r.response_status else d.last_response_status end,
      last_response_body = case when r.was_sent then r.response_body else d.last_response_body end,
      last_response_duration = case when r.was_sent then r.duration_ms else d.last_response_duration end,
      last_error_message = case when r.was_sent then r.error_message else d.last_error_message end,
      last_run_id = case when r.was_sent or r.run_id is not null then r.run_id else d.last_run_id end,
      last_function_id = case when r.was_sent or r.run_id is not null then r.function_id else d.last_function_id end
    from r
    where d.account_id = r.account_id and d.event_id = r.event_id and d.delivery_id = r.delivery_id
      and d.attempts = r.number and d.generation = r.generation
      and (d.next_at is not null or ${isCanceled} and d.leased_by is not null)
    returning ${LISTED}, d.trigger_id, d.status
    )${someWait ? sql`, listed as (${listWaiting('moved')})` : sql``}
    ${completions.some((each) => each.isOrdered) ? sql`, left_places as (${leavePlaces('moved')})` : sql``}
    ${completions.some(isLate) ? sql`, noted as (${noteLate('r')})` : sql``}
    select account_id, event_id, delivery_id, trigger_id, destination_id, status,
      (extract(epoch from next_at - now()) * 1000)::float8 as wait_ms
    from moved
  `.execute(db);
  return rows;
}
