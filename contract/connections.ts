/** Connections between an account and a third-party app, and the connect session in which a user completes one. */
import { z } from 'zod';
import { AppId, AppMethod } from './apps.ts';
import { Attention, CheckEvery, CheckResult } from './connections/health.ts';
import {
  FilterText,
  Id,
  Json,
  JsonObject,
  limit,
  Name,
  NextToken,
  NextTokenReply,
  optionalLimit,
  StringMap,
  Timestamp,
  TimestampInput,
  YesNo,
} from './fields.ts';
import { CONNECTION_GATEWAY, ConnectionGateway } from './gateway/app-gateway.ts';
import { PAGE, TAGS } from './limits.ts';
import { AUTH_METHODS, CALL_RANGES, CONNECTION_FAILURES, CONNECTION_STATUSES, RESERVED_METADATA } from './states.ts';

const PLAIN = /^[^\u0000-\u001f\u007f]*$/;
export const PlainText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'expected at least one character')
    .max(max, `expected at most ${max} characters`)
    .regex(PLAIN, 'expected one line without control characters');

/** A tag: compared exactly. */
export const Tag = PlainText(TAGS.chars).refine((tag) => !tag.includes(','), 'expected no comma');
/** Duplicates are removed. */
export const Tags = z
  .array(Tag)
  .max(TAGS.max, `expected at most ${TAGS.max} tags`)
  .transform((tags) => [...new Set(tags)])
  .pipe(z.array(z.string()));

/** The user of the account's product whose access the connection is. `id` is the account's own identifier. */
export const EndUser = z.object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() });
export const EndUserInput = z.strictObject({
  id: PlainText(200),
  email: PlainText(320)
    .refine((email) => /^[^\s@]+@[^\s@]+$/.test(email), 'expected an email address')
    .nullable()
    .optional(),
  name: PlainText(200).nullable().optional(),
});

export const Connection = z.object({
  connection_id: Id,
  status: z.enum(CONNECTION_STATUSES),
  creation_time: Timestamp,
  last_updated_time: Timestamp,
  url: z.string(),
  app: z.string(),
  /** Absent until it is chosen. */
  method: z.enum(AUTH_METHODS).optional(),
  /**
   * `failure` {code, message, since} while the connection is FAILED; `last_error` {code, message, time} after an
   * attempt to connect that failed without changing the status; `unconfirmed` {message, time} while the app has not
   * confirmed the credentials.
   */
  metadata: JsonObject,
  name: z.string().nullable(),
  is_default: z.boolean(),
  last_used_time: Timestamp.nullable(),
  /** When the access token expires, was last refreshed and will be refreshed; null without an access token. */
  token_expires_at: Timestamp.nullable(),
  refreshed_at: Timestamp.nullable(),
  refresh_at: Timestamp.nullable(),
  /** Number of triggers that use it. */
  trigger_count: z.int(),
  tags: z.array(z.string()),
  end_user: EndUser.nullable(),
  /** Why it does not work, or soon will not. Empty if nothing is wrong. */
  attention: z.array(Attention),
  /** How often its credentials are checked; null for the setting of its app. */
  check_every_minutes: CheckEvery.nullable(),
  /** The last scheduled check. */
  check: CheckResult.nullable(),
  next_check_at: Timestamp.nullable(),
  /** When its credentials expire, as it was set. */
  credentials_expire_at: Timestamp.nullable(),
});
/** `next_token` only if a page was requested: null on the last. */
export const ConnectionPage = z.object({
  connections: z.array(Connection),
  next_token: NextTokenReply.optional(),
});
export const ConnectionFailure = z.object({
  code: z.enum(CONNECTION_FAILURES),
  message: z.string(),
  since: Timestamp,
});
const filters = {
  app: FilterText(64).optional(),
  status: z.enum(CONNECTION_STATUSES).optional(),
  method: z.enum(AUTH_METHODS).optional(),
  tag: FilterText(TAGS.chars).optional(),
  /** The ID of an end user. */
  end_user: FilterText(200).optional(),
  /** Text in the name, the app, the tags or the end user, or the connection's ID. */
  q: FilterText(200).optional(),
};
export const ConnectionFilter = z.strictObject({ ...filters, attention: z.boolean().optional() });
export const ConnectionQuery = z.object({
  ...filters,
  /** Connections that do not work, or soon will not: those with a non-empty `attention`. */
  attention: YesNo,
  limit: optionalLimit(PAGE.connections),
  next_token: NextToken,
});
const Metadata = JsonObject.refine(
  (value) => JSON.stringify(value).length <= 16_384,
  'expected at most 16384 characters of JSON',
)
  .superRefine((value, ctx) => {
    const options = value[CONNECTION_GATEWAY];
    if (options === undefined) return;
    for (const { path, message } of ConnectionGateway.safeParse(options).error?.issues ?? [])
      ctx.addIssue({ code: 'custom', path: [CONNECTION_GATEWAY, ...path], message });
  })
  .refine(
    (value) => !RESERVED_METADATA.some((key) => key in value),
    `expected no key named ${RESERVED_METADATA.join(', ')}: these are reserved`,
  );
