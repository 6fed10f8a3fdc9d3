/**
 * Shadows: a version that is not live runs on stored requests of its function, with its outward calls blocked, and is
 * compared with the live version under the same conditions.
 */
import { z } from 'zod';
import {
  Description,
  Id,
  limit,
  NextToken,
  NextTokenReply,
  StringMap,
  Timestamp,
  TimestampInput,
  VersionNumber,
  YesNo,
} from '../fields.ts';
import { Files, FunctionVersion, Handler } from '../functions.ts';
import { PAGE, SHADOW_REQUESTS } from '../limits.ts';
import { LogEvent, RunError } from '../runs.ts';
import {
  LOG_LEVELS,
  RUN_CALLERS,
  RUN_STATUSES,
  SHADOW_EQUALITIES,
  SHADOW_FINDINGS,
  SHADOW_OUTCOMES,
  SHADOW_REQUEST_STATES,
  SHADOW_STATUSES,
  SHADOW_VERDICTS,
} from '../states.ts';

const Outcome = z.enum(SHADOW_OUTCOMES);
const Equality = z.enum(SHADOW_EQUALITIES);

/** What the version must satisfy for the verdict PASSED. */
const budget = {
  /** No request that succeeds with the live version fails with this one. */
  no_new_failures: z.boolean(),
  /** Every request gets the same response from both versions. */
  no_changed_responses: z.boolean(),
  /** The version calls no host and no app that the live version does not call. */
  no_new_hosts: z.boolean(),
  /** Its p95 duration is at most this much above that of the live version. Differences below 10 ms do not count, nor fewer than 20 requests. */
  max_slower_percent: z.int().min(0).max(10_000).nullable(),
};
/** Which stored requests are used: the newest `last` runs that match. */
const filter = {
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
  status: z.enum([...RUN_STATUSES, 'FAILED']).optional(),
  caller: z.enum(RUN_CALLERS).optional(),
  /** Text in the request, the response or the log of the run, as in the list of runs. */
  q: z.string().min(1, 'expected at least one character').max(200, 'expected at most 200 characters').optional(),
  /** Only runs that failed with the cause of this problem. */
  problem_id: Id.optional(),
};
const last = z
  .int()
  .min(1, `expected a whole number from 1 to ${SHADOW_REQUESTS.max}`)
  .max(SHADOW_REQUESTS.max, `expected a whole number from 1 to ${SHADOW_REQUESTS.max}`);

export const ShadowCreate = z
  .strictObject({
    /** A version that is not live. Instead: `files`, which are published as a version that is not live. */
    version: VersionNumber.optional(),
    files: Files.optional(),
    handler: Handler.optional(),
    message: Description.optional(),
    last: last.default(SHADOW_REQUESTS.default),
    filter: z.strictObject(filter).default({}),
    budget: z
      .strictObject({
        no_new_failures: budget.no_new_failures.default(true),
        no_changed_responses: budget.no_changed_responses.default(false),
        no_new_hosts: budget.no_new_hosts.default(false),
        max_slower_percent: budget.max_slower_percent.default(null),
      })
      .prefault({}),
    /** Makes the version live if the verdict is PASSED and no other version became live meanwhile. */
    deploy: z.boolean().default(false),
  })
  .superRefine(({ version, files, handler, message }, issue) => {
    if ((version === undefined) === (files === undefined))
      issue.addIssue({ code: 'custom', path: ['version'], message: 'expected either version or files' });
    if (files === undefined && (handler !== undefined || message !== undefined))
      issue.addIssue({
        code: 'custom',
        path: [handler === undefined ? 'message' : 'handler'],
        message: 'expected only with files',
      });
  });

const Durations = z.object({ p50_ms: z.number().nullable(), p95_ms: z.number().nullable() });
export const Shadow = z.object({
  shadow_id: Id,
  function_id: Id,
  /** The version that is tried, and the version that was live when the shadow was created. */
  version: z.int(),
  live_version: z.int(),
  status: z.enum(SHADOW_STATUSES),
  /** Why it stopped before its last request, or why a version that passed did not become live. */
  reason: z.string().nullable(),
  /** Null until it ends. UNDECIDED: nothing shows a failure, but too little was tried to pass. */
  verdict: z.enum(SHADOW_VERDICTS).nullable(),
  /** What the verdict is based on. */
  findings: z.array(z.object({ code: z.enum(SHADOW_FINDINGS), message: z.string() })),
  last: z.int(),
  filter: z.object(filter),
  budget: z.object(budget),
  deploy: z.boolean(),
  deployed_at: Timestamp.nullable(),
  created_by: z.string(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
  total: z.int(),
  done: z.int(),
  skipped: z.int(),
});
/** How many requests had each outcome with the live version (`before`) and with this version (`after`). */
export const ShadowMatrix = z.array(z.object({ before: Outcome, after: Outcome, count: z.int() }));
const Equalities = z.object({ same: z.int(), different: z.int(), varying: z.int() });
export const ShadowDetail = z.object({
  shadow: Shadow,
  matrix: ShadowMatrix,
  /** VARIES: the live version does not give the same response, or log, twice either. */
  responses: Equalities,
  logs: Equalities,
  /** Without the time in which processes start. Null without requests. */
  durations: z.object({ before: Durations, after: Durations }),
  /** Blocked calls: hosts (`api.example.com:443`) and apps (`gateway: github`), and how many requests called them. */
  hosts: z.array(z.object({ host: z.string(), before: z.int(), after: z.int() })),
});
export const ShadowReply = z.object({ shadow: Shadow });
/** `version`: the published version, if the request had `files`. */
export const ShadowCreated = ShadowReply.extend({ version: FunctionVersion.nullable() });
export const ShadowQuery = z.object({ limit: limit(PAGE.shadows), next_token: NextToken });
export const ShadowPage = z.object({ shadows: z.array(Shadow), next_token: NextTokenReply });

const Result = z.object({
  outcome: Outcome,
  response_status: z.int().nullable(),
  duration_ms: z.number(),
  error: RunError.nullable(),
  hosts: z.array(z.string()),
});
export const ShadowRequest = z.object({
  /** The stored run whose request was used. */
  run_id: Id,
  state: z.enum(SHADOW_REQUEST_STATES),
  /** Why it was skipped. */
  reason: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  /** When the request was received, and what the function answered then. */
  received_at: Timestamp,
  stored: z.object({ outcome: Outcome, version: z.int(), response_status: z.int().nullable() }),
  before: Result.nullable(),
  after: Result.nullable(),
  response: Equality.nullable(),
  log: Equality.nullable(),
  /** Another outcome, response, log or blocked call; not what varies with the live version, too. */
  differs: z.boolean(),
});
export const RequestQuery = z.object({
  differs: YesNo,
  limit: limit(PAGE.shadowRequests),
  next_token: NextToken,
});
export const RequestPage = z.object({ requests: z.array(ShadowRequest), next_token: NextTokenReply });
/** The beginning of the response and of the log: at most 16 KiB each. */
const Answered = Result.extend({
  headers: StringMap,
  body: z.string(),
  is_base64_encoded: z.boolean(),
  body_bytes: z.int(),
  log: z.array(LogEvent.pick({ message: true }).extend({ level: z.enum(LOG_LEVELS) })),
  truncated: z.boolean(),
});
export const RequestDetail = z.object({
  request: ShadowRequest.extend({ before: Answered.nullable(), after: Answered.nullable() }),
});
