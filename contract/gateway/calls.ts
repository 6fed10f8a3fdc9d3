/** The calls of all connections, those that the gateway refused, and captured requests and responses. */
import { z } from 'zod';
import { GatewayCall } from '../connections.ts';
import { FilterText, Id, limit, NextToken, NextTokenReply, Timestamp, TimestampInput, wholeNumber } from '../fields.ts';
import { CAPTURE, PAGE } from '../limits.ts';

export const Params = z.object({ call_id: Id });
export const CaptureParams = z.object({ capture_id: Id });

/** A call of any connection. A refused one never reached an app. */
export const LoggedCall = GatewayCall.extend({
  /** Null for a refused call that used no connection of the account. */
  connection_id: Id.nullable(),
  /** Null if the connection was deleted. */
  connection_name: z.string().nullable(),
  /** Null for a refused call that named none. */
  app: z.string().nullable(),
  /** `*` in a row for refused calls with several methods or paths. */
  path: z.string(),
  /** Whether the gateway refused it, for the reason in `error`. */
  refused: z.boolean(),
  /** The number of calls that this row stands for: equal refused calls of five minutes are one row. */
  calls: z.int(),
  /** When the last of them was made. */
  last_at: Timestamp,
  /** The captured call whose request was sent again. */
  replay_of: Id.nullable(),
  /** Whether its request and response were captured. */
  captured: z.boolean(),
});
export const LoggedCallQuery = z.object({
  limit: limit(PAGE.calls),
  next_token: NextToken,
  connection_id: Id.optional(),
  app: FilterText(64).optional(),
  /** Part of the path. */
  path: FilterText(500).optional(),
  /** A status such as 404, a class such as `4xx`, `none` for calls without a response, or `refused`. */
  status: z
    .string()
    .regex(/^(?:[1-5]xx|[1-5]\d\d|none|refused)$/, 'expected a status such as 404 or 4xx, none, or refused')
    .optional(),
  method: FilterText(20).optional(),
  key_id: Id.optional(),
  run_id: Id.optional(),
  /** Part of the error, such as ECONNREFUSED. */
  error: FilterText(200).optional(),
  min_duration_ms: wholeNumber(0, 86_400_000).optional(),
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
});
export const LoggedCallPage = z.object({
  calls: z.array(LoggedCall),
  next_token: NextTokenReply,
  dropped: z.int().meta({ description: 'Calls of the account that this node could not store since it started.' }),
});

/** How much of a body was kept: binary bodies are not. */
const CapturedBody = z.object({
  kept: z.enum(['NONE', 'WHOLE', 'TRUNCATED', 'BINARY']),
  /** Decoded, with secrets masked. Null unless kept. */
  text: z.string().nullable(),
  /** The size of the body as sent. */
  bytes: z.int(),
});
/** Names and values in their order; values of credentials are masked. */
const Headers = z.array(z.tuple([z.string(), z.string()]));
export const CapturedCall = z.object({
  request: z.object({
    method: z.string(),
    /** Path and query as the caller sent them; secrets in the query are masked. */
    path: z.string(),
    headers: Headers,
    body: CapturedBody,
  }),
  /** Null if the app did not respond. */
  response: z.object({ status: z.int(), reason: z.string(), headers: Headers, body: CapturedBody }).nullable(),
});
export const LoggedCallDetail = z.object({
  call: LoggedCall,
  /** The problem that this failure belongs to. */
  problem: z.object({ problem_id: Id, title: z.string() }).nullable(),
  /** Null unless it was captured. */
  capture: CapturedCall.nullable(),
});

export const Capture = z.object({
  capture_id: Id,
  /** Either the connection or the app whose calls are captured. */
  connection_id: Id.nullable(),
  app: z.string().nullable(),
  percent: z.int(),
  created_by: z.string(),
  created_at: Timestamp,
  until: Timestamp,
});
export const CaptureList = z.object({ captures: z.array(Capture) });
export const CaptureCreate = z
  .strictObject({
    connection_id: Id.optional(),
    app: z.string().min(1).max(64).optional(),
    minutes: z.int().min(1).max(CAPTURE.minutes).default(60),
    /** The share of the calls that is captured, chosen at random. */
    percent: z.int().min(1).max(100).default(100),
  })
  .refine(({ connection_id, app }) => (connection_id === undefined) !== (app === undefined), {
    path: ['connection_id'],
    message: 'expected either connection_id or app',
  });
