/** Runs of functions and their logs. */
import { z } from 'zod';
import {
  FilterText,
  Id,
  IdList,
  Json,
  limit,
  NextToken,
  NextTokenReply,
  StringMap,
  Timestamp,
  TimestampInput,
  VersionNumber,
  VersionParameter,
  wholeNumber,
} from './fields.ts';
import { PAGE } from './limits.ts';
import {
  BISECT_OUTCOMES,
  BISECT_STATUSES,
  CALL_RANGES,
  LOG_LEVELS,
  RUN_CALLERS,
  RUN_STARTS,
  RUN_STATUSES,
} from './states.ts';

export const RunRequest = z.object({
  method: z.string(),
  raw_path: z.string(),
  path: z.string(),
  raw_query_string: z.string(),
  query_params: StringMap,
  headers: StringMap,
  cookies: z.array(z.string()),
  body: z.string(),
  is_base64_encoded: z.boolean(),
  source_ip: z.string(),
  user_agent: z.string(),
  protocol: z.string(),
  host: z.string(),
  label: z.string(),
  /** True when the body was longer than what is stored. */
  truncated: z.boolean().optional(),
});
export const RunResponse = z.object({
  status: z.number().int(),
  headers: StringMap,
  /** JSON where it parses, else a string. */
  body: Json,
  /** True when the body is not text: it is a string in Base64. */
  is_base64_encoded: z.boolean().optional(),
  truncated: z.boolean().optional(),
});
export const RunError = z.object({ name: z.string(), message: z.string(), stack: z.string().nullable() });
/** How the run got its process, and milliseconds from the call to each step. */
export const RunTiming = z.object({
  start: z.enum(RUN_STARTS),
  /** The process was ready. */
  ready_ms: z.number().nullable(),
  /** The code was loaded; null where an earlier run had loaded it. */
  loaded_ms: z.number().nullable(),
  /** The response began. */
  answer_ms: z.number().nullable(),
});
/** The delivery that caused a run. */
export const RunCause = z.object({ trigger_id: Id, event_id: Id, delivery_id: Id, attempt: z.number().int() });

