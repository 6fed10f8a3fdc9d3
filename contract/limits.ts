/** The limits of the service, in one place. Zod-free. */
export const PAGE = {
  triggers: { default: 50, max: 100 },
  events: { default: 50, max: 200 },
  attempts: { default: 50, max: 200 },
  functions: { default: 100, max: 200 },
  versions: { default: 50, max: 200 },
  runs: { default: 50, max: 200 },
  logs: { default: 100, max: 1000 },
  connections: { default: 50, max: 200 },
  calls: { default: 50, max: 200 },
  rejections: { default: 50, max: 200 },
  replays: { default: 50, max: 200 },
  problems: { default: 50, max: 200 },
  shadows: { default: 20, max: 100 },
  shadowRequests: { default: 50, max: 200 },
  audit: { default: 50, max: 200 },
  search: { default: 25, max: 100 },
  searchAll: { default: 100, max: 1000 },
} as const;

/** Scheduled checks of the credentials of connections. */
export const CHECK_MINUTES = { min: 15, max: 10_080 } as const;
/** Days before which an expiry needs attention: of a token without a refresh token, of entered credentials. */
export const EXPIRY_NOTICE_DAYS = { token: 7, credentials: 14 } as const;
/** Consecutive calls with 401 or 403 that need attention. */
export const DENIED_CALLS_MIN = 3;

/** Stored requests that a shadow uses. */
export const SHADOW_REQUESTS = { default: 50, max: 200 } as const;
/** Shadows in progress: of one account, and the seconds that one may take. */
export const SHADOWS_AT_ONCE = 3;
export const SHADOW_MAX_SECONDS = 900;
/** The time limit of a run of a shadow, if that of its function is longer. */
export const SHADOW_RUN_SECONDS = 30;
/** Time-outs of the version after which its shadow stops. */
export const SHADOW_TIMEOUTS_MAX = 5;

/** Saved filters of one account, and up to where their events are counted. */
export const SAVED_FILTERS_MAX = 50;
export const SAVED_SEARCHES_MAX = 50;
/** Saved requests of an app in an account, and limits of each. */
export const SAVED_REQUESTS_MAX = 50;
export const SAVED_REQUEST_BODY_MAX_CHARS = 16_384;
export const SAVED_REQUEST_MAX_CHARS = 32_768;
export const COUNTED_EVENTS_MAX = 1_000;
/** Pinned events of one account. */
export const PINNED_EVENTS_MAX = 1_000;
/** Exports that one account can download from one node at the same time. */
export const EXPORTS_AT_ONCE = 3;
/** Ids in one read of rows by id: a URL of under 4 KB. */
export const IDS_MAX = 100;

export const SEARCH_CONTEXT_MAX = 10;
export const SEARCH_QUERY_MAX_CHARS = 1000;
export const SEARCH_HITS_PER_FUNCTION = 50;
/** Hits in the reply of a search within one function. */
export const SEARCH_HITS_IN_ONE_FUNCTION = 1000;
/** Copies of a function that a search lists; of more it says only that there are more. */
export const SEARCH_COPIES_MAX = 50;
/** CPU time of a search in each search thread, and its time in any case. */
export const SEARCH_BUDGET_MS = 2000;
export const SEARCH_LONGEST_MS = 5000;
/** The time of one request that searches all functions, and of an export of the hits. */
export const SEARCH_ALL_SECONDS = 60;
export const SEARCH_EXPORT_SECONDS = 600;
/** Hits of one function in an export. */
export const SEARCH_HITS_EXPORTED = 1000;
/** Searches of all functions that one account can run on one node at the same time. */
export const SEARCHES_OF_ALL_AT_ONCE = 2;

export const BODY_MAX_BYTES = 1024 * 1024;
export const CODE_MAX_BYTES = 10 * 1024 * 1024;
export const CODE_MAX_FILES = 1000;
export const JSON_MAX_DEPTH = 64;
export const PAYLOAD_MAX_BYTES = 512 * 1024;

