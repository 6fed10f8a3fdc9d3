/** Events, deliveries and attempts. */
import { z } from 'zod';
import {
  FilterText,
  Id,
  IdList,
  JsonObject,
  limit,
  Name,
  NextToken,
  NextTokenReply,
  StringMap,
  Timestamp,
  TimestampInput,
} from './fields.ts';
import { PAGE } from './limits.ts';
import { DestinationQueue } from './queues.ts';
import {
  ATTEMPT_ORIGINS,
  CALL_RANGES,
  DELIVERY_REASONS,
  DELIVERY_STATUSES,
  DESTINATION_WARNINGS,
  EXPORT_FORMATS,
} from './states.ts';
import { EventSearchError, parseEventSearch } from './text/event-search.ts';
import { TransformRun, TransformVersion } from './transforms/transform.ts';

export const Delivery = z.object({
  delivery_id: Id,
  destination_id: Id,
  status: z.enum(DELIVERY_STATUSES),
  reason: z.enum(DELIVERY_REASONS).nullable(),
  attempts: z.number().int(),
  last_response_status: z.number().int().nullable(),
  last_response_body: z.string().nullable(),
  /** Milliseconds. */
  last_response_duration: z.number().int().nullable(),
  last_error_message: z.string().nullable(),
  destination_url: z.string(),
  destination_method: z.string(),
  last_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
  destination_name: z.string(),
  next_attempt_at: Timestamp.nullable(),
  /** It waits until the delivery of this event to the same destination has ended; null: for no other. */
  waits_for_event_id: Id.nullable(),
  /** It failed for good and stops the deliveries behind it, until it is replayed or canceled. */
  blocks_others: z.boolean(),
  /** The run started by the last attempt, if the destination is a function of the account. */
  last_run_id: Id.nullable(),
  last_function_id: Id.nullable(),
});
export const DeliveryCounts = z.object({
  total: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
});
/** The delivery of an event to one destination, as listed with the event. */
export const Outcome = z.object({
  delivery_id: Id,
  destination_id: Id,
  destination_name: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int(),
  last_response_status: z.number().int().nullable(),
});

/** The request of the source. Values of credentials in headers and query are masked. */
export const EventRequest = z.object({
  method: z.string(),
  /** Below the webhook URL: empty, or begins with a slash. */
  path: z.string(),
  /** Without the question mark. */
  query: z.string(),
  /** By name, in lower case. */
  headers: StringMap,
  content_type: z.string().nullable(),
  /** Bytes of the body. */
  size: z.int(),
  /** The exact body, if the query has `request_body=true`; null if it is no longer stored. */
  body: z.string().nullable().optional(),
  /** Whether `body` is Base64, because its bytes are not UTF-8. */
  is_base64_encoded: z.boolean().optional(),
});

const EventCore = z.object({
  event_id: Id,
  trigger_id: Id,
  trigger_name: z.string(),
  source: z.string(),
  event_type: z.string(),
  received_at: Timestamp,
  payload: JsonObject,
  /** The event of which this one is an edited copy. */
  replay_of: Id.nullable(),
  /** The W3C Trace Context trace id of the request that created it: 32 hexadecimal digits. Null without one. */
  trace_id: z.string().nullable(),
  /** Null unless the event is pinned: it is then kept beyond the retention. */
  pin: z.object({ at: Timestamp, by: z.string(), note: z.string().nullable() }).nullable(),
});
export const EventRow = EventCore.extend({
  delivery_counts: DeliveryCounts,
  outcomes: z.array(Outcome),
  /** `payload` is empty here because it is too large for a list. */
  payload_omitted: z.literal(true).optional(),
});
export const EventDetail = EventCore.extend({
  deliveries: z.array(Delivery),
  /** Null for an event that no request of a source created. */
  request: EventRequest.nullable(),
});
export const EventGetQuery = z.object({ request_body: z.enum(['true'], 'expected true').optional() });

const EventSearchText = FilterText(200).superRefine((text, { addIssue }) => {
  try {
    parseEventSearch(text);
  } catch (error) {
    if (!(error instanceof EventSearchError)) throw error;
    addIssue(error.message);
  }
});

