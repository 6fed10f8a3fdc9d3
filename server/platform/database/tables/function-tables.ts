/** The tables of hosted functions and their runs; see schema.ts. */
import type { Generated, GeneratedAlways } from 'kysely';
import type {
  FunctionRuntime,
  GradualStatus,
  LogLevel,
  NetworkPolicy,
  RunCaller,
  RunStart,
  RunStatus,
  ShadowEquality,
  ShadowOutcome,
  ShadowRequestState,
  ShadowStatus,
  ShadowVerdict,
  Visibility,
} from '../../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type FunctionsTable = {
  account_id: string;
  function_id: string;
  name: string;
  label: string;
  description: string;
  runtime: FunctionRuntime;
  visibility: Visibility;
  invoke_access: 'KEY' | 'ANYONE';
  network_policy: NetworkPolicy;
  allowed_hosts: JsonText;
  /** Which connections its runs may use, and the granted ones of ALLOW_LIST: `GatewayGrant[]`. */
  gateway_policy: NetworkPolicy;
  gateway_grants: JsonText;
  timeout_seconds: number;
  version: number;
  last_version: number;
  star_count: number;
  view_count: number;
  created_at: Timestamp;
  updated_at: Timestamp;
};
export type FunctionVersionsTable = {
  account_id: string;
  function_id: string;
  version: number;
  handler: string;
  runtime: FunctionRuntime;
  /** Blob of the JSON bundle {files}; also the sha256 clients see. */
  code_sha256: string;
  code_size: number;
  /** Blobs of the built module and its source map. */
  build_sha256: string;
  map_sha256: string;
  message: string | null;
  created_by: string;
  created_at: Timestamp;
  /** Other accounts may read it while the function is PUBLIC. */
  is_public: boolean;
};
export type EnvVariablesTable = {
  account_id: string;
  function_id: string;
  key: string;
  type: 'PLAIN' | 'SENSITIVE';
  value: Sealed;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** Labels that functions no longer have; see reserved-labels.ts. */
export type ReservedLabelsTable = { account_id: string; label: string; released_at: Timestamp };
export type SavedSearchesTable = {
  account_id: string;
  saved_search_id: string;
  name: string;
  q: string;
  owner: 'SELF' | 'ALL';
  match_case: 'auto' | 'yes' | 'no';
  created_by: string;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** A function that saved searches have not been compared with since it changed; see conditions/code-matches. */
export type ServingChangesTable = {
  account_id: string;
  function_id: string;
  change_id: string;
  /** What served when it was compared last; null for a new function. */
  from_version: number | null;
  from_visibility: Visibility | null;
  changed_at: Timestamp;
  due_at: Timestamp;
  attempts: number;
};
/** Matches of the saved search of a trigger since `began_at`; see conditions/code-matches. */
export type CodeMatchHoursTable = {
  account_id: string;
  trigger_id: string;
  began_at: Timestamp;
  /** Matches that are an event each. */
  events: number;
  /** Matches above the limit, which are one event an hour after `began_at`. */
  further: number;
  /** The first functions of these. */
  names: JsonText;
};
export type StarsTable = { account_id: string; function_id: string };
export type RunsTable = {
  account_id: string;
  run_id: string;
  function_id: string;
  version: number;
  status: RunStatus;
  method: string;
  path: string;
  request: JsonText;
  response_status: number | null;
  response_headers: JsonText | null;
  response_body: string | null;
  /** The body is not text: it is stored in Base64. */
  response_base64: boolean;
  response_truncated: boolean;
  error: JsonText | null;
  trigger_id: string | null;
  event_id: string | null;
  delivery_id: string | null;
  attempt: number | null;
  /** Null for runs of an earlier release. */
  caller: RunCaller | null;
  /** The API key that called, with its name at that time. */
  key_id: string | null;
  key_name: string | null;
  node_id: string;
  created_at: Timestamp;
  started_at: Timestamp | null;
  ended_at: Timestamp | null;
  duration_ms: number | null;
  start: RunStart | null;
  ready_ms: number | null;
  loaded_ms: number | null;
  answer_ms: number | null;
  /** The first log lines; see run-lines.ts. */
  log: JsonText | null;
};
/** Log lines that are not stored in the row of their run. */
export type RunLogsTable = {
  account_id: string;
  run_id: string;
  function_id: string;
  seq: number;
  at_ms: number;
  level: LogLevel;
  message: string;
};

/** Documents whose facts were read. */
export type CodeDocumentsTable = {
  code_id: GeneratedAlways<string>;
  code_sha256: string;
  /** The version of what read it. */
  reader: number;
  /** False when the document has more than the limits of facts.ts, or could not be read. */
  is_whole: boolean;
  read_at: Generated<Timestamp>;
};
/** What a document defines or uses. `kind`: a FactName. */
export type CodeFactsTable = {
  code_id: string;
  kind: string;
  name: string;
  /** Of an imported package. */
  version: string | null;
  /** `[path, line]`, of a definition `[path, line, end_line, kind, container, exported]`. */
  places: JsonText;
};

export type GradualDeploysTable = {
  account_id: string;
  function_id: string;
  version: number;
  live_version: number;
  status: GradualStatus;
  percent: number;
  window_minutes: number;
  min_calls: number;
  max_failed_percent: number;
  reason: string | null;
  started_at: Timestamp;
  ended_at: Timestamp | null;
  /** The next check of its failures; null when it was rolled back. */
  check_at: Timestamp | null;
};
export type ShadowsTable = {
  account_id: string;
  shadow_id: string;
  function_id: string;
  version: number;
  live_version: number;
  status: ShadowStatus;
  reason: string | null;
  verdict: ShadowVerdict | null;
  /** `{code, message}[]` */
  findings: JsonText;
  last: number;
  filter: JsonText;
  budget: JsonText;
  deploy: boolean;
  deployed_at: Timestamp | null;
  total: number;
  created_by: string;
  created_at: Timestamp;
  ended_at: Timestamp | null;
  /** The node that runs it, and when another node may continue; null when it has ended. */
  node_id: string | null;
  next_at: Timestamp | null;
};
export type ShadowRequestsTable = {
  account_id: string;
  shadow_id: string;
  run_id: string;
  state: ShadowRequestState;
  reason: string | null;
  method: string;
  path: string;
  received_at: Timestamp;
  stored_outcome: ShadowOutcome;
  stored_version: number;
  stored_status: number | null;
  before_outcome: ShadowOutcome | null;
  after_outcome: ShadowOutcome | null;
  before_ms: number | null;
  after_ms: number | null;
  /** JSON lists of blocked hosts and apps. */
  before_hosts: JsonText | null;
  after_hosts: JsonText | null;
  response: ShadowEquality | null;
  log: ShadowEquality | null;
  differs: boolean;
  /** Status, error, and the beginnings of response and log. */
  before_result: JsonText | null;
  after_result: JsonText | null;
};

/** Tables by name. */
export type FunctionTables = {
  functions: FunctionsTable;
  function_versions: FunctionVersionsTable;
  env_variables: EnvVariablesTable;
  saved_searches: SavedSearchesTable;
  serving_changes: ServingChangesTable;
  code_match_hours: CodeMatchHoursTable;
  stars: StarsTable;
  reserved_labels: ReservedLabelsTable;
  runs: RunsTable;
  run_logs: RunLogsTable;
  gradual_deploys: GradualDeploysTable;
  shadows: ShadowsTable;
  shadow_requests: ShadowRequestsTable;
  code_documents: CodeDocumentsTable;
  code_facts: CodeFactsTable;
};