/** Events of one bulk replay, and of one that names each of them. */
export const REPLAY_MAX_EVENTS = 2_000_000;
export const REPLAY_IDS_MAX = 100_000;
export const REPLAY_RATE_PER_SECOND = 20;
export const DRY_RUN_ITEMS = 20;
/** Limits of a request to a webhook endpoint: seconds for the whole body, and events in an array. */
export const INGRESS_SECONDS = 10;
export const INGRESS_ITEMS_MAX = 1000;
/** Body of a request to a webhook endpoint: the default of `SLUICE_HOOK_BODY_MIB`, and its maximum, in MiB. */
export const HOOK_BODY_MIB = { default: 1, max: 25 } as const;
/** Fields of a form, and parts of a multipart body. */
export const FORM_FIELDS_MAX = 1000;
/** A list of events omits larger payloads. */
export const LISTED_PAYLOAD_MAX_BYTES = 1_500_000;
/** Bytes of the body of a rejected request that a list shows. */
export const REJECTION_KEPT_BYTES = 4096;
/** How long the source's id of an event is stored for deduplication. */
export const DEDUPLICATION_HOURS = 24;
export const KEY_OVERLAP_HOURS = { default: 24, min: 0, max: 168 } as const;
/** An API key without use for this long is shown as unused. */
export const KEY_UNUSED_DAYS = 90;
/** How far back the use of a key is read, for a proposal of limits. */
export const KEY_USAGE_DAYS = 30;
export const SECRET_OVERLAP_HOURS = { default: 24, max: 168 } as const;
/** Delays of a custom retry schedule. */
export const RETRY_DELAYS_MAX = 20;
/** Limits of the settings of a destination: requests per second, requests in flight, and seconds of one attempt. */
export const RATE_PER_SECOND_MAX = 1000;
export const PERIOD_SECONDS = { second: 1, minute: 60, hour: 3600 } as const;
export const IN_FLIGHT = { default: 8, min: 1, max: 64 } as const;
export const ATTEMPT_SECONDS = { min: 1, max: 60 } as const;
/** A destination is disabled after only failures for this long, and two deliveries this far apart without success. */
export const DISABLE_AFTER_DAYS = 5;
export const EXHAUSTED_APART_HOURS = 12;
/** Conditions that triggers of the source `sluice` report: open at a time, and opened per evaluation. */
export const CONDITIONS_OPEN_MAX = 200;
export const CONDITIONS_PER_ROUND = 20;
export const CONDITIONS_EVERY_MS = 5_000;
/** How long a condition has to be over before it closes; doubles each time it opens again within an hour. */
export const CONDITION_HOLD_MS = 30_000;
export const CONDITION_HOLD_MAX_MS = 1_800_000;
/** Number of past events that a filter is tested on. */
export const FILTER_TEST_EVENTS = 500;
export const DESTINATIONS_PER_TRIGGER = 20;
export const DESTINATION_HEADERS_MAX = 32;
/** Replaces the hidden part of a secret in reads. Sent back in a PATCH, it keeps the stored value. */
export const MASK = '••••••••';

/** Seconds until the next attempt, by the number of attempts made since the schedule (re)started. */
export const RETRY_SCHEDULE_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000] as const;
export const ATTEMPT_TIMEOUT_MS = 15_000;
export const RESPONSE_KEPT_BYTES = 16 * 1024;

export const TIMEOUT_SECONDS = { default: 10, min: 1, max: 300 } as const;
/** Apps and connections granted to one function. */
export const GATEWAY_GRANTS_MAX = 100;
/**
 * Captured requests and responses of gateway calls: bytes of a body, calls of an account (the newest are kept), days
 * after which they are deleted, and the longest time that a capture is on.
 */
export const CAPTURE = { bodyBytes: 64 * 1024, calls: 500, days: 3, minutes: 1440, atOnce: 20 } as const;
/**
 * Refused gateway calls: equal ones are one row per window, and an account has this number of different rows per window
 * and node. The others are counted in one row for each status.
 */
export const REFUSED_CALLS = { windowMs: 300_000, rows: 50 } as const;
/** Gateway calls listed per run. */
export const RUN_CALLS_MAX = 500;
/** Runs of one function in progress on a node; transformations are counted apart, as events come many at a time. */
export const RUNS_AT_ONCE = 20;
export const TRANSFORMS_AT_ONCE = 48;
export const RUN_BODY_KEPT_BYTES = 256 * 1024;
/** Body of a request to a function, and of its response. */
export const FUNCTION_BODY_MAX_BYTES = 100 * 1024 * 1024;

/** The time of a function that transforms a request, and the size of its answer. */
export const TRANSFORM_SECONDS = 1;
export const TRANSFORM_ANSWER_MAX_BYTES = 2 * 1024 * 1024;
/** Events that a transformation is tested with at a time. */
export const TRANSFORM_TEST_EVENTS = { default: 5, max: 20 } as const;

