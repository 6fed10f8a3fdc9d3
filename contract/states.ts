/** Every status and reason of the service, and predicates for permitted actions. Zod-free, for the console. */

export const CONNECTION_STATUSES = ['PENDING', 'ACTIVE', 'FAILED'] as const;
export const AUTH_METHODS = ['API_KEY', 'BASIC', 'JWT', 'OAUTH1', 'OAUTH2', 'MCP'] as const;
/** Methods that authorize at the provider, with a client that the account registered there. */
export const CLIENT_METHODS = ['OAUTH1', 'OAUTH2'] as const satisfies readonly (typeof AUTH_METHODS)[number][];
export const OAUTH_GRANTS = ['authorization_code', 'client_credentials', 'device_code', 'token_exchange'] as const;
/** Grants through a client that the account registers at the app. */
export const CLIENT_GRANTS: readonly string[] = ['authorization_code', 'device_code', 'token_exchange'];
/** Why a connection is FAILED, as `metadata.failure.code`. */
export const CONNECTION_FAILURES = [
  'ACCESS_DENIED',
  'EXCHANGE_FAILED',
  'INVALID_CREDENTIALS',
  'REFRESH_REJECTED',
  'REFRESH_EXHAUSTED',
  'REVOKED',
  'APP_CONFIG',
  'ADDRESS_REFUSED',
  'SERVER_NOT_FOUND',
  'DISCONNECTED',
  'KEY_LOST',
] as const;
/** How a refresh of a connection's tokens ended: REJECTED is final. */
export const REFRESH_OUTCOMES = ['REFRESHED', 'FAILED', 'REJECTED'] as const;
/** Why a connection does not work, or soon will not. */
export const ATTENTION_CODES = [
  'FAILED',
  'CONNECT_FAILED',
  'UNCONFIRMED',
  'REFRESH_FAILING',
  'TOKEN_EXPIRED',
  'TOKEN_EXPIRES',
  'CREDENTIALS_EXPIRED',
  'CREDENTIALS_EXPIRE',
  'SCOPE_MISSING',
  'CHECK_FAILED',
  'CALLS_DENIED',
  'WEBHOOK_FAILED',
] as const;
/** What a bulk action does with each connection. DISCONNECT deletes its credentials and keeps the connection. */
export const CONNECTION_ACTIONS = ['DISCONNECT', 'DELETE', 'ADD_TAGS', 'REMOVE_TAGS'] as const;
/** Why an installation is on hold: SLUICE_START=held, an export or import made it a copy, or it has a new master key. */
export const HOLD_CAUSES = ['SETTING', 'COPY', 'KEY'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];
/** Keys of a connection's `metadata` that only the service writes. */
export const RESERVED_METADATA = ['failure', 'last_error', 'unconfirmed'] as const;
export const APP_CATEGORIES = [
  'ai',
  'analytics',
  'commerce',
  'communication',
  'crm',
  'design',
  'developer',
  'files',
  'finance',
  'marketing',
  'media',
  'productivity',
  'support',
  'built-in',
  'custom',
] as const;
export const WEBHOOK_SIGNATURES = ['hmac', 'standard', 'token', 'ed25519', 'other'] as const;
/** Time ranges of charts. */
export const CALL_RANGES = ['1h', '24h', '7d', '30d'] as const;
/** Formats of an export: JSON lines, or comma-separated values. */
export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
/** STOPPED: the file is incomplete. */
export const EXPORT_STATUSES = ['RUNNING', 'COMPLETED', 'STOPPED'] as const;
export const TRIGGER_STATUSES = ['ENABLED', 'DISABLED'] as const;
/** BLOCKED_ADDRESS: the polled URL now leads to a private IP address. */
export const TRIGGER_REASONS = [
  'CONNECTION_FAILED',
  'CONNECTION_DELETED',
  'SOURCE_REJECTED',
  'BLOCKED_ADDRESS',
] as const;
export const DESTINATION_STATUSES = ['ENABLED', 'DISABLED'] as const;
export const DESTINATION_REASONS = ['MANUAL', 'GONE', 'FAILING'] as const;
/** URL schemes of destinations. `server/deliveries/targets/` has a kind for each. */
export const DESTINATION_SCHEMES = ['http', 'https', 'mailto', 'connection'] as const;
/** The periods of a rate limit. */
export const RATE_PERIODS = ['second', 'minute', 'hour'] as const;
/** Which deliveries of a destination are sent in order: those with the same key, or all. */
export const ORDER_SCOPES = ['KEY', 'ALL'] as const;
/** What a delivery that failed for good does to those behind it: stop them, or not. */
export const ORDER_ENDS = ['BLOCK', 'SKIP'] as const;
export const DESTINATION_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const;
/** EVENT: the event, or the body template. ORIGINAL: the bytes that the source sent. */
export const BODY_SOURCES = ['EVENT', 'ORIGINAL'] as const;
/**
 * JSON: the body template renders JSON, or text if the destination has another content type. FORM: it renders a JSON
 * object whose members are sent as the fields of a form. TEXT: values are inserted as text.
 */