export const ConnectionCreate = z.strictObject({
  app: AppId,
  method: z.enum(AUTH_METHODS).optional(),
  name: Name.nullable().optional(),
  metadata: Metadata.optional(),
  tags: Tags.optional(),
  end_user: EndUserInput.nullable().optional(),
});
export const ConnectionUpdate = z.strictObject({
  name: Name.nullable().optional(),
  metadata: Metadata.optional(),
  /** Replaced as a whole. */
  tags: Tags.optional(),
  end_user: EndUserInput.nullable().optional(),
  check_every_minutes: CheckEvery.nullable().optional(),
  credentials_expire_at: TimestampInput.nullable().optional(),
  is_default: z.literal(true, 'expected true: to change the default, make another connection the default').optional(),
});

/** What the connect window shows to the holder of the link. */
export const ConnectSession = z.object({
  connection_id: Id,
  status: z.enum(CONNECTION_STATUSES),
  app: z.object({ app: z.string(), name: z.string(), icon: z.string().nullable(), docs_url: z.string().nullable() }),
  account_name: z.string(),
  /** Why the last attempt with this link failed, or why the connection is FAILED. */
  failure: ConnectionFailure.nullable(),
  /** The connection was completed with this link. */
  finished: z.boolean(),
  /**
   * Why the app did not confirm the saved credentials: its response was inconclusive, or no request was sent (`asked`
   * false). Null if the app confirmed them or nothing was saved.
   */
  unconfirmed: z.object({ asked: z.boolean(), message: z.string() }).nullable(),
  /** Methods available to this connection: only one if it was created with a method. */
  methods: z.array(AppMethod),
  /** Origins of pages that receive the window's messages, in addition to the window's own. */
  opener_origins: z.array(z.string()),
  theme: z.object({ accent: z.string().nullable(), logo: z.string().nullable() }),
  /** Where the browser goes next, and where it goes without a connection. Null without a connect session. */
  redirect_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
});
export const ConnectSubmit = z.strictObject({
  method: z.enum(AUTH_METHODS),
  fields: StringMap.refine((fields) => Object.keys(fields).length <= 50, 'expected at most 50 fields'),
});
/** A code that the user enters at the provider, in any browser (RFC 8628). */
export const DeviceCode = z.object({
  /** Identifies this attempt when it is checked. */
  handle: z.string(),
  user_code: z.string(),
  verification_url: z.string(),
  /** The same with the code in it, if the provider has one. */
  complete_url: z.string().nullable(),
  expires_at: Timestamp,
  /** Seconds between two checks, at least. */
  interval_seconds: z.int(),
});
/**
 * `redirect_url` is the URL at which the user authorizes at the provider, `device` the code to enter there; both are
 * null when the connection is complete.
 */
export const ConnectSubmitReply = z.object({
  session: ConnectSession,
  redirect_url: z.string().nullable(),
  device: DeviceCode.nullable(),
});
export const ConnectPoll = z.strictObject({ handle: z.string().min(1).max(200) });
/** `session` is finished once the user has authorized; until then, check again after `interval_seconds`. */
export const ConnectPollReply = z.object({ session: ConnectSession, interval_seconds: z.int() });

/** Result of a cheap request with the connection's credentials. `ok` is null if the app defines no such request. */
export const ConnectionTest = z.object({
  ok: z.boolean().nullable(),
  status: z.int().nullable(),
  duration_ms: z.number().nullable(),
  message: z.string(),
});

