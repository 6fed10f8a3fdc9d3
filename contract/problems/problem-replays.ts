/** Replays of what a problem affects, and their receipts: what the attempts say about each delivery. */
import { z } from 'zod';
import { Id, limit, NextToken, NextTokenReply, Timestamp } from '../fields.ts';
import { PAGE } from '../limits.ts';
import { Replay } from '../replays.ts';
import {
  CANARY_ENDS,
  DELIVERY_REASONS,
  EXPORT_FORMATS,
  LEFT_OUT,
  RECEIPT_OUTCOMES,
  REPLAY_STATUSES,
} from '../states.ts';

export const ProblemReplayCreate = z.strictObject({
  /** Only counts what would be sent. */
  dry_run: z.boolean().optional(),
  /** Sends this many first, and stops if one of them fails. 0: none. */
  canary: z.int().min(0).max(100).optional(),
  /** What happens when the canary has succeeded. */
  after_canary: z.enum(CANARY_ENDS).optional(),
  /** An upper limit. Each destination also receives no more than it completes, and its own limits apply. */
  rate_per_second: z.number().min(0.1).max(1000).optional(),
});
/** By reason; without those that are 0. */
const LeftOut = z.partialRecord(z.enum(LEFT_OUT), z.int());
/** What a replay would send now. */
export const ProblemReplayPlan = z.object({
  events: z.int(),
  deliveries: z.int(),
  /** Counting stopped early: the counts are lower bounds. */
  at_least: z.boolean(),
  /** When the oldest and newest of these events were received. */
  oldest_at: Timestamp.nullable(),
  newest_at: Timestamp.nullable(),
  left_out: LeftOut,
  /** How long it takes, estimated from limits and last response times. Null if a destination is paused. */
  seconds: z.int().nullable(),
  destinations: z.array(
    z.object({
      destination_id: Id,
      destination_name: z.string(),
      deliveries: z.int(),
      /** Affected deliveries that are not sent. */
      left_out: z.int(),
      oldest_at: Timestamp.nullable(),
      newest_at: Timestamp.nullable(),
      seconds: z.int().nullable(),
      is_paused: z.boolean(),
      /** Until then its circuit breaker is open; the canary is sent anyway. */
      circuit_open_until: Timestamp.nullable(),
    }),
  ),
});
/** With `dry_run` nothing is created: `replay` is null. */
export const ProblemReplayReply = z.object({ replay: Replay.nullable(), plan: ProblemReplayPlan.nullable() });

const Because = z.object({
  destination_id: Id,
  destination_name: z.string(),
  reason: z.enum(DELIVERY_REASONS).nullable(),
  response_status: z.int().nullable(),
  /** In words, without ids, numbers and secrets. */
  text: z.string(),
  count: z.int(),
});
/** Counts of the deliveries of a replay, from their attempts. */
export const Receipt = z.object({
  replay_id: Id,
  problem_id: Id,
  problem_title: z.string(),
  status: z.enum(REPLAY_STATUSES),
  created_by: z.string(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
  /** The receipt has the attempts that had ended by then. */
  as_of: Timestamp,
  /** No delivery is open any more: the receipt is stored and does not change. */
  is_final: z.boolean(),
  /** Such as: 312 of 312 delivered, 0 twice. */
  summary: z.string(),
  total: z.int(),
  /** DELIVERED and ALREADY_DELIVERED. */
  delivered: z.int(),
  /** Of these, deliveries with more than one successful attempt. */
  delivered_twice: z.int(),
  outcomes: z.partialRecord(z.enum(RECEIPT_OUTCOMES), z.int()),
  /** Why deliveries FAILED, or are RETRYING: most first, at most 20. */
  failing: z.array(Because),
  left_out: LeftOut,
});
export const ReceiptReply = z.object({ receipt: Receipt, replay: Replay });
/** A delivery of a receipt. Its proof is an attempt: the successful one, or else the last one. */
export const ReceiptLine = z.object({
  event_id: Id,
  trigger_id: Id,
  delivery_id: Id,
  destination_id: Id,
  destination_name: z.string().nullable(),
  outcome: z.enum(RECEIPT_OUTCOMES),
  /** Successful attempts. */
  successes: z.int(),
  /** The number of the attempt of this delivery; null: none was made. */
  attempt: z.int().nullable(),
  attempted_at: Timestamp.nullable(),
  response_status: z.int().nullable(),
  reason: z.enum(DELIVERY_REASONS).nullable(),
});
export const ReceiptLineQuery = z.object({
  outcome: z.enum(RECEIPT_OUTCOMES).optional(),
  limit: limit(PAGE.replays),
  next_token: NextToken,
});
export const ReceiptLinePage = z.object({ lines: z.array(ReceiptLine), next_token: NextTokenReply });
export const ReceiptExportQuery = z.object({ format: z.enum(EXPORT_FORMATS).default('ndjson') });
