/** Problems: failures of deliveries, runs, gateway calls and sources, grouped by their cause. */
import { z } from 'zod';
import { Id, IdList, limit, NextToken, NextTokenReply, StringMap, Timestamp, TimestampInput } from '../fields.ts';
import { PAGE } from '../limits.ts';
import { ACTOR_TYPES, PROBLEM_ENDS, PROBLEM_KINDS, PROBLEM_PART_KINDS, PROBLEM_STATES } from '../states.ts';

const kind = z.enum(PROBLEM_KINDS);

/** States of a list, separated by commas. */
const StateList = z
  .string()
  .refine(
    (text) => text.split(',').every((state) => (PROBLEM_STATES as readonly string[]).includes(state)),
    `expected states separated by commas: ${PROBLEM_STATES.join(', ')}`,
  )
  .transform((text) => text.split(',') as (typeof PROBLEM_STATES)[number][])
  .pipe(z.array(z.enum(PROBLEM_STATES)))
  .optional()
  .meta({ type: 'string', description: `States separated by commas: ${PROBLEM_STATES.join(', ')}.` });

/** A resource is selected by its ID: problems that it fails with. */
export const ProblemQuery = z.object({
  state: StateList,
  kind: kind.optional(),
  resource_ids: IdList,
  limit: limit(PAGE.problems),
  next_token: NextToken,
});
export const Problem = z.object({
  problem_id: Id,
  /** What fails, in words. Ids, numbers, times, quoted values and secrets of messages are `…`. */
  title: z.string(),
  /** What failed first: of a delivery whose function failed, the RUN. */
  kind,
  state: z.enum(PROBLEM_STATES),
  /** The message that all failures share, without its variable parts; empty without one. */
  message: z.string(),
  /** An error code of a response, a reason, or the type of an error. */
  code: z.string().nullable(),
  /** The status of the responses. */
  status: z.int().nullable(),
  /** The app of the failed calls. */
  app: z.string().nullable(),
  /** It has all other causes, because there were too many. */
  is_coalesced: z.boolean(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  /** When it was opened last: at its first failure, as a regression, or again after it was ignored. */
  opened_at: Timestamp,
  /** Failed attempts, runs, calls and requests. */
  failures: z.int(),
  /** Deliveries, runs, … that failed at least once. */
  counts: z.partialRecord(kind, z.int()),
  /** Resources that fail. */
  affected: z.object({
    triggers: z.int(),
    destinations: z.int(),
    functions: z.int(),
    connections: z.int(),
    /** Different end users of these connections. */
    end_users: z.int(),
  }),
  /** Failures in each of the last 24 hours, oldest first. */
  trend: z.array(z.int()),
  /** Who or what changed the state last; null for an OPEN problem that was not changed. `by` null: the service. */
  state_change: z.object({ at: Timestamp, by: z.string().nullable(), note: z.string().nullable() }).nullable(),
  /** Of an IGNORED problem: it is open again after this time, or above this number of failures. */
  ignored: z.object({ until: Timestamp.nullable(), above_failures: z.int().nullable() }).nullable(),
  resolved_as: z.enum(PROBLEM_ENDS).nullable(),
  regressions: z.int(),
  regressed_at: Timestamp.nullable(),
  /**
   * The last audited change of its resources in the 24 hours before it was opened, or regressed. `version`: of the
   * function, if the change deployed it.
   */
  preceded_by: z
    .object({
      audit_id: Id,
      at: Timestamp,
      operation: z.string(),
      actor_name: z.string(),
      resource_id: z.string().nullable(),
      version: z.int().nullable(),
    })
    .nullable(),
  /** Versions of the function in its first and last failure. */
  first_version: z.int().nullable(),
  last_version: z.int().nullable(),
});
export const ProblemPage = z.object({
  problems: z.array(Problem),
  /** OPEN problems of the account. */
  open_count: z.int(),
  next_token: NextTokenReply,
});

/** A delivery, run, call, rejected request, connection or trigger that failed, and what it is linked to. */
export const ProblemFailure = z.object({
  kind,
  subject_id: Id,
  first_at: Timestamp,
  last_at: Timestamp,
  /** Failed attempts of a delivery; 1 of others. */
  failures: z.int(),
  event_id: Id.nullable(),
  trigger_id: Id.nullable(),
  delivery_id: Id.nullable(),
  destination_id: Id.nullable(),
  run_id: Id.nullable(),
  function_id: Id.nullable(),
  version: z.int().nullable(),
  call_id: Id.nullable(),
  connection_id: Id.nullable(),
});
const Part = z.object({
  kind: z.enum(PROBLEM_PART_KINDS),
  resource_id: Id,
  name: z.string(),
  /** The trigger of a destination. Null for others, and for a deleted one. */
  trigger_id: Id.nullable(),
  /** Whether a function turns events into the requests of the destination. */
  is_transformed: z.boolean(),
  exists: z.boolean(),
  failures: z.int(),
  last_at: Timestamp,
});
/** Requests, responses and errors of one failure, as stored: long texts are cut. */
const Sample = z.object({
  failure: ProblemFailure,
  request: z
    .object({ method: z.string(), url: z.string(), headers: StringMap, body: z.string().nullable() })
    .nullable(),
  response: z.object({ status: z.int(), body: z.string().nullable() }).nullable(),
  error: z.string().nullable(),
  call: z
    .object({
      app: z.string(),
      method: z.string(),
      path: z.string(),
      status: z.int().nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
});
/** A value that every failed event has, and no successful one. `value`: JSON; null: the member is missing. */
const SharedValue = z.object({ path: z.string(), value: z.string().nullable() });
const AuditedChange = z.object({
  audit_id: Id,
  at: Timestamp,
  operation: z.string(),
  actor_type: z.enum(ACTOR_TYPES),
  actor_name: z.string(),
  resource_id: z.string().nullable(),
  /** It changed a resource that fails. */
  is_related: z.boolean(),
});
export const ProblemDetail = z.object({
  problem: Problem,
  /** Resources that fail, most failures first; at most 100. */
  parts: z.array(Part),
  /** Events of failed deliveries: at most 10,000 are counted. */
  event_count: z.int(),
  /** From the cause to what it made fail. */
  chain: z.array(kind),
  /** The line that threw, and the version that ran. */
  frame: z
    .object({
      function_id: Id,
      version: z.int(),
      file: z.string(),
      line: z.int(),
      name: z.string().nullable(),
      /** The text of that line; null if the version is not stored any more. */
      text: z.string().nullable(),
    })
    .nullable(),
  samples: z.array(Sample),
  /** From up to 40 failed and 40 successful events of the same destinations. */
  shared: z.object({ failed: z.int(), succeeded: z.int(), values: z.array(SharedValue) }),
  /** Entries of the audit log in the 24 hours before it was opened, newest first: at most 20, those related first. */
  changes: z.array(AuditedChange),
});
export const ProblemFailureQuery = z.object({
  kind: kind.optional(),
  limit: limit(PAGE.problems),
  next_token: NextToken,
});
export const ProblemFailurePage = z.object({ failures: z.array(ProblemFailure), next_token: NextTokenReply });

const Note = z
  .string()
  .trim()
  .min(1, 'expected at least one character; omit the note to have none')
  .max(500, 'expected at most 500 characters')
  .optional();
export const ProblemAcknowledge = z.strictObject({ note: Note });
/** Without `until` and `above_failures` it is ignored until it has had ten times as many failures. */
export const ProblemIgnore = z.strictObject({
  note: Note,
  until: TimestampInput.optional(),
  above_failures: z
    .int()
    .min(1, 'expected a whole number from 1')
    .max(1_000_000_000, 'expected at most 1000000000')
    .optional(),
});
export const ProblemResolve = z.strictObject({ note: Note });
