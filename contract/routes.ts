/**
 * Name, method, path and required role of every operation. Zod-free, so that the console can build URLs and curl
 * commands from it. `operations.ts` adds the schemas.
 *
 * Paths are relative to {base_url}, or to {connect_url}/api where `on` says so. `{name}` is a parameter, `:verb` at the
 * end a custom verb. `role` is the minimum role of a member; an API key acts as ADMIN, within its scopes
 * (keys/scopes.ts). The default is VIEWER for GET and ADMIN for other methods.
 */
import type { Role, Verdict } from './states.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = {
  method: Method;
  path: string;
  summary: string;
  /** `public`: no credentials. `link`: the session token of a connect link. */
  auth: 'account' | 'public' | 'link';
  role: Role;
  on: 'api' | 'connect';
  /** A server-sent event stream instead of a JSON reply. */
  stream: boolean;
  /** Also a stream if `Accept` requests one: partial results, then the complete JSON reply. */
  alsoStream: boolean;
  /** A file for download instead of a JSON reply, written while it is read. */
  file: boolean;
  /** The size limit of the body. */
  bodyLimit: 'usual' | 'code';
};

type More = Partial<Pick<Route, 'auth' | 'role' | 'on' | 'stream' | 'alsoStream' | 'file' | 'bodyLimit'>>;
/** The fields of a route keep their exact types, so that the compiler can distinguish `public` operations. */
const route =
  (method: Method) =>
  <const M extends More>(path: string, summary: string, more?: M): Omit<Route, keyof M> & M => ({
    method,
    path,
    summary,
    auth: 'account',
    role: method === 'GET' ? 'VIEWER' : 'ADMIN',
    on: 'api',
    stream: false,
    alsoStream: false,
    file: false,
    bodyLimit: 'usual',
    ...(more as M),
  });
const get = route('GET');
const post = route('POST');
const put = route('PUT');
const patch = route('PATCH');
const del = route('DELETE');

const trigger = '/triggers/{trigger_id}';
const destination = `${trigger}/destinations/{destination_id}`;
const event = `${trigger}/events/{event_id}`;
const identityProvider = '/account/identity-providers/{provider_id}';
const problemReplay = '/problems/{problem_id}/replays/{replay_id}';
const fn = '/functions/{function_id}';