export const Run = z.object({
  run_id: Id,
  function_id: Id,
  version: z.number().int(),
  request: RunRequest,
  /** Null while the run is in progress, or if it ended without a response. */
  response: RunResponse.nullable(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
  status: z.enum(RUN_STATUSES),
  duration_ms: z.number().nullable(),
  /** Null while the run is in progress, or if it never got a process. */
  timing: RunTiming.nullable(),
  error: RunError.nullable(),
  /** Null for runs of an earlier release that no delivery caused. */
  caller: z.enum(RUN_CALLERS).nullable(),
  /** The API key that called, with its name at that time. */
  key_id: Id.nullable(),
  key_name: z.string().nullable(),
  cause: RunCause.nullable(),
});
export const RunRow = z.object({
  run_id: Id,
  function_id: Id,
  function_name: z.string(),
  version: z.number().int(),
  status: z.enum(RUN_STATUSES),
  method: z.string(),
  path: z.string(),
  response_status: z.number().int().nullable(),
  duration_ms: z.number().nullable(),
  created_at: Timestamp,
  error_message: z.string().nullable(),
  caller: z.enum(RUN_CALLERS).nullable(),
  key_id: Id.nullable(),
  key_name: z.string().nullable(),
  cause: RunCause.nullable(),
});
const Version = VersionParameter.optional();
const Milliseconds = wholeNumber(0, 86_400_000).optional();
/** `FAILED` is ERROR or TIMEOUT. */
const Status = z.enum([...RUN_STATUSES, 'FAILED']).optional();
const Caller = z.enum(RUN_CALLERS).optional();
/** Text in the path, request, response body, error or the first 1,000 log lines of a run; case-insensitive. */
const Text = z
  .string()
  .min(1, 'expected at least one character')
  .max(200, 'expected at most 200 characters')
  .optional();
/** A page may be short or empty if few runs match; `next_token` is set while runs remain to be searched. */
export const RunQuery = z.object({
  status: Status,
  version: Version,
  caller: Caller,
  key_id: Id.optional(),
  q: Text,
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
  /** Milliseconds: at least `min_duration`, less than `max_duration`. Runs in progress have no duration. */
  min_duration: Milliseconds,
  max_duration: Milliseconds,
  limit: limit(PAGE.runs),
  next_token: NextToken,
});
export const RunAllQuery = RunQuery.extend({ ids: IdList, function_id: Id.optional() });
export const RunStatsQuery = z.object({
  range: z.enum(CALL_RANGES).default('24h'),
  function_id: Id.optional(),
  version: Version,
  status: Status,
  caller: Caller,
  key_id: Id.optional(),
  q: Text,
});
/** Runs over time and a histogram of durations with edges 1, 2, 5, 10 and so on; the last `to_ms` is null. */
export const RunStats = z.object({
  since: Timestamp,
  /** With `q`, how far back runs were searched within the time budget; `since` if all of them were. */
  searched_since: Timestamp,
  runs: z.int(),
  failed: z.int(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  durations: z.array(z.object({ from_ms: z.int(), to_ms: z.int().nullable(), runs: z.int(), failed: z.int() })),
  bucket_seconds: z.int(),
  /** Oldest first, without gaps. */
  buckets: z.array(z.object({ at: Timestamp, runs: z.int(), failed: z.int() })),
});
/** Runs of the last 24 hours by hour, oldest first. Functions without runs are omitted. */
export const FunctionStats = z.object({
  since: Timestamp,
  bucket_seconds: z.int(),
  functions: z.array(
    z.object({
      function_id: Id,
      runs: z.int(),
      failed: z.int(),
      buckets: z.array(z.int()),
      failures: z.array(z.int()),
    }),
  ),
});
/** Runs of a time range by version. Versions without runs are omitted. */
export const VersionStatsQuery = z.object({ range: z.enum(CALL_RANGES).default('24h') });
export const VersionStats = z.object({
  since: Timestamp,
  runs: z.int(),
  /** By last run, newest first. */
  versions: z.array(
    z.object({ version: z.int(), runs: z.int(), failed: z.int(), p50_ms: z.number().nullable(), last_at: Timestamp }),
  ),
});
export const RunPage = z.object({ runs: z.array(RunRow), next_token: NextTokenReply });

export const LogEvent = z.object({
  /** Milliseconds since the epoch. */
  timestamp: z.number().int(),
  message: z.string(),
  level: z.enum(LOG_LEVELS),
});
const MAX_TIME_MS = 8_640_000_000_000_000;
const FilterPattern = z.string().max(1024, 'expected at most 1024 characters').optional();
const logQuery = {
  limit: limit(PAGE.logs),
  next_token: NextToken,
  filter_pattern: FilterPattern,
  start_time: wholeNumber(0, MAX_TIME_MS).optional(),
  end_time: wholeNumber(0, MAX_TIME_MS).optional(),
};
const isForward = (q: { start_time?: number | undefined; end_time?: number | undefined }) =>
  q.start_time === undefined || q.end_time === undefined || q.end_time >= q.start_time;
const reversedRange = { path: ['end_time'], message: 'expected a time not before start_time' };
export const LogQuery = z.object(logQuery).refine(isForward, reversedRange);
export const LogPage = z.object({ events: z.array(LogEvent), next_token: NextTokenReply });

/** A log line of a function. `run_id` and `seq`, its number in the run from 0, identify it. */
export const FunctionLogEvent = LogEvent.extend({
  run_id: Id,
  version: z.number().int(),
  seq: z.number().int(),
  /** Where the pattern's terms match in the message: half-open ranges of characters. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])).optional(),
  /** Whether the line matches the pattern; only with `show` `all`. */
  matches: z.boolean().optional(),
});
/** `all` includes lines that don't match the pattern and sets `matches` of each line. */
const Show = z.enum(['matches', 'all']).default('matches');
/** Only lines of at least this level; a JSON line has the level it names. Also applies with `show` `all`. */
const Level = z.enum(LOG_LEVELS).optional();
export const FunctionLogQuery = z
  .object({
    ...logQuery,
    version: Version,
    level: Level,
    show: Show,
    order: z.enum(['oldest', 'newest']).default('oldest'),
  })
  .refine(isForward, reversedRange);
/** A page may be short or empty if few lines match; `next_token` is set while lines remain to be searched. */
export const FunctionLogPage = z.object({ events: z.array(FunctionLogEvent), next_token: NextTokenReply });
/** `start_time`: sends lines since then first. `last_event_id`: for clients that can't set the header. */
export const LogTailQuery = z.object({
  filter_pattern: FilterPattern,
  version: Version,
  level: Level,
  show: Show,
  start_time: wholeNumber(0, MAX_TIME_MS).optional(),
  last_event_id: FilterText(100).optional(),
});

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export const Invoke = z.strictObject({
  method: z.enum(METHODS).default('POST'),
  path: z
    .string()
    .max(8192)
    .regex(/^\/[^\s#?]*$/, 'expected a path that starts with / and has no query')
    .default('/'),
  query: StringMap.default({}),
  headers: StringMap.default({}),
  body: z.string().max(900_000, 'expected at most 900000 characters').default(''),
  version: VersionNumber.optional(),
});

/** `passing` and `failing` continue an earlier bisect that was UNFINISHED. */
export const Bisect = z.strictObject({
  /** The oldest version to test. */
  from: VersionNumber.optional(),
  passing: VersionNumber.optional(),
  failing: VersionNumber.optional(),
  /** NONE: runs have neither network nor gateway access. POLICY: they have the access of the function. */
  egress: z.enum(['NONE', 'POLICY']).default('NONE'),
  max_steps: z.number().int().min(1).max(32).optional(),
});
export const BisectReply = z.object({
  bisect: z.object({
    /** ALWAYS: the oldest tested version fails as well. UNFINISHED: continue with `passing` and `failing`. */
    status: z.enum(BISECT_STATUSES),
    /** The newest version known to pass, and the oldest known to fail. */
    passing: z.number().int().nullable(),
    failing: z.number().int().nullable(),
    /** Versions between the two that were not tested. */
    remaining: z.number().int().nullable(),
    steps: z.array(
      z.object({
        version: z.number().int(),
        run_id: Id,
        status: z.enum(RUN_STATUSES),
        response_status: z.number().int().nullable(),
        /** SAME: failed like the original run. OTHER: failed in another way. PASSES: did not fail. */
        outcome: z.enum(BISECT_OUTCOMES),
      }),
    ),
  }),
});
