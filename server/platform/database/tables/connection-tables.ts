import type { AuthMethod, ClientMethod, ConnectionStatus, RefreshOutcome } from '../../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type ConnectionsTable = {
  account_id: string;
  connection_id: string;
  app: string;
  method: AuthMethod | null;
  name: string | null;
  status: ConnectionStatus;
  metadata: JsonText;
  failure: JsonText | null;
  credentials: Sealed | null;
  is_default: boolean;
  creation_time: Timestamp;
  last_updated_time: Timestamp;
  last_used_time: Timestamp | null;
  /** When it was last completed or reset; links created before are expired. */
  completed_at: Timestamp | null;
  /** When the access token ends. */
  token_expires_at: Timestamp | null;
  refreshed_at: Timestamp | null;
  /** The time of the next refresh. */
  refresh_at: Timestamp | null;
  /** Since when every refresh has failed. */
  refresh_failing_since: Timestamp | null;
  /** The last attempt to connect, if it failed and left the status unchanged. */
  last_error: JsonText | null;
  /** Since when and why the app did not confirm the credentials. */
  unconfirmed: JsonText | null;
  /** Consecutive 401 responses, if the credentials are an API key. */
  refusals: number;
  /** Hash of the link that completed it. */
  completed_link: string | null;
  /** JSON array of text, in the order given. */
  tags: JsonText;
  end_user_id: string | null;
  end_user_email: string | null;
  end_user_name: string | null;
  /** How often its credentials are checked: 0 for never, null for as often as those of its app. */
  check_every_minutes: number | null;
  /** The time of the next check, or the end of the lease of the one in progress. */
  check_at: Timestamp | null;
  /** JSON: the last check. */
  check_result: JsonText | null;
  /** Consecutive checks that did not succeed; a rejection counts as two. */
  check_failures: number;
  /** When the entered credentials expire, as an admin entered it. */
  credentials_expire_at: Timestamp | null;
  /** JSON array: requested scopes that the app did not grant. */
  missing_scopes: JsonText | null;
  /** The last calls, if all of them got 401 or 403: their number. */
  denied_calls: number;
};
export type SavedRequestsTable = {
  account_id: string;
  saved_request_id: string;
  app: string;
  name: string;
  method: string;
  path: string;
  /** JSON array of pairs. */
  headers: JsonText;
  body_kind: 'none' | 'json' | 'form' | 'text' | 'multipart' | 'file';
  body: string;
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** How often the connections of an app are checked. */
export type AppChecksTable = { account_id: string; app: string; every_minutes: number; updated_at: Timestamp };
/** A refresh of a connection's tokens, or the first of several failures in a row with the same message. */
export type ConnectionRefreshesTable = {
  account_id: string;
  connection_id: string;
  at: Timestamp;
  outcome: RefreshOutcome;
  message: string | null;
};
export type AppsTable = {
  account_id: string;
  app: string;
  definition: JsonText;
  created_at: Timestamp;
  /** JSON array; null for an app without paths. */
  paths: JsonText | null;
};
export type AppCredentialsTable = {
  account_id: string;
  app: string;
  method: ClientMethod;
  client_id: string;
  client_secret: Sealed | null;
  /** JSON array; null for the app's defaults. */
  scopes: JsonText | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** The provider accepts id and secret only without form-encoding. */
  raw_basic: boolean;
};
/** A pending authorization at a provider: the data needed at its callback. */
export type ConnectFlowsTable = {
  account_id: string;
  state_hash: string;
  connection_id: string;
  method: AuthMethod;
  browser_hash: string;
  sealed: Sealed;
  expires_at: Timestamp;
  /** With a device code: not checked at the provider before. */
  next_at: Timestamp | null;
};
/** A connect session of an end user. Rows are kept for a week after they expire. */
export type ConnectSessionsTable = {
  account_id: string;
  session_id: string;
  token_hash: string;
  /** JSON: IDs of apps; values of fields by app; the end user; tags. */
  apps: JsonText;
  parameters: JsonText;
  end_user: JsonText | null;
  tags: JsonText;
  redirect_url: string | null;
  state: string | null;
  /** JSON array. */
  allowed_origins: JsonText;
  accent: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
  max_uses: number;
  uses: number;
  /** JSON: the PENDING connection of each app that was chosen, by app. */
  started: JsonText;
  /** JSON: the completed connections, {app, connection_id, at}. */
  connections: JsonText;
};
export type ConnectSettingsTable = {
  account_id: string;
  /** JSON array. */
  allowed_origins: JsonText;
  accent: string | null;
  /** A data URL. */
  logo: string | null;
  updated_at: Timestamp;
};

/** Calls that the gateway refused: equal ones of a window are one row. */
export type RefusedCallsTable = {
  account_id: string;
  /** Of the first. */
  call_id: string;
  /** A connection of the account that the call named. */
  connection_id: string | null;
  run_id: string | null;
  key_id: string | null;
  key_name: string | null;
  app: string | null;
  method: string;
  path: string;
  status: number;
  error: string;
  /** Of the first. */
  request_id: string | null;
  calls: number;
  last_at: Timestamp;
};
/** Until this time, requests and responses of the calls of a connection, or of an app, are captured. */
export type CapturesTable = {
  account_id: string;
  capture_id: string;
  connection_id: string | null;
  app: string | null;
  percent: number;
  created_by: string;
  created_at: Timestamp;
  until: Timestamp;
};
/** The request and response of a gateway call, masked. */
export type CapturedCallsTable = {
  account_id: string;
  call_id: string;
  connection_id: string;
  request: JsonText;
  response: JsonText | null;
  bytes: number;
};

export type ConnectionTables = {
  refused_calls: RefusedCallsTable;
  captures: CapturesTable;
  captured_calls: CapturedCallsTable;
  apps: AppsTable;
  app_checks: AppChecksTable;
  saved_requests: SavedRequestsTable;
  app_credentials: AppCredentialsTable;
  connections: ConnectionsTable;
  connect_flows: ConnectFlowsTable;
  connect_sessions: ConnectSessionsTable;
  connect_settings: ConnectSettingsTable;
  connection_refreshes: ConnectionRefreshesTable;
};