export const BODY_FORMATS = ['JSON', 'FORM', 'TEXT'] as const;
/** Progress of a failing destination towards being disabled, in percent. */
export const DESTINATION_WARNINGS = [0, 50, 70, 90] as const;
export const REPLAY_STATUSES = ['RUNNING', 'PAUSED', 'COMPLETED', 'CANCELED', 'STOPPED'] as const;
export const REPLAY_ITEM_STATES = ['WAITING', 'SENT', 'DONE', 'SKIPPED'] as const;
export const SOURCE_TRANSPORTS = ['clock', 'push', 'poll', 'internal'] as const;
export const SECRET_KINDS = ['none', 'ours', 'theirs'] as const;
/** MANUAL: a user pastes the URL. PENDING: registration in progress. FAILED: registration failed. */
export const HOOK_STATES = ['MANUAL', 'PENDING', 'REGISTERED', 'FAILED'] as const;
export const HOOK_ENDS = ['REMOVED', 'REMOVING', 'LEFT'] as const;
export const REJECTION_CAUSES = [
  'SIGNATURE_MISSING',
  'SIGNATURE_WRONG',
  'TIMESTAMP_STALE',
  'SECRET_MISSING',
  'NOT_JSON',
  'NOT_UTF8',
  'MALFORMED',
  'TOO_LARGE',
  'TOO_DEEP',
  'BODY_CUT',
  'WRONG_METHOD',
  'RATE_LIMITED',
] as const;
export const DELIVERY_STATUSES = ['PENDING', 'RETRYING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELED'] as const;
export const DELIVERY_REASONS = [
  'HTTP_STATUS',
  'TIMEOUT',
  'DNS_ERROR',
  'CONNECTION_REFUSED',
  'CONNECTION_RESET',
  'TLS_ERROR',
  'BLOCKED_ADDRESS',
  'REDIRECT',
  'TEMPLATE_ERROR',
  /** The function that transforms the destination's requests failed, or returned something else than a request. */
  'TRANSFORM_ERROR',
  /** The mail server rejected the message permanently. */
  'MESSAGE_REJECTED',
  /** The connected app returned a 2xx status and an error in the body. */
  'APP_ERROR',
  /** The connection of the destination is not ACTIVE, or has no valid credentials now. */
  'CONNECTION_FAILED',
  'CONNECTION_DELETED',
  'DESTINATION_DISABLED',
  'TRIGGER_DISABLED',
  'FILTERED',
  /** The function that transforms the destination's requests returned null. */
  'TRANSFORM_SKIPPED',
  'GONE',
  'CANCELED',
  /** Due, and held because the circuit breaker of its destination is open. */
  'CIRCUIT_OPEN',
  /** Waiting, because its destination is paused. */
  'DESTINATION_PAUSED',
  /** Waiting, because an earlier delivery with the same key must end first. */
  'WAITS_IN_ORDER',
] as const;
/** Worst first. */
export const DESTINATION_HEALTHS = ['DISABLED', 'PAUSED', 'FAILING', 'HELD', 'BEHIND', 'RETRYING', 'HEALTHY'] as const;
export const ATTEMPT_ORIGINS = ['EVENT', 'RETRY', 'REPLAY'] as const;
export const RUNTIMES = ['nodejs24.x', 'nodejs22.x', 'python3.12'] as const;
export const VISIBILITIES = ['PRIVATE', 'PUBLIC', 'UNLISTED'] as const;
/** Orders of the functions that a search finds. */
export const SEARCH_SORTS = ['relevance', 'runs', 'stars', 'deployed'] as const;
export const NETWORK_POLICIES = ['ALLOW_ALL', 'DENY_ALL', 'ALLOW_LIST'] as const;
export const INVOKE_ACCESS = ['KEY', 'ANYONE'] as const;
export const RUN_STATUSES = ['RUNNING', 'OK', 'ERROR', 'TIMEOUT'] as const;
/** WARM: the process ran the function before. SPARE: it was ready for any function. COLD: it started for the run. */
export const RUN_STARTS = ['WARM', 'SPARE', 'COLD'] as const;
export const BISECT_STATUSES = ['FOUND', 'ALWAYS', 'NOT_REPRODUCED', 'UNFINISHED'] as const;
export const BISECT_OUTCOMES = ['SAME', 'OTHER', 'PASSES'] as const;
/** STOPPED: a limit or a deletion ended it. */
export const SHADOW_STATUSES = ['RUNNING', 'COMPLETED', 'STOPPED', 'CANCELED'] as const;
export type ShadowStatus = (typeof SHADOW_STATUSES)[number];
export const SHADOW_VERDICTS = ['PASSED', 'FAILED', 'UNDECIDED'] as const;
export type ShadowVerdict = (typeof SHADOW_VERDICTS)[number];
/** FAILURE: an error, a time-out, or a status of 400 or more. BLOCKED: the same, after a call that was blocked. */
export const SHADOW_OUTCOMES = ['SUCCESS', 'FAILURE', 'BLOCKED'] as const;
export type ShadowOutcome = (typeof SHADOW_OUTCOMES)[number];
/** VARIES: two runs of the live version differ, too. */
export const SHADOW_EQUALITIES = ['SAME', 'DIFFERENT', 'VARIES'] as const;
export type ShadowEquality = (typeof SHADOW_EQUALITIES)[number];
export const SHADOW_REQUEST_STATES = ['WAITING', 'DONE', 'SKIPPED'] as const;
export type ShadowRequestState = (typeof SHADOW_REQUEST_STATES)[number];
export const GRADUAL_STATUSES = ['RUNNING', 'ROLLED_BACK'] as const;
export type GradualStatus = (typeof GRADUAL_STATUSES)[number];
export const SHADOW_FINDINGS = [
  'NEW_FAILURES',
  'CHANGED_RESPONSES',
  'NEW_HOSTS',
  'SLOWER',
  'ALL_BLOCKED',
  'SOME_BLOCKED',
  'NOT_COMPLETE',
] as const;
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export const ENV_TYPES = ['PLAIN', 'SENSITIVE'] as const;
export const ROLES = ['OWNER', 'ADMIN', 'VIEWER'] as const;
export const MEMBER_STATUSES = ['ACTIVE', 'INVITED'] as const;
export const AUDIT_OUTCOMES = ['SUCCEEDED', 'FAILED'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];
/** A one-time link lets a new member set the first password, or a member a new one. */
export const INVITATION_PURPOSES = ['WELCOME', 'JOIN', 'JOIN_AFTER_SIGN_IN', 'NEW_PASSWORD'] as const;
/** Why a browser is sent to an identity provider, and how that ended. */
export const SIGN_IN_PURPOSES = ['SIGN_IN', 'CONFIRM'] as const;
export type SignInPurpose = (typeof SIGN_IN_PURPOSES)[number];
export const SIGN_IN_RESULTS = ['SIGNED_IN', 'CONFIRMED', 'CONFIRM_MEMBER'] as const;
export const PASSWORD_RESETS = ['EMAIL', 'OPERATOR'] as const;
/** What a person can sign in with after the password. */
export const FACTORS = ['PASSKEY', 'AUTHENTICATOR', 'RECOVERY_CODE'] as const;
export type Factor = (typeof FACTORS)[number];
export const PASSKEY_PURPOSES = ['SIGN_IN', 'SECOND_FACTOR', 'CONFIRM'] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];
/**
 * What started a run: a delivery of an event, a request to its URL with an API key or without one, `:invoke` by an API
 * key or by a user in the console, the test of a destination, a bisect, the transformation of a delivery's request.
 */
