/** Events, deliveries and attempts in the shape of the API. */

import type { Reply } from '../../../contract/operations.ts';
import { type DeliveryReason, isOpen } from '../../../contract/states.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Db, DeliveriesTable, Tx } from '../../platform/database/schema.ts';
import { traceIdOf } from '../../platform/tracing/trace.ts';
import * as store from '../store/events/events.ts';
import type { AttemptRow } from '../store/queue/attempts.ts';
import * as attemptStore from '../store/queue/attempts.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import { type HeldRow, heldOf } from '../store/queue/held-deliveries.ts';
import { type PlaceRow, placesOf } from '../store/queue/ordered-deliveries.ts';

type EventDetail = Reply<'eventGet'>['event'];
type EventRow = Reply<'eventList'>['events'][number];
type Attempt = Reply<'attemptList'>['attempts'][number];

/** One event with its deliveries and its request; 404 if it belongs to another trigger. */
export async function getDetail(
  ctx: Pick<Ctx, 'account_id' | 'db'>,
  trigger_id: string,
  event_id: string,
  db: Db | Tx = ctx.db,
): Promise<EventDetail> {
  const event = await store.find(db, ctx.account_id, trigger_id, event_id);
  if (!event) throw notFound('Event');
  const deliveries = await deliveryStore.listOf(db, ctx.account_id, event_id);
  const held = deliveries.some(({ status, leased_by }) => isOpen(status) && leased_by === null)
    ? await heldOf(db, ctx.account_id, event_id)
    : [];
  const heldBy = new Map(held.map((each) => [each.delivery_id, each]));
  const places = deliveries.some(({ order_key }) => order_key !== null)
    ? await placesOf(db, ctx.account_id, event_id)
    : [];
  const placeOf = new Map(places.map((each) => [each.delivery_id, each]));
  const request = (await store.requestsOf(db, ctx.account_id, [event_id])).get(event_id);
  return {
    ...coreOf(event),
    deliveries: deliveries.map((row) =>
      describeDelivery(row, heldBy.get(row.delivery_id), placeOf.get(row.delivery_id)),
    ),
    request: request ? describeRequest(request) : null,
  };
}

function describeRequest({ method, path, query, headers, size }: store.StoredRequest): EventDetail['request'] {
  return { method, path, query, headers, content_type: headers['content-type'] ?? null, size };
}

/** Rows of a list: each event with its counts and the outcome of each delivery. */
export async function describeRows(ctx: Ctx, events: store.ListedEvent[]): Promise<EventRow[]> {
  const rows = await withOutcomes(ctx, events);
  return rows.map((row) => ({
    ...row,
    payload: parseExactly(row.payload ?? '{}') as Record<string, unknown>,
    ...(row.payload === null ? { payload_omitted: true as const } : {}),
  }));
}

/** A row with its payload as stored text; null if it is too large for a list. */
export type RowWithText = Omit<EventRow, 'payload' | 'payload_omitted'> & { payload: string | null };

/** The same with the payloads as stored text. */
export async function withOutcomes(
  ctx: Pick<Ctx, 'account_id' | 'db'>,
  events: store.ListedEvent[],
): Promise<RowWithText[]> {
  const ids = events.map(({ event_id }) => event_id);
  const outcomes = Map.groupBy(await deliveryStore.outcomesOf(ctx.db, ctx.account_id, ids), ({ event_id }) => event_id);
  return events.map(({ account_id: _, pinned_at, pinned_by, pin_note, traceparent, tracestate: __, ...event }) => {
    const own = outcomes.get(event.event_id) ?? [];
    const count = (status: string) => own.filter((each) => each.status === status).length;
    return {
      ...event,
      trace_id: traceparent && traceIdOf(traceparent),
      pin: pinOf({ pinned_at, pinned_by, pin_note }),
      delivery_counts: { total: own.length, succeeded: count('SUCCEEDED'), failed: count('FAILED') },
      outcomes: own.map(({ event_id: ___, leased_by: ____, ...outcome }, index) => ({
        ...outcome,
        attempts: finishedAttempts(own[index] ?? { attempts: 0, leased_by: null }),
      })),
    };
  });
}

function coreOf(row: store.EventRow) {
  const { account_id: _, payload, pinned_at, pinned_by, pin_note, traceparent, tracestate: __, ...rest } = row;
  return {
    ...rest,
    trace_id: traceparent && traceIdOf(traceparent),
    pin: pinOf({ pinned_at, pinned_by, pin_note }),
    payload: parseExactly(payload) as Record<string, unknown>,
  };
}

const pinOf = ({ pinned_at, pinned_by, pin_note }: Pick<store.EventRow, 'pinned_at' | 'pinned_by' | 'pin_note'>) =>
  pinned_at === null ? null : { at: pinned_at, by: pinned_by ?? '', note: pin_note };

/** A lease counts its attempt before the attempt is finished. */
const finishedAttempts = (row: Pick<DeliveriesTable, 'attempts' | 'leased_by'>) =>
  row.leased_by === null ? row.attempts : row.attempts - 1;

function describeDelivery(
  row: DeliveriesTable,
  held: HeldRow | undefined,
  place: PlaceRow | undefined,
): EventDetail['deliveries'][number] {
  const ahead = isOpen(row.status) ? (place?.ahead ?? null) : null;
  const dueAt = isOpen(row.status) && row.leased_by === null && ahead === null ? row.next_at : null;
  return {
    delivery_id: row.delivery_id,
    destination_id: row.destination_id,
    status: row.status,
    reason: waitingReason(held, ahead) ?? row.reason,
    attempts: finishedAttempts(row),
    last_response_status: row.last_response_status,
    last_response_body: row.last_response_body,
    last_response_duration: row.last_response_duration,
    last_error_message: row.last_error_message,
    ...deliveryStore.destinationOf(row),
    last_attempt_at: row.last_attempt_at,
    created_at: row.created_at,
    finished_at: row.finished_at,
    next_attempt_at: nextAttemptAt(dueAt, held),
    waits_for_event_id: ahead,
    blocks_others: place?.blocks ?? false,
    last_run_id: row.last_run_id,
    last_function_id: row.last_function_id,
  };
}

function waitingReason(held: HeldRow | undefined, ahead: string | null): DeliveryReason | undefined {
  if (held?.paused) return 'DESTINATION_PAUSED';
  if (ahead !== null) return 'WAITS_IN_ORDER';
  return held ? 'CIRCUIT_OPEN' : undefined;
}

/** The due time, or the next probes of an open breaker if they are later; unknown while paused. */
function nextAttemptAt(dueAt: string | null, held: HeldRow | undefined): string | null {
  if (!held || dueAt === null) return dueAt;
  if (held.paused) return null;
  return held.open_until !== null && held.open_until > dueAt ? held.open_until : dueAt;
}

/** `transform`: its transformation, from `describeRuns`. */
export function describeAttempt(row: AttemptRow, transform: Attempt['transform'] = null): Attempt {
  return {
    number: row.number,
    origin: row.origin,
    started_at: row.started_at,
    duration_ms: row.duration_ms,
    request: attemptStore.requestOf(row),
    response:
      row.response_status === null
        ? null
        : {
            status: row.response_status,
            headers: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
            body: row.response_body ?? '',
            truncated: row.response_truncated,
          },
    reason: row.reason,
    error_message: row.error_message,
    run_id: row.run_id,
    function_id: row.function_id,
    transform,
    replay_id: row.replay_id,
    webhook_id: row.webhook_id ?? row.event_id,
  };
}
