/** Triggers and their destinations. */
import { z } from 'zod';
import { filterProblem } from './event-filter.ts';
import {
  Description,
  FilterText,
  Id,
  JsonObject,
  limit,
  Name,
  NextToken,
  NextTokenReply,
  StringMap,
  Timestamp,
  urlWithScheme,
} from './fields.ts';
import { Ingress, SourceSecret } from './ingress.ts';
import {
  ATTEMPT_SECONDS,
  DESTINATION_HEADERS_MAX,
  DESTINATIONS_PER_TRIGGER,
  IN_FLIGHT,
  MASK,
  ORDER_PATH,
  ORDER_PATH_MAX,
  PAGE,
  PERIOD_SECONDS,
  RATE_PER_SECOND_MAX,
  RETRY_DELAYS_MAX,
  SECRET_OVERLAP_HOURS,
} from './limits.ts';
import { DestinationQueue } from './queues.ts';
import {
  BODY_FORMATS,
  BODY_SOURCES,
  DESTINATION_METHODS,
  DESTINATION_REASONS,
  DESTINATION_SCHEMES,
  DESTINATION_STATUSES,
  DESTINATION_WARNINGS,
  ORDER_ENDS,
  ORDER_SCOPES,
  RATE_PERIODS,
  TRIGGER_REASONS,
  TRIGGER_STATUSES,
} from './states.ts';
import { parseExactly } from './text/exact-json.ts';
import { isCredentialName } from './text/request-values.ts';
import { plainUrl } from './text/url-template.ts';
import { Transform, TransformInput } from './transforms/transform.ts';

const RateLimit = z.strictObject({ requests: z.int(), per: z.enum(RATE_PERIODS) });

const Ordering = z.strictObject({
  by: z.enum(ORDER_SCOPES),
  key: z.string().nullable(),
  after_last_attempt: z.enum(ORDER_ENDS),
});

