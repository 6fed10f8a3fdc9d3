/**
 * Bulk operations on events that match a filter. Replays deliver them again at a limited rate, with progress, pause and
 * cancel. Cancellation ends their open deliveries (PENDING or RETRYING).
 */
import { z } from 'zod';
import { EventFilters } from './events.ts';
import { Id, limit, NextToken, NextTokenReply, StringMap, Timestamp, TimestampInput, VersionNumber } from './fields.ts';
import { PAGE, REPLAY_IDS_MAX } from './limits.ts';
import { DELIVERY_STATUSES, REPLAY_ITEM_STATES, REPLAY_STATUSES } from './states.ts';
import { TransformVersion } from './transforms/transform.ts';
import { BodyTemplate } from './triggers.ts';

/** Selects events by id, or all that match. At least one condition is required. */
const ReplayFilter = z.strictObject({
  event_ids: z.array(Id).min(1).max(REPLAY_IDS_MAX).optional(),
  trigger_id: Id.optional(),
  ...EventFilters,
  held: z.literal(true, 'expected true').optional(),
  pinned: z.literal(true, 'expected true').optional(),
});
export const ReplayCreate = z.strictObject({
  filter: ReplayFilter,
  destination_ids: z.array(Id).min(1).max(100).optional(),
  /** Only FAILED deliveries. */
  only_failed: z.boolean().optional(),
  /** Only SKIPPED deliveries. */
  only_skipped: z.boolean().optional(),
  /**
   * Only deliveries that the circuit breaker holds. With `only_failed`, both kinds: `filter.status` FAILED then matches
   * events with either.
   */
  only_held: z.boolean().optional(),
  /**
   * Only deliveries that have not succeeded, and whose filter did not skip them. Leaves out those that succeed before
   * they are sent again, and those of events with an edited copy that reached the same destination.
   */
  only_undelivered: z.boolean().optional(),
  /** Only deliveries skipped since this time because their destination was disabled. */
  missed_since: TimestampInput.optional(),
  /** Sends a new `webhook-id`, so that receivers treat it as a new message. */
  as_new: z.boolean().optional(),
  /** The version of the destination's function to call instead of the live one. Needs one id in `destination_ids`. */
  function_version: VersionNumber.optional(),
  /** The body template of these attempts and their retries. Needs one id in `destination_ids`. */
  body_template: BodyTemplate.unwrap().optional(),
  transform: TransformVersion.optional(),
  /** An upper limit. Each destination also receives no more than it completes. */
  rate_per_second: z.number().min(0.1).max(1000).optional(),
  /** Sends this many first, waits for their outcome, and stops automatically when more than half fail. */
  canary: z.int().min(1).max(100).optional(),
  dry_run: z.boolean().optional(),
});
export const Replay = z.object({
  replay_id: Id,
  status: z.enum(REPLAY_STATUSES),
  /** Why it stopped, or was paused, automatically. */
  reason: z.string().nullable(),
  /** Grows while `gathering`. */
  total: z.int(),
  /** Matching deliveries are still being collected. Sending starts when the collection is complete. */
  gathering: z.boolean(),
  done: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** Deliveries that were not sent: their destination is disabled or was deleted, or they succeeded meanwhile. */
  skipped: z.int(),
  rate_per_second: z.number(),
  /** Deliveries done per second, over the last ten seconds. Null unless it is RUNNING and sends. */
  current_rate_per_second: z.number().nullable(),
  /** At the current rate. Null while `gathering`, and while nothing is done. */
  seconds_left: z.int().nullable(),
  canary: z.int().nullable(),
  /** The version of the function that it calls; null: the live one. */
  function_version: z.int().nullable(),
  /** Its attempts use another body template than that of the destination. */
  has_body_template: z.boolean(),
  /** The problem whose deliveries it sends. */
  problem_id: Id.nullable(),
  /** The version of transformations that it uses. */
  transform: TransformVersion,
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
const Message = z.object({
  method: z.string(),
  url: z.string(),
  headers: StringMap,
  body: z.string().nullable(),
});
/** The request that would be sent now (`next`) and the `last` one; `problem` if nothing would be sent. */
export const DryRunItem = z.object({
  event_id: Id,
  trigger_id: Id,
  destination_id: Id,
  destination_name: z.string(),
  before_status: z.enum(DELIVERY_STATUSES).nullable(),
  last: Message.nullable(),
  next: Message.nullable(),
  problem: z.string().nullable(),
});
/**
 * Destinations with an open circuit breaker: their deliveries wait until one succeeds. `until`: when the next probes
 * are sent. The deliveries of a canary are sent at once.
 */
const WaitsFor = z.array(z.object({ destination_id: Id, destination_name: z.string(), until: Timestamp }));
/** With `dry_run` nothing is created: `replay` is null. */
export const ReplayReply = z.object({
  replay: Replay.nullable(),
  waits_for: WaitsFor,
  dry_run: z
    .object({
      events: z.int(),
      deliveries: z.int(),
      /** Counting stopped early: the counts are lower bounds. */
      at_least: z.boolean(),
      /** The first to be sent, the oldest event first; with `at_least`, the oldest of those that were counted. */
      items: z.array(DryRunItem),
    })
    .nullable(),
});
export const ReplayQuery = z.object({ limit: limit(PAGE.replays), next_token: NextToken, problem_id: Id.optional() });
export const ReplayPage = z.object({ replays: z.array(Replay), next_token: NextTokenReply });
/**
 * `matrix` counts deliveries by their status before and after. While the replay is RUNNING it may be up to a second
 * older than the counters of `replay`.
 */
export const ReplayDetail = z.object({
  replay: Replay,
  /** The body template of its attempts; null: that of the destination. */
  body_template: z.string().nullable(),
  waits_for: WaitsFor,
  matrix: z.array(
    z.object({ before: z.enum(DELIVERY_STATUSES), after: z.enum(DELIVERY_STATUSES).nullable(), count: z.int() }),
  ),
});
export const ReplayItem = z.object({
  event_id: Id,
  trigger_id: Id,
  delivery_id: Id,
  destination_id: Id,
  state: z.enum(REPLAY_ITEM_STATES),
  before: z.object({ status: z.enum(DELIVERY_STATUSES), response_status: z.int().nullable() }),
  after: z.object({ status: z.enum(DELIVERY_STATUSES), response_status: z.int().nullable() }).nullable(),
});
export const ReplayItemQuery = z.object({
  before: z.enum(DELIVERY_STATUSES).optional(),
  after: z.enum(DELIVERY_STATUSES).optional(),
  limit: limit(PAGE.replays),
  next_token: NextToken,
});
export const ReplayItemPage = z.object({ items: z.array(ReplayItem), next_token: NextTokenReply });

export const DeliveryCancel = z.strictObject({
  filter: ReplayFilter,
  destination_ids: z.array(Id).min(1).max(100).optional(),
  /** Counts the deliveries and cancels none. */
  dry_run: z.boolean().optional(),
  /** From the reply of the previous request with the same filter. */
  next_token: NextToken,
});
export const DeliveryCancelReply = z.object({
  /** Deliveries canceled by this request, or those that it would cancel. */
  deliveries: z.int(),
  events: z.int(),
  /** Set when the time of a request ended first: send it again with this token until it is null. */
  next_token: NextTokenReply,
});