export const RUN_CALLERS = ['EVENT', 'KEY', 'ANYONE', 'API', 'CONSOLE', 'TEST', 'BISECT', 'TRANSFORM'] as const;
/** Which version of a transformation a replay uses: the destination's, or that of the delivery's last attempt. */
export const TRANSFORM_VERSIONS = ['NOW', 'THEN'] as const;
/** Kinds of resources that a look-up finds. */
export const LOOKUP_KINDS = [
  'EVENT',
  'DELIVERY',
  'ATTEMPT',
  'RUN',
  'GATEWAY_CALL',
  'REJECTION',
  'TRIGGER',
  'DESTINATION',
  'FUNCTION',
  'CONNECTION',
  'REPLAY',
  'API_KEY',
  'MEMBER',
  'AUDIT_ENTRY',
] as const;
/** What can be removed, for the question what breaks. */
export const IMPACT_KINDS = ['API_KEY', 'CONNECTION', 'APP', 'HOST', 'ENVIRONMENT', 'FUNCTION'] as const;
/**
 * Why a removal affects a function: its code names it, it is granted it, it called with it in seven days, one of its
 * environment variables is it, or it is removed itself.
 */
export const IMPACT_CAUSES = ['CODE', 'GRANT', 'CALLS', 'VARIABLE', 'REMOVED'] as const;
export const LOOKUP_MATCHES = ['ID', 'WEBHOOK_ID', 'REQUEST_ID'] as const;
/**
 * What fails: deliveries, runs of functions, calls through the gateway, the renewal of tokens, requests to webhook
 * endpoints, schedules that missed times, sources that cannot be polled.
 */
