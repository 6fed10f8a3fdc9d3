/**
 * Every operation's name, method, path and who may call it. Zod-free, so that the console can make addresses and curl
 * commands from it; `operations.ts` adds what goes in and what comes out.
 *
 * Paths are relative to {base_url}, or to {connect_url}/api where `on` says so. `{name}` is a parameter, `:verb` at the
 * end a custom verb. `role` is the least role a person needs; a key acts as ADMIN. Where it is not given, reading needs
 * VIEWER and everything else ADMIN.
 */
import type { Role } from './states.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Route = {
  method: Method;
  path: string;
  summary: string;
  /** `public` needs nothing; `link` the session token of a connect link. */
  auth: 'account' | 'public' | 'link';
  role: Role;
  on: 'api' | 'connect';
  /** A server-sent event stream instead of a JSON reply. */
  stream: boolean;
  /** A stream too, when `Accept` asks for one: what there is so far, and at last what the JSON reply would be. */
  alsoStream: boolean;
  /** The largest body taken, when it is not the usual one. */
  bodyLimit: 'usual' | 'code';
};

type More = Partial<Pick<Route, 'auth' | 'role' | 'on' | 'stream' | 'alsoStream' | 'bodyLimit'>>;
/** What a route says of itself keeps its exact type, so that `public` operations can be told apart by the compiler. */
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
const fn = '/functions/{function_id}';