const DeliveryReason = z.enum(DELIVERY_REASONS);
export const EventFilters = {
  status: z.enum(DELIVERY_STATUSES).optional(),
  /** Only events with a due delivery that the open circuit breaker of its destination holds. */
  held: z.enum(['true'], 'expected true').optional(),
  /** Stored reason of the last attempt or the end of a delivery, such as TRANSFORM_SKIPPED. */
  reason: DeliveryReason.exclude(['CIRCUIT_OPEN', 'DESTINATION_PAUSED', 'WAITS_IN_ORDER']).optional(),
  received_after: TimestampInput.optional(),
  received_before: TimestampInput.optional(),
  /** Text in the payload or the headers of the request, or conditions on their fields; see text/event-search.ts. */
  q: EventSearchText.optional(),
  destination_id: Id.optional(),
  source: FilterText(64).optional(),
  /** Response status of the last attempt, a class such as `5xx`, or `none` without a response. */
  response_status: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx|none)$/, 'expected a status such as 404, a class such as 5xx, or none')
    .optional(),
  /** Events of this bulk replay. */
  replay_id: Id.optional(),
  /** Edited copies of this event. */
  replay_of: Id.optional(),
  /** Only pinned events. */
  pinned: z.enum(['true'], 'expected true').optional(),
};
const paging = { limit: limit(PAGE.events), next_token: NextToken };
export const TriggerEventQuery = z.object({ ...EventFilters, ...paging, since_id: Id.optional() });
export const EventQuery = z.object({ ...EventFilters, ...paging, trigger_id: Id.optional(), ids: IdList });
export const EventPage = z.object({ events: z.array(EventRow), next_token: NextTokenReply });

/** The filters of the list. */
export const EventExportQuery = EventQuery.omit({ limit: true, next_token: true }).extend({
  format: z.enum(EXPORT_FORMATS).default('ndjson'),
  export_id: Id.optional().meta({
    description: 'Any UUID: live changes then report the progress of the export with this id.',
  }),
});
/** An exported event: the row of the list, with the last error of each delivery. */
export const ExportedEvent = EventRow.omit({ payload_omitted: true }).extend({
  outcomes: z.array(Outcome.extend({ last_error_message: z.string().nullable() })),
});

/** The filters of the list, and a time range up to now instead of fixed times. */
const SavedQuery = z
  .strictObject({ ...EventFilters, trigger_id: Id.optional(), received_within: z.enum(CALL_RANGES).optional() })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), 'expected at least one condition')
  .refine(
    ({ received_within, received_after, received_before }) =>
      received_within === undefined || (received_after === undefined && received_before === undefined),
    'expected received_within, or received_after and received_before',
  );