export const PROBLEM_KINDS = ['DELIVERY', 'RUN', 'CALL', 'RENEWAL', 'REJECTION', 'SCHEDULE', 'POLL'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];
/** Resources that fail with a problem. */
export const PROBLEM_PART_KINDS = ['TRIGGER', 'DESTINATION', 'FUNCTION', 'CONNECTION'] as const;
export type ProblemPartKind = (typeof PROBLEM_PART_KINDS)[number];
export const PROBLEM_STATES = ['OPEN', 'ACKNOWLEDGED', 'IGNORED', 'RESOLVED'] as const;
export type ProblemState = (typeof PROBLEM_STATES)[number];
/**
 * Why a problem is RESOLVED: by a person, by successes since, because a replay delivered everything that it affects, or
 * because what failed was deleted.
 */
export const PROBLEM_ENDS = ['PERSON', 'SUCCESSES', 'REPLAYED', 'DELETED'] as const;
export type ProblemEnd = (typeof PROBLEM_ENDS)[number];
/**
 * Why a replay of a problem leaves out what failed: deliveries that succeeded since, are in progress, were canceled, were
 * skipped by a filter or transformation, belong to an event with a newer edited copy, whose destination is disabled or was deleted, or that
 * are not stored any more; rejected requests, runs and calls without an event, and others (tokens, schedules, polls).
 */
export const LEFT_OUT = [
  'SUCCEEDED',
  'IN_PROGRESS',
  'CANCELED',
  'SKIPPED',
  'EDITED',
  'DESTINATION_DISABLED',
  'DESTINATION_DELETED',
  'NOT_STORED',
  'REJECTED_REQUEST',
  'RUN',
  'CALL',
  'OTHER',
] as const;
export type LeftOut = (typeof LEFT_OUT)[number];
/** What happens when the canary of a replay has succeeded: it continues, or it is paused until a person resumes it. */
export const CANARY_ENDS = ['CONTINUE', 'PAUSE'] as const;
/**
 * What the attempts of a replayed delivery say. ALREADY_DELIVERED: it succeeded before the replay sent it. RETRYING and
 * WAITING are not final.
 */
export const RECEIPT_OUTCOMES = [
  'DELIVERED',
  'ALREADY_DELIVERED',
  'FAILED',
  'RETRYING',
  'WAITING',
  'CANCELED',
  'NOT_SENT',
] as const;
export type ReceiptOutcome = (typeof RECEIPT_OUTCOMES)[number];
export const ACTOR_TYPES = ['USER', 'API_KEY', 'SYSTEM', 'CONNECT_LINK'] as const;