export const routes = {
  sessionGet: get('/session', 'Get the session', { auth: 'public' }),
  sessionCreate: post('/session', 'Sign in', { auth: 'public' }),
  sessionDelete: del('/session', 'Sign out', { auth: 'public' }),
  sessionList: get('/session/devices', 'List your sessions', { auth: 'public' }),
  sessionRevoke: post('/session:revoke', 'End other sessions', { auth: 'public' }),
  sessionSwitch: post('/session:switch', 'Switch to another account', { auth: 'public' }),
  accountCreate: post('/session/accounts', 'Create an account', { auth: 'public' }),
  passwordChange: post('/session:password', 'Change your password', { auth: 'public' }),
  passwordConfirm: post('/session:confirm', 'Confirm your password', { auth: 'public' }),
  passwordForgotten: post('/session:forgotten', 'Request a link for a new password', { auth: 'public' }),
  sessionFactor: post('/session:factor', 'Complete a sign-in with a second factor', { auth: 'public' }),
  sessionPasskey: post('/session:passkey', 'Sign in with a passkey', { auth: 'public' }),
  passkeyRequest: post('/session:passkey-options', 'Begin to use a passkey', { auth: 'public' }),
  factorList: get('/session/factors', 'List your second factors', { auth: 'public' }),
  passkeyOptions: post('/session/passkeys:options', 'Begin to add a passkey', { auth: 'public' }),
  passkeyCreate: post('/session/passkeys', 'Add a passkey', { auth: 'public' }),
  passkeyUpdate: patch('/session/passkeys/{passkey_id}', 'Rename a passkey', { auth: 'public' }),
  passkeyDelete: del('/session/passkeys/{passkey_id}', 'Remove a passkey', { auth: 'public' }),
  authenticatorCreate: post('/session/authenticator', 'Begin to add an authenticator app', { auth: 'public' }),
  authenticatorConfirm: post('/session/authenticator:confirm', 'Add an authenticator app', { auth: 'public' }),
  authenticatorDelete: del('/session/authenticator', 'Remove the authenticator app', { auth: 'public' }),
  recoveryCodeCreate: post('/session/recovery-codes', 'Replace your recovery codes', { auth: 'public' }),
  invitationRead: post('/session:invitation', 'Read an invitation', { auth: 'public' }),
  invitationAccept: post('/session:accept', 'Accept an invitation', { auth: 'public' }),

  signInProviders: post('/session:providers', 'List identity providers to sign in with', { auth: 'public' }),
  signInStart: post('/session:start', 'Start a sign-in through an identity provider', { auth: 'public' }),
  signInFinish: post('/session:finish', 'Finish a sign-in through an identity provider', { auth: 'public' }),
  signInLink: post('/session:link', 'Link an identity to an existing member', { auth: 'public' }),

  accountGet: get('/account', 'Get the account'),
  accountUpdate: patch('/account', 'Update the account', { role: 'OWNER' }),
  overviewGet: get('/account/overview', 'Get the overview'),
  holdGet: get('/account/hold', 'Get the hold of the installation'),
  holdRelease: post('/account/hold:release', 'Release the installation from its hold', { role: 'OWNER' }),
  holdDisconnect: post('/account/hold:disconnect', 'Disconnect the tokens of an installation on hold', {
    role: 'OWNER',
  }),
  memberList: get('/account/members', 'List members'),
  memberCreate: post('/account/members', 'Invite a member', { role: 'OWNER' }),
  memberUpdate: patch('/account/members/{user_id}', 'Update a member', { role: 'OWNER' }),
  memberDelete: del('/account/members/{user_id}', 'Remove a member', { role: 'OWNER' }),
  identityProviderList: get('/account/identity-providers', 'List identity providers', { role: 'OWNER' }),
  identityProviderCreate: post('/account/identity-providers', 'Create an identity provider', { role: 'OWNER' }),
  identityProviderUpdate: patch(identityProvider, 'Update an identity provider', { role: 'OWNER' }),
  identityProviderDelete: del(identityProvider, 'Delete an identity provider', { role: 'OWNER' }),
  identityProviderTest: post(`${identityProvider}:test`, 'Test an identity provider', { role: 'OWNER' }),
  apiKeyList: get('/api-keys', 'List API keys'),
  apiKeyCreate: post('/api-keys', 'Create an API key'),
  apiKeyUpdate: patch('/api-keys/{key_id}', 'Update an API key'),
  apiKeyDelete: del('/api-keys/{key_id}', 'Revoke an API key'),
  apiKeyRotate: post('/api-keys/{key_id}:rotate', 'Rotate an API key'),
  apiKeyUsage: get('/api-keys/{key_id}/usage', 'Get the use of an API key'),
  apiKeyTest: get('/api-keys/{key_id}/limits:test', 'Test limits of an API key'),
  auditList: get('/audit', 'List audit log entries'),
  lookup: get('/lookup', 'Look up an ID'),
  impactGet: get('/impact', 'Get what a removal breaks'),

  problemList: get('/problems', 'List problems'),
  problemGet: get('/problems/{problem_id}', 'Get a problem'),
  problemFailureList: get('/problems/{problem_id}/failures', 'List failures of a problem'),
  problemAcknowledge: post('/problems/{problem_id}:acknowledge', 'Acknowledge a problem'),
  problemIgnore: post('/problems/{problem_id}:ignore', 'Ignore a problem'),
  problemResolve: post('/problems/{problem_id}:resolve', 'Resolve a problem'),
  problemReopen: post('/problems/{problem_id}:reopen', 'Reopen a problem'),
  problemReplayCreate: post('/problems/{problem_id}/replays', 'Replay what a problem affects'),
  receiptGet: get(problemReplay, 'Get the receipt of a replay'),
  receiptLineList: get(`${problemReplay}/lines`, 'List deliveries of a receipt'),
  receiptExport: get(`${problemReplay}/lines:export`, 'Export a receipt', { file: true }),

  appList: get('/apps', 'List apps'),
  appGet: get('/apps/{app}', 'Get an app'),
  appCreate: post('/apps', 'Create a custom app'),
  appDraft: post('/apps:draft', 'Draft a custom app from an OpenAPI document', { bodyLimit: 'code' }),
  appPathList: get('/apps/{app}/paths', 'List the paths of an app'),
  appUpdate: patch('/apps/{app}', 'Update a custom app'),
  appDelete: del('/apps/{app}', 'Delete a custom app'),
  appCredentialList: get('/apps/{app}/credentials', 'List app credentials'),
  appCredentialPut: put('/apps/{app}/credentials/{method}', 'Set app credentials'),
  appCredentialDelete: del('/apps/{app}/credentials/{method}', 'Delete app credentials'),
  appCheckGet: get('/apps/{app}/checks', 'Get the scheduled checks of an app'),
  appCheckPut: put('/apps/{app}/checks', 'Schedule checks of the connections of an app'),

  connectionList: get('/connections', 'List connections'),
  connectionCreate: post('/connections', 'Create a connection'),
  connectionBulk: post('/connections:bulk', 'Change many connections'),
  connectionStats: get('/connections:stats', 'Get gateway call statistics by app'),
  connectionGet: get('/connections/{connection_id}', 'Get a connection'),
  connectionUpdate: patch('/connections/{connection_id}', 'Update a connection'),
  connectionDelete: del('/connections/{connection_id}', 'Delete a connection'),
  connectionCallList: get('/connections/{connection_id}/calls', 'List gateway calls of a connection'),
  connectionCallStats: get('/connections/{connection_id}/calls/stats', 'Get gateway call statistics of a connection'),
  connectionUses: get('/connections/{connection_id}/uses', 'List what uses a connection'),
  connectionReplace: post('/connections/{connection_id}:replace', 'Replace a connection by another'),
  connectionHealth: get('/connections/{connection_id}/health', 'Get the health of a connection'),
  connectionTest: post('/connections/{connection_id}:test', 'Test a connection'),
  connectionRequest: post('/connections/{connection_id}:request', 'Send a request with a connection', {
    alsoStream: true,
  }),
  savedRequestList: get('/apps/{app}/requests', 'List saved requests'),
  savedRequestCreate: post('/apps/{app}/requests', 'Save a request'),
  savedRequestUpdate: patch('/apps/{app}/requests/{saved_request_id}', 'Rename a saved request'),
  savedRequestDelete: del('/apps/{app}/requests/{saved_request_id}', 'Delete a saved request'),
  connectionToolList: get('/connections/{connection_id}/tools', 'List MCP tools'),
  connectionToolCall: post('/connections/{connection_id}/tools:call', 'Call an MCP tool'),
  connectionReconnect: post('/connections/{connection_id}:reconnect', 'Reconnect a connection'),
  connectSessionCreate: post('/connect-sessions', 'Create a connect session'),
  connectSessionRead: get('/connect-sessions/{session_id}', 'Get a connect session'),
  connectSessionDelete: del('/connect-sessions/{session_id}', 'Delete a connect session'),
  connectSettingsGet: get('/connect-settings', 'Get the connect settings'),
  connectSettingsUpdate: patch('/connect-settings', 'Update the connect settings'),
  connectChoiceGet: get('/choice', 'List the apps of a connect session', { auth: 'link', on: 'connect' }),
  connectChoiceSubmit: post('/choice', 'Choose an app of a connect session', { auth: 'link', on: 'connect' }),
  connectSessionGet: get('/session', 'Get a connect session', { auth: 'link', on: 'connect' }),
  connectSessionSubmit: post('/session', 'Submit a connect session', { auth: 'link', on: 'connect' }),
  connectSessionPoll: post('/session:poll', 'Check a device authorization', { auth: 'link', on: 'connect' }),

  triggerList: get('/triggers', 'List triggers'),
  triggerStats: get('/triggers:stats', 'Get trigger statistics'),
  triggerCreate: post('/triggers', 'Create a trigger'),
  triggerGet: get(trigger, 'Get a trigger'),
  triggerUpdate: patch(trigger, 'Update a trigger'),
  triggerDelete: del(trigger, 'Delete a trigger'),
  triggerRegister: post(`${trigger}:register`, 'Register the webhook of a trigger'),
  triggerTest: post(`${trigger}:test`, 'Send a test event'),
  triggerFilterTest: get(`${trigger}/filter:test`, 'Test a filter'),
  triggerSecretRotate: post(`${trigger}/secret:rotate`, 'Rotate the webhook secret of a trigger'),
  triggerSecretReveal: post(`${trigger}/secret:reveal`, 'Reveal the webhook secret of a trigger'),
  rejectionList: get(`${trigger}/rejections`, 'List rejected requests'),
  rejectionAccept: post(`${trigger}/rejections/{rejection_id}:accept`, 'Accept a rejected request as an event'),
  destinationList: get(`${trigger}/destinations`, 'List destinations'),
  destinationCreate: post(`${trigger}/destinations`, 'Create a destination'),
  destinationGet: get(destination, 'Get a destination'),
  destinationUpdate: patch(destination, 'Update a destination'),
  destinationDelete: del(destination, 'Delete a destination'),
  destinationTest: post(`${destination}:test`, 'Send a test request to a destination'),
  destinationDoctor: post(`${destination}:doctor`, 'Diagnose an endpoint'),
  destinationTransformTest: post(`${destination}/transform:test`, 'Test a transformation with stored events'),
  destinationSecretRotate: post(`${destination}/secret:rotate`, 'Rotate the signing secret of a destination'),

  eventList: get(`${trigger}/events`, 'List events of a trigger'),
  eventListAll: get('/events', 'List events'),
  eventExport: get('/events:export', 'Export events', { file: true }),
  eventGet: get(event, 'Get an event'),
  eventReplay: post(`${event}:replay`, 'Replay an event'),
  eventCancel: post(`${event}:cancel`, 'Cancel the open deliveries of an event'),
  eventPin: post(`${event}:pin`, 'Pin an event'),
  eventUnpin: post(`${event}:unpin`, 'Unpin an event'),
  savedFilterList: get('/events/filters', 'List saved filters'),
  savedFilterCounts: get('/events/filters:counts', 'Count the events of saved filters'),
  savedFilterCreate: post('/events/filters', 'Save a filter'),
  savedFilterUpdate: patch('/events/filters/{saved_filter_id}', 'Update a saved filter'),
  savedFilterDelete: del('/events/filters/{saved_filter_id}', 'Delete a saved filter'),
  deliveryCancel: post('/events:cancel', 'Cancel open deliveries'),
  eventCreate: post(`${trigger}/events`, 'Create an event'),
  attemptList: get(`${event}/deliveries/{delivery_id}/attempts`, 'List attempts of a delivery'),
  replayCreate: post('/events:replay', 'Create a bulk replay'),
  replayList: get('/replays', 'List bulk replays'),
  replayGet: get('/replays/{replay_id}', 'Get a bulk replay'),
  replayItemList: get('/replays/{replay_id}/items', 'List deliveries of a bulk replay'),
  replayPause: post('/replays/{replay_id}:pause', 'Pause a bulk replay'),
  replayResume: post('/replays/{replay_id}:resume', 'Resume a bulk replay'),
  replayCancel: post('/replays/{replay_id}:cancel', 'Cancel a bulk replay'),
  eventStats: get('/events/stats', 'Get event statistics'),
  eventStream: get('/events:stream', 'Stream account changes', { stream: true }),

  functionList: get('/functions', 'List functions'),
  functionStats: get('/functions/stats', 'Get function statistics'),
  functionSearch: get('/functions/search', 'Search functions', { alsoStream: true }),
  functionSearchAll: get('/functions/search:all', 'Search all functions', { alsoStream: true }),
  functionSearchExport: get('/functions/search:export', 'Export search hits', { file: true }),
  savedSearchList: get('/search/saved', 'List saved searches'),
  savedSearchCreate: post('/search/saved', 'Save a search'),
  savedSearchUpdate: patch('/search/saved/{saved_search_id}', 'Update a saved search'),
  savedSearchDelete: del('/search/saved/{saved_search_id}', 'Delete a saved search'),
  functionCreate: post('/functions', 'Create a function', { bodyLimit: 'code' }),
  functionGet: get(fn, 'Get a function'),
  functionUpdate: patch(fn, 'Update a function'),
  functionUses: get(`${fn}/uses`, 'List uses of a function'),
  functionDelete: del(fn, 'Delete a function'),
  functionCode: get(`${fn}/code`, 'Get a download URL for the code of a version'),
  functionFiles: get(`${fn}/files`, 'List files of a version'),
  functionTrust: get(`${fn}/trust`, 'Get the code analysis of a version'),
  functionSymbols: get(`${fn}/symbols`, 'List definitions in the code of a version'),
  functionCopy: post(`${fn}:copy`, 'Copy a function'),
  functionInvoke: post(`${fn}:invoke`, 'Invoke a function'),
  functionStar: put(`${fn}/star`, 'Star a function'),
  functionUnstar: del(`${fn}/star`, 'Unstar a function'),
  versionList: get(`${fn}/versions`, 'List versions'),
  versionStats: get(`${fn}/versions/stats`, 'Get version statistics'),
  versionGet: get(`${fn}/versions/{version}`, 'Get a version'),
  versionCreate: post(`${fn}/versions`, 'Deploy a version', { bodyLimit: 'code' }),
  shadowCreate: post(`${fn}/shadows`, 'Try a version on past requests', { bodyLimit: 'code' }),
  shadowList: get(`${fn}/shadows`, 'List shadows'),
  shadowGet: get(`${fn}/shadows/{shadow_id}`, 'Get a shadow'),
  shadowCancel: post(`${fn}/shadows/{shadow_id}:cancel`, 'Cancel a shadow'),
  shadowRequestList: get(`${fn}/shadows/{shadow_id}/requests`, 'List requests of a shadow'),
  shadowRequestGet: get(`${fn}/shadows/{shadow_id}/requests/{run_id}`, 'Get a request of a shadow'),
  gradualGet: get(`${fn}/gradual`, 'Get the gradual deploy of a function'),
  gradualPut: put(`${fn}/gradual`, 'Serve a version to a share of the calls'),
  gradualDelete: del(`${fn}/gradual`, 'End the gradual deploy of a function'),
  envList: get(`${fn}/env`, 'List environment variables'),
  envCreate: post(`${fn}/env`, 'Create environment variables'),
  envPut: put(`${fn}/env/{key}`, 'Set an environment variable'),
  envDelete: del(`${fn}/env/{key}`, 'Delete an environment variable'),
  functionLogList: get(`${fn}/logs`, 'List log lines of a function'),
  functionLogTail: get(`${fn}/logs:tail`, 'Stream log lines of a function', { stream: true }),
  runList: get(`${fn}/runs`, 'List runs of a function'),
  runStats: get('/runs/stats', 'Get run statistics'),
  runListAll: get('/runs', 'List runs'),
  runGet: get(`${fn}/runs/{run_id}`, 'Get a run'),
  runCallList: get(`${fn}/runs/{run_id}/calls`, 'List gateway calls of a run'),
  callList: get('/gateway-calls', 'List gateway calls'),
  callGet: get('/gateway-calls/{call_id}', 'Get a gateway call'),
  captureList: get('/gateway-captures', 'List captures of gateway calls'),
  captureCreate: post('/gateway-captures', 'Capture requests and responses of gateway calls'),
  captureDelete: del('/gateway-captures/{capture_id}', 'Stop a capture'),
  runBisect: post(`${fn}/runs/{run_id}:bisect`, 'Bisect versions with a run'),
  runLogList: get(`${fn}/runs/{run_id}/logs`, 'List log lines of a run'),
} as const satisfies Record<string, Route>;

export type Operation = keyof typeof routes;
export const operationNames = Object.keys(routes) as Operation[];

/** Reserved first path segments of {base_url}: no app has one of these names. */
export const RESERVED_SEGMENTS = [
  'connections',
  'connect-sessions',
  'connect-settings',
  'gateway-calls',
  'gateway-captures',
  'apps',
  'triggers',
  'events',
  'functions',
  'runs',
  'search',
  'account',
  'api-keys',
  'session',
  'audit',
  'lookup',
  'impact',
  'replays',
  'problems',
  'openapi.json',
] as const;

/** The path of an operation with its parameters filled in and encoded. */
export function pathOf(operation: Operation, params: Record<string, string | number> = {}): string {
  return routes[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

const RANK: Record<Role, number> = { VIEWER: 0, ADMIN: 1, OWNER: 2 };

/** Whether a user with `role` may use an operation that requires `needed`. */
export function mayAct(role: Role, needed: Role): Verdict {
  if (RANK[role] >= RANK[needed]) return { can: true };
  return { can: false, reason: `Your role is ${role}; this needs ${needed}.` };
}