export const routes = {
  sessionGet: get('/session', 'Who is signed in', { auth: 'public' }),
  sessionCreate: post('/session', 'Sign in', { auth: 'public' }),
  sessionDelete: del('/session', 'Sign out', { auth: 'public' }),
  invitationRead: post('/session:invitation', 'What a one-time sign-in link is for', { auth: 'public' }),
  invitationAccept: post('/session:accept', 'Set a password with a one-time sign-in link', { auth: 'public' }),

  accountGet: get('/account', 'The account, its limits and addresses'),
  accountUpdate: patch('/account', 'Rename the account', { role: 'OWNER' }),
  memberList: get('/account/members', 'People of the account'),
  memberCreate: post('/account/members', 'Invite a person', { role: 'OWNER' }),
  memberUpdate: patch('/account/members/{user_id}', 'Change a person’s name or role', { role: 'OWNER' }),
  memberDelete: del('/account/members/{user_id}', 'Remove a person', { role: 'OWNER' }),
  apiKeyList: get('/api-keys', 'API keys'),
  apiKeyCreate: post('/api-keys', 'Make an API key'),
  apiKeyUpdate: patch('/api-keys/{key_id}', 'Rename a key or change when it expires'),
  apiKeyDelete: del('/api-keys/{key_id}', 'Revoke a key'),
  auditList: get('/audit', 'Who did what, when, from where'),

  appList: get('/apps', 'Apps that can be connected and sources that can trigger'),
  appGet: get('/apps/{app}', 'One app'),
  appCreate: post('/apps', 'Add a custom app'),
  appUpdate: patch('/apps/{app}', 'Change a custom app'),
  appDelete: del('/apps/{app}', 'Delete a custom app that no connection uses'),
  appCredentialList: get('/apps/{app}/credentials', 'The account’s clients at an app'),
  appCredentialPut: put('/apps/{app}/credentials/{method}', 'Enter the account’s client at an app'),
  appCredentialDelete: del('/apps/{app}/credentials/{method}', 'Forget the account’s client at an app'),

  connectionList: get('/connections', 'Connections'),
  connectionCreate: post('/connections', 'Make a connection to be completed on its link'),
  connectionStats: get('/connections:stats', 'Calls through the gateway, by app'),
  connectionGet: get('/connections/{connection_id}', 'One connection'),
  connectionUpdate: patch(
    '/connections/{connection_id}',
    'Change a connection’s name, metadata or make it the default',
  ),
  connectionDelete: del('/connections/{connection_id}', 'Delete a connection and its credentials'),
  connectionCallList: get('/connections/{connection_id}/calls', 'Calls through the gateway with this connection'),
  connectionCallStats: get(
    '/connections/{connection_id}/calls/stats',
    'How many calls there were, how they ended and how long they took',
  ),
  connectionTest: post('/connections/{connection_id}:test', 'Try the credentials of a connection'),
  connectionRequest: post('/connections/{connection_id}:request', 'Send one request to the app of a connection'),
  connectionToolList: get('/connections/{connection_id}/tools', 'The tools of a connection’s MCP server'),
  connectionToolCall: post('/connections/{connection_id}/tools:call', 'Call one tool of an MCP server'),
  connectionReconnect: post('/connections/{connection_id}:reconnect', 'A fresh link for a connection; older ones end'),
  connectSessionGet: get('/session', 'What a connect link asks for', { auth: 'link', on: 'connect' }),
  connectSessionSubmit: post('/session', 'Complete a connection', { auth: 'link', on: 'connect' }),

  triggerList: get('/triggers', 'Triggers'),
  triggerStats: get('/triggers:stats', 'What each trigger received, and what became of it'),
  triggerCreate: post('/triggers', 'Make a trigger with its destinations'),
  triggerGet: get(trigger, 'One trigger'),
  triggerUpdate: patch(trigger, 'Change a trigger'),
  triggerDelete: del(trigger, 'Delete a trigger with its destinations'),
  triggerRegister: post(`${trigger}:register`, 'Tell the app of the trigger’s address again'),
  triggerTest: post(`${trigger}:test`, 'Make an event from the sample or from a payload given'),
  triggerFilterTest: get(`${trigger}/filter:test`, 'Try a filter on past events'),
  triggerSecretRotate: post(`${trigger}/secret:rotate`, 'Make a new secret for the source to sign with'),
  triggerSecretReveal: post(
    `${trigger}/secret:reveal`,
    'Show the secret that a source handed over to be typed in there',
  ),
  rejectionList: get(`${trigger}/rejections`, 'Requests to the trigger’s address that were refused'),
  destinationList: get(`${trigger}/destinations`, 'Destinations of a trigger'),
  destinationCreate: post(`${trigger}/destinations`, 'Add a destination'),
  destinationGet: get(destination, 'One destination'),
  destinationUpdate: patch(destination, 'Change a destination'),
  destinationDelete: del(destination, 'Delete a destination'),
  destinationTest: post(`${destination}:test`, 'Send one signed request that is not kept'),
  destinationDoctor: post(`${destination}:doctor`, 'Look at an address step by step'),
  destinationSecretRotate: post(`${destination}/secret:rotate`, 'Give a destination a new signing secret'),

  eventList: get(`${trigger}/events`, 'Events of a trigger'),
  eventListAll: get('/events', 'Events of every trigger'),
  eventGet: get(event, 'One event with its deliveries'),
  eventReplay: post(`${event}:replay`, 'Deliver a stored event again'),
  eventCreate: post(`${trigger}/events`, 'Store an event of one’s own, such as an edited copy'),
  attemptList: get(`${event}/deliveries/{delivery_id}/attempts`, 'Every attempt of a delivery'),
  replayCreate: post('/events:replay', 'Deliver many stored events again, or see what that would do'),
  replayList: get('/replays', 'Bulk replays'),
  replayGet: get('/replays/{replay_id}', 'One bulk replay, and what it changed'),
  replayItemList: get('/replays/{replay_id}/items', 'The deliveries of a bulk replay'),
  replayPause: post('/replays/{replay_id}:pause', 'Send no more until it is resumed'),
  replayResume: post('/replays/{replay_id}:resume', 'Go on with a paused replay'),
  replayCancel: post('/replays/{replay_id}:cancel', 'End a replay'),
  eventStats: get('/events/stats', 'Events and what became of them, over time'),
  eventStream: get('/events:stream', 'What changes in the account, as it changes', { stream: true }),

  functionList: get('/functions', 'Functions'),
  functionStats: get('/functions/stats', 'How often each function ran and failed in the last day'),
  functionSearch: get('/functions/search', 'Search functions by name or code', { alsoStream: true }),
  functionCreate: post('/functions', 'Make a function and publish version 1', { bodyLimit: 'code' }),
  functionGet: get(fn, 'One function'),
  functionUpdate: patch(fn, 'Change a function, or serve another version'),
  functionUses: get(`${fn}/uses`, 'What delivers to a function, who calls it and who starred it'),
  functionDelete: del(fn, 'Delete a function with its versions, runs and logs'),
  functionCode: get(`${fn}/code`, 'A signed address of a version’s code'),
  functionFiles: get(`${fn}/files`, 'The files of a version'),
  functionTrust: get(`${fn}/trust`, 'What the code of a version reads and calls'),
  functionCopy: post(`${fn}:copy`, 'Make a function of one’s own from a function’s files'),
  functionInvoke: post(`${fn}:invoke`, 'Run a function and wait for the run'),
  functionStar: put(`${fn}/star`, 'Star a function'),
  functionUnstar: del(`${fn}/star`, 'Take the star back'),
  versionList: get(`${fn}/versions`, 'Versions of a function'),
  versionStats: get(`${fn}/versions/stats`, 'How often each version ran and failed'),
  versionGet: get(`${fn}/versions/{version}`, 'One version'),
  versionCreate: post(`${fn}/versions`, 'Publish and serve a version', { bodyLimit: 'code' }),
  envList: get(`${fn}/env`, 'Environment of a function'),
  envCreate: post(`${fn}/env`, 'Add variables, all or none'),
  envPut: put(`${fn}/env/{key}`, 'Set one variable'),
  envDelete: del(`${fn}/env/{key}`, 'Remove one variable'),
  functionLogList: get(`${fn}/logs`, 'Log events of every run of a function'),
  functionLogTail: get(`${fn}/logs:tail`, 'What the runs of a function log, as they log it', { stream: true }),
  runList: get(`${fn}/runs`, 'Runs of a function'),
  runStats: get('/runs/stats', 'How many runs there were over time, and how long they took'),
  runListAll: get('/runs', 'Runs of every function'),
  runGet: get(`${fn}/runs/{run_id}`, 'One run'),
  runCallList: get(`${fn}/runs/{run_id}/calls`, 'What a run called through the gateway'),
  runBisect: post(`${fn}/runs/{run_id}:bisect`, 'Find the version since which a run fails'),
  runLogList: get(`${fn}/runs/{run_id}/logs`, 'Log events of a run'),
} as const satisfies Record<string, Route>;

export type Operation = keyof typeof routes;
export const operationNames = Object.keys(routes) as Operation[];

/** First path segments of {base_url} that are never an app's. */
export const RESERVED_SEGMENTS = [
  'connections',
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
  'replays',
  'openapi.json',
] as const;

/** The path of an operation with its parameters filled in and encoded. */
export function pathOf(operation: Operation, params: Record<string, string | number> = {}): string {
  return routes[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}