export const DestinationSummary = z.object({
  destination_id: Id,
  url: z.string(),
  name: z.string(),
  status: z.enum(DESTINATION_STATUSES),
  reason: z.enum(DESTINATION_REASONS).nullable(),
});
export const Destination = DestinationSummary.extend({
  method: z.enum(DESTINATION_METHODS),
  /** Values are masked in every read, except those with placeholders, unless the name is that of a credential. */
  headers: StringMap,
  /** In clear in the creation reply only. */
  signing_secret: z.string(),
  body_template: z.string().nullable(),
  body_source: z.enum(BODY_SOURCES),
  body_format: z.enum(BODY_FORMATS),
  /** Headers of the source's request that are sent on, in lower case. */
  forward_headers: z.array(z.string()),
  /** Selects events in addition to the trigger's filter. */
  filter: JsonObject.nullable(),
  /** Seconds until the next attempt, by attempts made; null for the default schedule. */
  retry_schedule: z.array(z.int()).nullable(),
  /** Since when it is paused: its deliveries wait, and nothing is sent. */
  paused_at: Timestamp.nullable(),
  /** The maximum rate of requests; null for none. */
  rate_limit: RateLimit.nullable(),
  /** The maximum number of concurrent requests from all nodes; null for the default, 8 from each node. */
  max_in_flight: z.int().nullable(),
  /** The time limit of one attempt; null for the default. */
  timeout_seconds: z.int().nullable(),
  /** The order of its deliveries; null for none. `key`: the path of the payload whose values are the keys. */
  ordering: Ordering.nullable(),
  /** The function that turns an event into the request; null for none. */
  transform: Transform.nullable(),
  /** Until when requests are also signed with the previous secret. */
  previous_secret_until: Timestamp.nullable(),
  /** Since when every attempt has failed, when that disables the destination, and the progress in percent. */
  failing_since: Timestamp.nullable(),
  disable_at: Timestamp.nullable(),
  warning: z.literal(DESTINATION_WARNINGS),
  /** Its queue and health. */
  queue: DestinationQueue,
  /** Since when it is disabled, and how many deliveries it has missed since: at most 10,000 are counted. */
  disabled_at: Timestamp.nullable(),
  missed: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
export const RESERVED_HEADERS =
  /^(host|content-length|connection|transfer-encoding|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*)$/i;
export const DestinationHeaders = StringMap.superRefine((headers, issue) => {
  const names = Object.keys(headers);
  const seen = new Set<string>();
  if (names.length > DESTINATION_HEADERS_MAX)
    issue.addIssue({ code: 'custom', message: `expected at most ${DESTINATION_HEADERS_MAX} headers` });
  for (const name of names) {
    const value = headers[name] ?? '';
    const refuse = (message: string) => issue.addIssue({ code: 'custom', path: [name], message });
    if (!HEADER_NAME.test(name)) refuse('expected a header name');
    else if (RESERVED_HEADERS.test(name)) refuse('this header is set by the service');
    else if (seen.has(name.toLowerCase())) refuse('expected each header once');
    else if (value.length > 4096 || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value.replace(MASK, '')))
      refuse('expected at most 4096 printable characters');
    seen.add(name.toLowerCase());
  }
});
const ForwardHeaders = z
  .array(z.string())
  .max(DESTINATION_HEADERS_MAX, `expected at most ${DESTINATION_HEADERS_MAX} headers`)
  .superRefine((names, issue) => {
    for (const [index, name] of names.entries()) {
      const refuse = (message: string) => issue.addIssue({ code: 'custom', path: [index], message });
      if (!HEADER_NAME.test(name)) refuse('expected a header name');
      else if (RESERVED_HEADERS.test(name)) refuse('this header is set by the service');
      else if (isCredentialName(name)) refuse('credentials are not forwarded');
      else if (names.findIndex((each) => each.toLowerCase() === name.toLowerCase()) < index)
        refuse('expected each header once');
    }
  });
export const BodyTemplate = z.string().max(65_536, 'expected at most 65536 characters').nullable();

/** See event-filter.ts. */
export const Filter = JsonObject.superRefine((filter, issue) => {
  const problem = filterProblem(filter);
  if (problem === null) return;
  const [where = '', ...rest] = problem.split(': ');
  issue.addIssue({ code: 'custom', path: where.split('.').slice(1), message: rest.join(': ') });
}).refine((filter) => JSON.stringify(filter).length <= 16_384, 'expected at most 16384 characters of JSON');
const RetrySchedule = z
  .array(z.int('expected whole seconds').min(1, 'expected 1 second or more').max(86_400, 'expected at most a day'))
  .max(RETRY_DELAYS_MAX, `expected at most ${RETRY_DELAYS_MAX} delays`);

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .int(`expected a whole number from ${min} to ${max}`)
    .min(min, `expected ${min} or more`)
    .max(max, `expected at most ${max}`);
/** Settings that limit how a destination is sent to. */
const PACE = {
  rate_limit: RateLimit.extend({
    requests: z
      .int('expected a whole number')
      .min(1, 'expected 1 or more')
      .max(RATE_PER_SECOND_MAX * PERIOD_SECONDS.hour, 'expected at most 1000 per second'),
  })
    .superRefine(({ requests, per }, issue) => {
      const most = RATE_PER_SECOND_MAX * PERIOD_SECONDS[per];
      if (requests > most)
        issue.addIssue({ code: 'custom', path: ['requests'], message: `expected at most ${most} per ${per}` });
    })
    .nullable()
    .optional(),
  max_in_flight: wholeNumber(IN_FLIGHT).nullable().optional(),
  timeout_seconds: wholeNumber(ATTEMPT_SECONDS).nullable().optional(),
};

/** The order of deliveries. By KEY, those with the same value at the path `key` are sent one after the other. */
const ORDER = {
  ordering: Ordering.extend({
    key: z
      .string()
      .regex(ORDER_PATH, 'expected a path such as payload.customer.id')
      .max(ORDER_PATH_MAX, `expected at most ${ORDER_PATH_MAX} characters`)
      .nullable()
      .default(null),
    after_last_attempt: z.enum(ORDER_ENDS).default('BLOCK'),
  })
    .superRefine(({ by, key }, issue) => {
      if ((by === 'KEY') === (key !== null)) return;
      const message = by === 'KEY' ? 'expected a path such as payload.customer.id' : 'expected none, as by is ALL';
      issue.addIssue({ code: 'custom', path: ['key'], message });
    })
    .nullable()
    .optional(),
};

/** It may have placeholders in its path and its query. */
const DestinationUrl = urlWithScheme(DESTINATION_SCHEMES, plainUrl);

export const DestinationCreate = z.strictObject({
  url: DestinationUrl,
  method: z.enum(DESTINATION_METHODS).default('POST'),
  name: Name.optional(),
  headers: DestinationHeaders.optional(),
  body_template: BodyTemplate.optional(),
  body_source: z.enum(BODY_SOURCES).optional(),
  body_format: z.enum(BODY_FORMATS).optional(),
  forward_headers: ForwardHeaders.optional(),
  filter: Filter.nullable().optional(),
  retry_schedule: RetrySchedule.nullable().optional(),
  transform: TransformInput.nullable().optional(),
  ...PACE,
  ...ORDER,
});
export const DestinationUpdate = z.strictObject({
  url: DestinationUrl.optional(),
  method: z.enum(DESTINATION_METHODS).optional(),
  name: Name.optional(),
  headers: DestinationHeaders.optional(),
  body_template: BodyTemplate.optional(),
  body_source: z.enum(BODY_SOURCES).optional(),
  body_format: z.enum(BODY_FORMATS).optional(),
  forward_headers: ForwardHeaders.optional(),
  filter: Filter.nullable().optional(),
  retry_schedule: RetrySchedule.nullable().optional(),
  transform: TransformInput.nullable().optional(),
  status: z.enum(DESTINATION_STATUSES).optional(),
  /** Paused, its deliveries wait until it is resumed; disabled, they are skipped. */
  paused: z.boolean().optional(),
  ...PACE,
  ...ORDER,
});
export const SecretRotate = z.strictObject({
  overlap_hours: z
    .number()
    .min(0, `expected 0 to ${SECRET_OVERLAP_HOURS.max} hours`)
    .max(SECRET_OVERLAP_HOURS.max, `expected 0 to ${SECRET_OVERLAP_HOURS.max} hours`)
    .default(SECRET_OVERLAP_HOURS.default),
});

/** One step of the diagnosis of an endpoint. The first step that isn't `ok` is the last. */
export const ExaminationStep = z.object({
  step: z.enum(['DNS', 'ADDRESS', 'CONNECT', 'TLS', 'ANSWER']),
  ok: z.boolean(),
  detail: z.string(),
  duration_ms: z.number(),
});

export const Trigger = z.object({
  trigger_id: Id,
  source: z.string(),
  event_type: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  parameters: JsonObject,
  connection_id: Id.nullable(),
  destinations: z.array(DestinationSummary),
  status: z.enum(TRIGGER_STATUSES),
  reason: z.enum(TRIGGER_REASONS).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  last_event_at: Timestamp.nullable(),
  /** When a schedule fires next; null for other sources and while disabled. */
  next_fire_at: Timestamp.nullable(),
  /** Which events are delivered; the others are stored as SKIPPED. */
  filter: JsonObject.nullable(),
  /** The webhook endpoint; null for a source that doesn't push. */
  ingress: Ingress.nullable(),
});
/** The signing secret of a destination created with its trigger, in clear. It is not returned again. */
export const SigningSecret = Destination.pick({ destination_id: true, name: true, signing_secret: true });
export const TriggerQuery = z.object({
  source: FilterText(64).optional(),
  status: z.enum(TRIGGER_STATUSES).optional(),
  /** Only triggers with an enabled destination where every attempt fails. */
  failing: z.enum(['true'], 'expected true').optional(),
  /** Text in its name or event type, or its id. */
  q: FilterText(200).optional(),
  limit: limit(PAGE.triggers),
  next_token: NextToken,
});
export const TriggerCreate = z.strictObject({
  source: z.string().min(1).max(64),
  event_type: z.string().min(1).max(200).meta({
    description: 'Dotted name such as github.push. A name without a dot, such as push, is read as <app>.<name>.',
  }),
  name: Name.optional(),
  description: Description.nullable().optional(),
  parameters: JsonObject.default({}),
  connection_id: Id.nullable().optional(),
  filter: Filter.nullable().optional(),
  /** The signing secret of the source. Required if the source shows one; otherwise generated if omitted. */
  secret: SourceSecret.optional(),
  destinations: z
    .array(DestinationCreate)
    .max(DESTINATIONS_PER_TRIGGER, `expected at most ${DESTINATIONS_PER_TRIGGER} destinations`)
    .default([]),
});
export const TriggerUpdate = z.strictObject({
  name: Name.optional(),
  description: Description.nullable().optional(),
  status: z.enum(TRIGGER_STATUSES).optional(),
  parameters: JsonObject.optional(),
  connection_id: Id.nullable().optional(),
  filter: Filter.nullable().optional(),
  /** Replaces the previous secret at once; null removes a secret that the source shows. */
  secret: SourceSecret.nullable().optional(),
});
/** A filter as JSON, to test on the trigger's last events. */
export const FilterTest = z.object({
  filter: z
    .string()
    .default('{}')
    .transform((text, issue) => {
      try {
        return parseExactly(text);
      } catch {
        issue.addIssue({ code: 'custom', message: 'expected JSON' });
        return z.NEVER;
      }
    })
    .pipe(Filter)
    .meta({ type: 'string' }),
});
export const FilterTestReply = z.object({
  matched: z.int(),
  total: z.int(),
  /** Newest first. */
  events: z.array(z.object({ event_id: Id, received_at: Timestamp, matches: z.boolean() })),
});
export const TriggerPage = z.object({ triggers: z.array(Trigger), next_token: NextTokenReply });
