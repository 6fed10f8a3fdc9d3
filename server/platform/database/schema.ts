/** The types of the tables that `migrations/` create. Timestamps are strings with six digits. */

import type { Generated, Kysely, Transaction } from 'kysely';
import type {
  AttemptOrigin,
  DeliveryReason,
  DeliveryStatus,
  RejectionCause,
  TriggerStatus,
} from '../../../contract/states.ts';
import type {
  AccountsInDatabase,
  AccountsTable,
  ApiKeysTable,
  ApiKeyUsesTable,
  AuditTable,
  AuthenticatorsTable,
  FactorTables,
  IdempotencyTable,
  IdentitiesTable,
  IdentityProvidersTable,
  PasskeyChallengesTable,
  PasskeysTable,
  PendingSignInsTable,
  PeopleTable,
  SessionsTable,
  SignInFlowsTable,
  SignInLimitsTable,
  UsersTable,
} from './tables/account-tables.ts';
import type { JsonText, Sealed, Timestamp } from './tables/column-types.ts';
import type { ConditionsTable, ConditionTables } from './tables/condition-tables.ts';
import type {
  AppCredentialsTable,
  AppsTable,
  ConnectFlowsTable,
  ConnectionRefreshesTable,
  ConnectionsTable,
  ConnectionTables,
} from './tables/connection-tables.ts';
import type { DestinationLeasesTable, DestinationsTable, OrderedDeliveriesTable } from './tables/destination-tables.ts';
import type { FunctionTables } from './tables/function-tables.ts';
import type { ReplayItemsTable, ReplaysTable } from './tables/replay-tables.ts';

export type {
  AccountsTable,
  ApiKeysTable,
  ApiKeyUsesTable,
  AppCredentialsTable,
  AppsTable,
  AuditTable,
  AuthenticatorsTable,
  ConditionsTable,
  ConnectFlowsTable,
  ConnectionRefreshesTable,
  ConnectionsTable,
  DestinationsTable,
  IdempotencyTable,
  IdentitiesTable,
  IdentityProvidersTable,
  PasskeyChallengesTable,
  PasskeysTable,
  PendingSignInsTable,
  PeopleTable,
  ReplayItemsTable,
  ReplaysTable,
  SessionsTable,
  SignInFlowsTable,
  SignInLimitsTable,
  UsersTable,
};