export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];
export type AuthMethod = (typeof AUTH_METHODS)[number];
export type ClientMethod = (typeof CLIENT_METHODS)[number];
export type ConnectionFailureCode = (typeof CONNECTION_FAILURES)[number];
export type AttentionCode = (typeof ATTENTION_CODES)[number];
export type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number];
export type ConnectionAction = (typeof CONNECTION_ACTIONS)[number];
export type ExportStatus = (typeof EXPORT_STATUSES)[number];
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export type CallRange = (typeof CALL_RANGES)[number];
export type AppCategory = (typeof APP_CATEGORIES)[number];
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];
export type ReplayItemState = (typeof REPLAY_ITEM_STATES)[number];
export type RejectionCause = (typeof REJECTION_CAUSES)[number];
export type OrderScope = (typeof ORDER_SCOPES)[number];
export type OrderEnd = (typeof ORDER_ENDS)[number];
export type RatePeriod = (typeof RATE_PERIODS)[number];
export type DestinationStatus = (typeof DESTINATION_STATUSES)[number];
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];
export type DestinationHealth = (typeof DESTINATION_HEALTHS)[number];
export type AttemptOrigin = (typeof ATTEMPT_ORIGINS)[number];
export type FunctionRuntime = (typeof RUNTIMES)[number];
export type Visibility = (typeof VISIBILITIES)[number];
export type SearchSort = (typeof SEARCH_SORTS)[number];
export type NetworkPolicy = (typeof NETWORK_POLICIES)[number];
export type RunCaller = (typeof RUN_CALLERS)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type RunStart = (typeof RUN_STARTS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];
export type ImpactKind = (typeof IMPACT_KINDS)[number];
export type ImpactCause = (typeof IMPACT_CAUSES)[number];
export type LookupKind = (typeof LOOKUP_KINDS)[number];
export type LookupMatchedBy = (typeof LOOKUP_MATCHES)[number];
export type Role = (typeof ROLES)[number];
export type ActorType = (typeof ACTOR_TYPES)[number];

/** Whether an action is permitted. `reason` is a sentence, for a tooltip and for the message of a 400. */
export type Verdict = { can: true } | { can: false; reason: string };
const yes: Verdict = { can: true };
const no = (reason: string): Verdict => ({ can: false, reason });

/** Whether the service may still attempt a delivery. */
export const isOpen = (status: DeliveryStatus): boolean => status === 'PENDING' || status === 'RETRYING';

/** A queue is behind with this many due deliveries, or with one that has been due for this long. */
export const QUEUE_BEHIND = { due: 500, seconds: 60 } as const;

/** The health of a destination by its last attempts and its queue, in the API and the console. */
export function destinationHealth(
  destination: { status: DestinationStatus; failing_since: string | null; paused_at: string | null },
  queue: { waiting: number; due: number; held: number; oldest_due_at: string | null },
  nowMs: number,
): DestinationHealth {
  if (destination.status === 'DISABLED') return 'DISABLED';
  if (destination.paused_at !== null) return 'PAUSED';
  if (destination.failing_since !== null) return 'FAILING';
  if (queue.held > 0) return 'HELD';
  const oldestMs = queue.oldest_due_at === null ? 0 : nowMs - Date.parse(queue.oldest_due_at);
  if (queue.due >= QUEUE_BEHIND.due || oldestMs > QUEUE_BEHIND.seconds * 1000) return 'BEHIND';
  return queue.waiting > queue.due ? 'RETRYING' : 'HEALTHY';
}

/** A replay needs a destination that exists and is enabled. */
export function mayReplay(destination: { status: DestinationStatus } | undefined): Verdict {
  if (!destination) return no('The destination was deleted.');
  if (destination.status === 'DISABLED') return no('The destination is disabled; enable it first.');
  return yes;
}

/** The live version can't be rolled back to. */
export function mayServe(version: number, serving: number): Verdict {
  return version === serving ? no(`Version ${version} is already live.`) : yes;
}

/** The last owner of an account can neither leave nor lose the role. */
export function mayDropOwner(owners: number): Verdict {
  return owners > 1 ? yes : no('An account needs at least one owner.');
}

/** Kinds of definitions in code, in the words of editors. */
export const SYMBOL_KINDS = [
  'function',
  'class',
  'method',
  'property',
  'variable',
  'interface',
  'type',
  'enum',
  'member',
  'namespace',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** What is read from code for the search; each is a filter of that name. */
export const FACT_KINDS = ['symbol', 'imports', 'host', 'env'] as const;
export type FactKind = (typeof FACT_KINDS)[number];