const HeaderPair = z.tuple([
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, 'expected the name of a header'),
  z
    .string()
    .max(8192)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'expected one line of Latin-1 characters'),
]);
/** A request to the app's native API, sent with the connection's credentials as the gateway would. */
export const ConnectionRequest = z.strictObject({
  method: z.string().regex(/^(?!CONNECT$|TRACE$)[A-Z]{3,20}$/, 'expected a method such as GET'),
  /** Path and query of the app's API, sent unchanged. */
  path: z
    .string()
    .max(8192)
    .regex(/^\/[\x21-\x7e]*$/, 'expected a path that starts with /, without spaces'),
  headers: z.array(HeaderPair).max(100).optional(),
  body: z.string().nullable().optional(),
  body_encoding: z.enum(['utf8', 'base64']).optional(),
  /** The captured call that is sent again, for the log of calls. */
  replay_of: Id.optional(),
});
export const ConnectionResponse = z.object({
  /** Null if the app did not respond: `error` has the reason. */
  response: z
    .object({
      status: z.int(),
      reason: z.string(),
      /** As sent by the app, with order, case and duplicates. */
      headers: z.array(z.tuple([z.string(), z.string()])),
      body: z.string(),
      /** `base64` if the body is not UTF-8 text. Content encodings are decoded. */
      body_encoding: z.enum(['utf8', 'base64']),
      /** Size of the body as received, before decoding. */
      bytes: z.int(),
      /** The body is longer: only the first MiB is read, and only one MiB of an encoded body is decoded. */
      truncated: z.boolean(),
    })
    .nullable(),
  /** Error of the service: the app did not respond, or its response was incomplete. */
  error: z.object({ code: z.int(), message: z.string() }).nullable(),
  /** Milliseconds from the start: connected (null without a connection), first byte, last byte. */
  timing: z.object({ connected_ms: z.number().nullable(), first_byte_ms: z.number().nullable(), total_ms: z.number() }),
});

/** One call through the gateway, without bodies, query strings and credentials. */
export const GatewayCall = z.object({
  call_id: Id,
  at: Timestamp,
  connection_id: Id,
  app: z.string(),
  /** The run of a hosted function that made the call. */
  run_id: Id.nullable(),
  /** The API key that made the call, with its name at that time. */
  key_id: Id.nullable(),
  key_name: z.string().nullable(),
  method: z.string(),
  path: z.string(),
  /** Null if the app did not respond: `error` has the reason. */
  status: z.int().nullable(),
  duration_ms: z.number(),
  request_bytes: z.int(),
  response_bytes: z.int(),
  error: z.string().nullable(),
  /** The `X-Request-Id` of the request, or of an error response of the service. */
  request_id: z.string().nullable(),
});
export const CallQuery = z.object({
  limit: limit(PAGE.calls),
  next_token: NextToken,
  /** A class such as `4xx`, or `none` for calls without a response. */
  status: z.enum(['2xx', '3xx', '4xx', '5xx', 'none']).optional(),
  method: FilterText(20).optional(),
  key_id: Id.optional(),
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
});
/** `dropped` counts calls of the account that this node could not store since it started. */
export const CallPage = z.object({ calls: z.array(GatewayCall), next_token: NextTokenReply, dropped: z.int() });
export const CallStatsQuery = z.object({ range: z.enum(CALL_RANGES).default('24h') });
export const CallStats = z.object({
  since: Timestamp,
  bucket_seconds: z.int(),
  /** Oldest first, without gaps. Durations are milliseconds, null in a bucket without calls. */
  buckets: z.array(
    z.object({
      at: Timestamp,
      count: z.int(),
      ok: z.int(),
      client_errors: z.int(),
      server_errors: z.int(),
      unanswered: z.int(),
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
      p99_ms: z.number().nullable(),
    }),
  ),
  dropped: z.int(),
});
/** Calls of all connections by app, the busiest first. Apps without calls are omitted. */
export const AppCallStats = z.object({
  since: Timestamp,
  bucket_seconds: z.int(),
  apps: z.array(
    z.object({
      app: z.string(),
      calls: z.int(),
      /** Calls with a status of 400 or above, or without a response. */
      errors: z.int(),
      p95_ms: z.number().nullable(),
      /** Calls per bucket, oldest first, without gaps. */
      buckets: z.array(z.int()),
    }),
  ),
});

/** A tool of an MCP server, as the server describes it. */
export const Tool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  input_schema: JsonObject,
  read_only: z.boolean().nullable(),
  destructive: z.boolean().nullable(),
});
export const ToolList = z.object({
  server: z.object({ name: z.string(), version: z.string(), protocol_version: z.string() }),
  tools: z.array(Tool),
});
export const ToolCall = z.strictObject({ tool: z.string().min(1).max(200), arguments: JsonObject.optional() });
export const ToolResult = z.object({
  is_error: z.boolean(),
  content: z.array(Json),
  /** Null if the tool returned none. */
  structured_content: Json,
  duration_ms: z.number(),
});