export const SavedFilter = z.object({
  saved_filter_id: Id,
  name: z.string(),
  filter: SavedQuery,
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const SavedFilterCreate = z.strictObject({ name: Name, filter: SavedQuery });
export const SavedFilterUpdate = z.strictObject({ name: Name.optional(), filter: SavedQuery.optional() });
/** The number of events that match each saved filter, up to 1,000. */
export const SavedFilterCounts = z.object({
  counts: z.array(
    z.object({
      saved_filter_id: Id,
      count: z.int(),
      /** More events may match. */
      at_least: z.boolean(),
    }),
  ),
});

/** Replaces the note of an event that is pinned. */
export const EventPin = z.strictObject({
  note: z.string().trim().max(500, 'expected at most 500 characters').nullable().optional(),
});

export const EventTest = z.strictObject({ payload: JsonObject.optional() });
export const EventReplay = z.strictObject({
  destination_ids: z.array(Id).min(1).max(100).optional(),
  only_failed: z.boolean().optional(),
  /** Sends a new `webhook-id`, so that receivers treat it as a new message. */
  as_new: z.boolean().optional(),
  transform: TransformVersion.optional(),
});
export const EventCancel = z.strictObject({ destination_ids: z.array(Id).min(1).max(100).optional() });
/** An edited copy of an event: stored as a new event that refers to the original. */
export const EventCreate = z.strictObject({ payload: JsonObject, replay_of: Id.optional() });
/** A destination to which the event was not sent again, with the reason. */
export const Skipped = z.object({ destination_id: Id, reason: z.string() });

export const Attempt = z.object({
  number: z.number().int(),
  origin: z.enum(ATTEMPT_ORIGINS),
  started_at: Timestamp,
  duration_ms: z.number().int(),
  /** As sent; values of custom headers are masked. */
  request: z.object({ method: z.string(), url: z.string(), headers: StringMap, body: z.string().nullable() }),
  response: z
    .object({ status: z.number().int(), headers: StringMap, body: z.string(), truncated: z.boolean() })
    .nullable(),
  reason: z.enum(DELIVERY_REASONS).nullable(),
  error_message: z.string().nullable(),
  run_id: Id.nullable(),
  function_id: Id.nullable(),
  /** The run that transformed the request; null without a transformation. */
  transform: TransformRun.nullable(),
  /** The bulk replay it belongs to. */
  replay_id: Id.nullable(),
  /** The `webhook-id` header of the request. */
  webhook_id: z.string(),
});
/** Result of a test request, which is not stored. */
export const TrialResult = Attempt.pick({
  response: true,
  reason: true,
  error_message: true,
  duration_ms: true,
  run_id: true,
  function_id: true,
  transform: true,
}).extend({
  ok: z.boolean(),
  /** Null if a template could not be rendered, or the transformation gave none. */
  request: Attempt.shape.request.nullable(),
});
export const AttemptQuery = z.object({ limit: limit(PAGE.attempts), next_token: NextToken });
export const AttemptPage = z.object({ attempts: z.array(Attempt), next_token: NextTokenReply });

export const EventStatsQuery = z.object({
  range: z.enum(CALL_RANGES).default('24h'),
  trigger_id: Id.optional(),
  destination_id: Id.optional(),
});
/** Counts of events, of their deliveries by current status, and of attempts with their durations in milliseconds. */
export const EventStats = z.object({
  since: Timestamp,
  bucket_seconds: z.int(),
  /** Oldest first, without gaps. */
  buckets: z.array(
    z.object({
      at: Timestamp,
      events: z.int(),
      succeeded: z.int(),
      failed: z.int(),
      open: z.int(),
      skipped: z.int(),
      attempts: z.int(),
      failures: z.int(),
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
      p99_ms: z.number().nullable(),
    }),
  ),
  /** Response statuses, the most frequent first; `reason` for attempts without a response. */
  codes: z.array(z.object({ status: z.int().nullable(), reason: z.string().nullable(), count: z.int() })),
});

export const TriggerStatsQuery = z.object({ range: z.enum(CALL_RANGES).default('24h') });
/** Events and deliveries by trigger. Triggers with nothing to report are omitted. */
export const TriggerStats = z.object({
  since: Timestamp,
  bucket_seconds: z.int(),
  triggers: z.array(
    z.object({
      trigger_id: Id,
      events: z.int(),
      /** Deliveries by status; `open` counts those that may still be attempted. */
      succeeded: z.int(),
      failed: z.int(),
      open: z.int(),
      /** Events per bucket, oldest first, without gaps. */
      buckets: z.array(z.int()),
      /** Destinations where every attempt fails: since when, and the progress towards being disabled. */
      failing: z.array(
        z.object({ destination_id: Id, failing_since: Timestamp, warning: z.literal(DESTINATION_WARNINGS) }),
      ),
      /** Destinations with waiting deliveries. */
      queues: z.array(DestinationQueue.extend({ destination_id: Id })),
      /** Destinations that are disabled: since when, and how many deliveries they have missed (at most 10,000). */
      disabled: z.array(z.object({ destination_id: Id, disabled_at: Timestamp, missed: z.int() })),
      /** Destinations that are paused, and since when. */
      paused: z.array(z.object({ destination_id: Id, paused_at: Timestamp })),
    }),
  ),
});

export const StreamQuery = z.object({ last_event_id: FilterText(100).optional() });