export type SettingsTable = { name: string; value: string };
export type BlobsTable = {
  sha256: string;
  size: number;
  /** When it was stored last. */
  put_at: Generated<Timestamp>;
  bytes: Buffer;
};
export type RateLimitsTable = {
  name: string;
  key: string;
  tokens: number;
  /** Tokens that the last node took. */
  granted: number;
  at: Timestamp;
};
export type NodesTable = {
  node_id: string;
  started_at: Timestamp;
  heartbeat_at: Timestamp;
  /** The host of its data folder, and the free and total bytes of that file system. Null until measured. */
  host: string | null;
  storage_free: number | null;
  storage_total: number | null;
};
export type SavedFiltersTable = {
  account_id: string;
  saved_filter_id: string;
  name: string;
  filter: JsonText;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
};
export type PinnedEventsTable = {
  account_id: string;
  event_id: string;
  trigger_id: string;
  note: string | null;
  pinned_by: string;
  pinned_at: Timestamp;
};
export type GatewayCallsTable = {
  account_id: string;
  call_id: string;
  connection_id: string;
  /** The run of a hosted function that made it. */
  run_id: string | null;
  /** The API key that made it, with its name at that time. */
  key_id: string | null;
  key_name: string | null;
  app: string;
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  request_bytes: number;
  response_bytes: number;
  error: string | null;
  /** An id that the caller knows: sent with the call, or in an error response of the service. */
  request_id: string | null;
  /** The call whose request the console sent again. */
  replay_of: string | null;
};
export type TriggersTable = {
  account_id: string;
  trigger_id: string;
  source: string;
  event_type: string;
  name: string;
  description: string | null;
  parameters: JsonText;
  connection_id: string | null;
  status: TriggerStatus;
  reason: 'CONNECTION_FAILED' | 'CONNECTION_DELETED' | 'SOURCE_REJECTED' | 'BLOCKED_ADDRESS' | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  last_event_at: Timestamp | null;
  next_fire_at: Timestamp | null;
  filter: JsonText | null;
  /** SHA-256 of the token in the webhook endpoint's URL; the sealed token is stored with it. */
  ingress_hash: string | null;
  ingress_token: Sealed | null;
  source_secret: Sealed | null;
  /** The result of the webhook registration at the app: its id there, or the reason for the rejection. */
  hook: JsonText | null;
  /** The position in a polled source. */
  position: JsonText | null;
  next_poll_at: Timestamp | null;
  /** Since when every poll has failed. */
  failing_since: Timestamp | null;
  /** When a schedule last fired with missed times, and these: `{count, first, last}`. */
  missed_at: Timestamp | null;
  missed: JsonText | null;
};
/** A webhook registration at an app, current or to be removed. */
export type SourceHooksTable = {
  account_id: string;
  hook_id: string;
  trigger_id: string;
  app: string;
  connection_id: string | null;
  /** Hash of the trigger's webhook URL, by which the registration at the app is recognized. */
  ingress_hash: string;
  /** The event type and parameters of the registration. */
  wanted: JsonText;
  state: 'PENDING' | 'REGISTERED' | 'FAILED' | 'REMOVING';
  /** Its id at the app; null while unknown. */
  remote_id: string | null;
  message: string | null;
  tries: number;
  /** A node works on it, until `next_at`. */
  leased: boolean;
  next_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** A source's delivery id, and the id of its event. */
export type IngressKeysTable = {
  account_id: string;
  trigger_id: string;
  key: string;
  event_id: string;
  at: Timestamp;
};
export type RejectionsTable = {
  account_id: string;
  rejection_id: string;
  trigger_id: string;
  cause: RejectionCause;
  message: string;
  method: string;
  headers: JsonText;
  body: string | null;
  bytes: number;
  ip: string | null;
  request_id: string | null;
  /** The whole request, if it can be accepted as an event: `RequestValues` and the exact body. */
  request: JsonText | null;
  whole_body: Buffer | null;
  /** The event that it was accepted as. */
  event_id: string | null;
};
export type EventsTable = {
  account_id: string;
  event_id: string;
  trigger_id: string;
  received_at: Timestamp;
  payload: JsonText;
  /** The original event of an edited copy. */
  replay_of: string | null;
  /** The X-Request-Id that its source sent. */
  request_id: string | null;
  /** The trace context that its deliveries continue, by W3C Trace Context. Null without one. */
  traceparent: string | null;
  tracestate: string | null;
  xid: Generated<string>;
};
/** The request of a source, with each event that it created. */
export type EventRequestsTable = {
  account_id: string;
  event_id: string;
  /** `RequestValues` of contract/text/request-values.ts with `size`, the bytes of the body. */
  request: JsonText;
  /** The exact body. Null if it is the payload, byte for byte, or stored with the event `body_of`. */
  body: Buffer | null;
  /** The first event of the request, if the request created several. */
  body_of: string | null;
};
/** The search index of 1,024 consecutive events of an account; see deliveries/store/search. */
export type EventSearchBlocksTable = {
  account_id: string;
  /** Its last event. */
  last_id: string;
  /** All events after this id belong to it, up to its last one. */
  after_id: string;
  /** The logarithm of the number of rows in `signatures`. */
  bits: number;
  /** The last event of each group. */
  ids: string[];
  signatures: Buffer;
};
export type DeliveriesTable = {
  account_id: string;
  event_id: string;
  delivery_id: string;
  trigger_id: string;
  destination_id: string;
  destination_name: string;
  destination_url: string;
  destination_method: string;
  status: DeliveryStatus;
  reason: DeliveryReason | null;
  /** All attempts ever made; never decreases. */
  attempts: number;
  /** Attempts made since the schedule (re)started. */
  step: number;
  /** Incremented by each replay; a worker with an older one cannot change the state. */
  generation: number;
  origin: AttemptOrigin;
  /** The due time, or the end of the lease. Null when finished. */
  next_at: Timestamp | null;
  leased_by: string | null;
  last_response_status: number | null;
  last_response_body: string | null;
  last_response_duration: number | null;
  last_error_message: string | null;
  last_run_id: string | null;
  last_function_id: string | null;
  last_attempt_at: Timestamp | null;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  replay_id: string | null;
  /** The `webhook-id`; null: the event's id. */
  webhook_id: string | null;
  /** Its key in the order of its destination; null without an order. */
  order_key: string | null;
  /** A single replay sends it with the transformation of its last attempt. */
  transform_then: boolean | null;
};
export type AttemptsTable = {
  account_id: string;
  event_id: string;
  delivery_id: string;
  number: number;
  origin: AttemptOrigin;
  started_at: Timestamp;
  duration_ms: number;
  request_method: string;
  request_url: string;
  request_headers: JsonText;
  /** Without the event's payload if the body contains it unchanged: at `payload_at`, in UTF-16 units. */
  request_body: string | null;
  payload_at: number | null;
  response_status: number | null;
  response_headers: JsonText | null;
  response_body: string | null;
  response_truncated: boolean;
  reason: DeliveryReason | null;
  error_message: string | null;
  run_id: string | null;
  function_id: string | null;
  replay_id: string | null;
  webhook_id: string | null;
  /** What transformed its request. The version and the run are null if no run began. */
  transform_function_id: string | null;
  transform_version: number | null;
  transform_run_id: string | null;
};
export type DB = FunctionTables &
  FactorTables &
  ConditionTables &
  ConnectionTables & {
    settings: SettingsTable;
    nodes: NodesTable;
    blobs: BlobsTable;
    rate_limits: RateLimitsTable;
    accounts: AccountsInDatabase;
    people: PeopleTable;
    users: UsersTable;
    sessions: SessionsTable;
    sign_in_limits: SignInLimitsTable;
    sign_in_flows: SignInFlowsTable;
    identity_providers: IdentityProvidersTable;
    identities: IdentitiesTable;
    api_keys: ApiKeysTable;
    api_key_uses: ApiKeyUsesTable;
    audit: AuditTable;
    idempotency: IdempotencyTable;
    gateway_calls: GatewayCallsTable;
    triggers: TriggersTable;
    destinations: DestinationsTable;
    destination_leases: DestinationLeasesTable;
    source_hooks: SourceHooksTable;
    ingress_keys: IngressKeysTable;
    rejections: RejectionsTable;
    replays: ReplaysTable;
    saved_filters: SavedFiltersTable;
    pinned_events: PinnedEventsTable;
    replay_items: ReplayItemsTable;
    events: EventsTable;
    event_requests: EventRequestsTable;
    event_search_blocks: EventSearchBlocksTable;
    deliveries: DeliveriesTable;
    ordered_deliveries: OrderedDeliveriesTable;
    attempts: AttemptsTable;
  };

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;