export const CONNECT_SESSION_MINUTES = 30;
/** Limits of a connect session: its apps, its connections, and its time. */
export const CONNECT_SESSION = { apps: 50, uses: 100, minutes: 1440 } as const;
/** Origins of an account that may open the connect window. */
export const CONNECT_ORIGINS_MAX = 20;
/** The logo that the connect window shows: bytes of the file, and pixels of each side. */
export const CONNECT_LOGO = { bytes: 64 * 1024, pixels: 1024 } as const;
/** Tags of one connection, and the characters of one. */
export const TAGS = { max: 20, chars: 64 } as const;
/** Connections that one bulk action changes: the rest is left for the next. */
export const BULK_CONNECTIONS_MAX = 1_000;
/** Triggers that a replacement of their connection changes. */
export const CONNECTION_TRIGGERS_MAX = 1_000;
/** Refreshes that are listed of one connection. */
export const REFRESHES_KEPT = 50;
/** OAuth tokens are refreshed this long before they expire, and at least this often. */
export const REFRESH_AHEAD_MINUTES = 15;
export const REFRESH_EVERY_HOURS = 24;
/** A connection is FAILED after its refreshes failed for this long. */
export const REFRESH_GIVE_UP_DAYS = 4;
/** Limits of requests to providers: tokens, metadata, discovery. */
/** OpenAPI documents: size, seconds to read one, and those that one node reads at the same time. */
export const OPENAPI_MAX_BYTES = 16 * 1024 * 1024;
export const OPENAPI_SECONDS = 30;
export const OPENAPI_AT_ONCE = 1;
export const PROVIDER_REPLY_MAX_BYTES = 1024 * 1024;
export const PROVIDER_TIMEOUT_MS = 10_000;
/** Limits of a request that the service sends to an app: time, and captured bytes of the response. */
export const APP_REQUEST_TIMEOUT_MS = 30_000;
/** A streamed response may continue for this long after it has begun. */
export const APP_STREAM_MAX_MS = 300_000;
export const APP_REPLY_KEPT_BYTES = 1024 * 1024;
export const DOWNLOAD_MINUTES = 10;
export const IDEMPOTENCY_HOURS = 24;
export const IDEMPOTENCY_KEY_MAX_CHARS = 255;
/** A session ends this long after its last use, … */
export const SESSION_DAYS = 14;
/** … and this long after the sign-in. */
export const SESSION_MAX_DAYS = 30;
export const SESSIONS_PER_USER = 100;
/** How many accounts a person may own before they can't create another one. */
export const OWNED_ACCOUNTS = 20;
/** How long after entering the password a session may do what gives others access. */
export const CONFIRMATION_HOURS = 1;
/** How long a sign-in through an identity provider may take, and how long its existing member may take to confirm. */
export const SIGN_IN_MINUTES = 10;
/** Identity providers of an account, and the domains and values of one. */
export const IDENTITY_PROVIDER = { providers: 10, domains: 50, mappings: 100 } as const;
/** How long a link to set a new password works. */
export const PASSWORD_RESET_HOURS = 1;
/**
 * Failed sign-ins in `SIGN_IN_WINDOW_MINUTES`, for an email address, a browser it has signed in with, and an IP
 * address.
 */
export const FAILED_SIGN_INS = { email: 10, device: 10, ip: 30 };
export const SIGN_IN_WINDOW_MINUTES = 15;
/** Wrong codes of a person's second factor in a day, in addition. */
export const FAILED_CODES_PER_DAY = 50;
/** Wrong codes after one right password; then the password has to be entered again. */
export const FAILED_CODES_PER_SIGN_IN = 5;
/** How long after the password the second factor can be used, and how long a passkey prompt can be answered. */
export const SECOND_FACTOR_MINUTES = 10;
export const PASSKEY_MINUTES = 5;
export const PASSKEYS_PER_PERSON = 20;
export const RECOVERY_CODES = 10;
export const INVITE_DAYS = 7;
export const PASSWORD_MIN_CHARS = 10;

/** A path of the payload, as in templates: the key of a destination's order. */
export const ORDER_PATH = /^payload(?:\.[^\s.{}]+)+$/;
export const ORDER_PATH_MAX = 500;

/** Different messages of one cause that are separate problems; the others are one. */
export const PROBLEM_SIGNATURES_MAX = 20;
/** New problems of an account within an hour; other causes are one problem for each kind of failure. */
export const PROBLEMS_PER_HOUR = 500;
/** The first deliveries of a replay of a problem, unless the request has another number; and its upper rate limit. */
export const PROBLEM_CANARY = 3;
export const PROBLEM_REPLAY_RATE = 1000;
