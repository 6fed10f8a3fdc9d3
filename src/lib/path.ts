/** The paths of the console, in the order of routes.tsx. All links between pages use them. */

type Query = Readonly<Record<string, string | number | undefined>>;

function to(segments: readonly (string | number)[], query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const tail = search.toString();
  return `/${segments.map(encodeURIComponent).join('/')}${tail ? `?${tail}` : ''}`;
}

export type EventFilter = {
  status?: string;
  trigger?: string;
  destination?: string;
  q?: string;
  /** A relative time range: 1h, 24h, 7d or 30d. */
  time?: string;
  after?: string;
  before?: string;
  replay?: string;
  delivery?: string;
  attempt?: string;
  /** Opens the bulk replay panel for all matching events. */
  bulk?: 'all';
};
export type ConnectionTab = 'overview' | 'try' | 'tools' | 'calls' | 'settings';
export type TriggerTab = 'events' | 'destinations' | 'settings' | 'rejections';
export type FunctionTab = 'code' | 'versions' | 'runs' | 'logs' | 'environment' | 'settings';
export type SettingsTab = 'account' | 'keys' | 'members' | 'security' | 'sso' | 'audit';

export const path = {
  overview: () => '/',

  connections: (filter: { app?: string; status?: string; method?: string; health?: string } = {}) =>
    to(['connections'], filter),
  /** The app picker; `custom` opens the form for a custom app. */
  connectionNew: (given: { q?: string; category?: string; custom?: 'on' } = {}) => to(['connections', 'new'], given),
  /** The details of an app, with the button that connects it. */
  app: (app: string) => to(['connections', 'apps', app]),
  appEdit: (app: string) => to(['connections', 'apps', app, 'edit']),
  connection: (connectionId: string, tab: ConnectionTab = 'overview', query: Query = {}) =>
    to(['connections', connectionId, ...(tab === 'overview' ? [] : [tab])], query),
  connectionTool: (connectionId: string, tool: string) => to(['connections', connectionId, 'tools', tool]),
  gatewayCall: (connectionId: string, callId: string) => to(['connections', connectionId, 'calls', callId]),

  triggers: (filter: { source?: string; status?: string; health?: 'failing' } = {}) => to(['triggers'], filter),
  triggerNew: (given: { source?: string; event_type?: string; search_id?: string } = {}) =>
    to(['triggers', 'new'], given),
  trigger: (triggerId: string, tab: TriggerTab = 'events', query: Pick<EventFilter, 'bulk'> = {}) =>
    to(['triggers', triggerId, tab], query),
  destination: (triggerId: string, destinationId: string) => to(['triggers', triggerId, 'destinations', destinationId]),
  destinationNew: (triggerId: string) => to(['triggers', triggerId, 'destinations', 'new']),
  triggerEvent: (triggerId: string, eventId: string) => to(['triggers', triggerId, 'events', eventId]),

  events: (filter: EventFilter = {}) => to(['events'], filter),
  event: (triggerId: string, eventId: string, filter: EventFilter = {}) => to(['events', triggerId, eventId], filter),

  /** The API reference, at an operation. */
  apiReference: (operation?: string) => to(['api-reference', ...(operation === undefined ? [] : [operation])]),

  problems: () => '/problems',
  problem: (problemId: string) => to(['problems', problemId]),

  replays: () => '/replays',
  replay: (replayId: string, filter: { before?: string; after?: string } = {}) => to(['replays', replayId], filter),
  replayEvent: (replayId: string, triggerId: string, eventId: string) =>
    to(['replays', replayId, 'events', triggerId, eventId]),

  functions: (query: { owner?: string } = {}) => to(['functions'], query),
  functionNew: (starter?: string) => to(['functions', 'new'], { starter }),
  functionSearch: (
    query: {
      q?: string;
      owner?: string;
      visibility?: string;
      case?: string;
      context?: string;
      history?: string;
      sort?: string;
      by?: string;
      copies?: string;
    } = {},
  ) => to(['functions', 'search'], query),
  function: (functionId: string, tab: FunctionTab = 'code', query: Query = {}) =>
    to(['functions', functionId, ...(tab === 'code' ? [] : [tab])], query),
  /** The code tab at a version, file and line. */
  functionLine: (
    functionId: string,
    /** `q` and `case`: the search whose hits are marked. `problem`: its runs are the past requests of a shadow. */
    at: { file?: string; line?: number | string; version?: number; q?: string; case?: string; problem?: string },
  ) => to(['functions', functionId], at),
  /** Where a version, or one that is chosen there, is tried on past requests, or on those of a problem. */
  functionTry: (functionId: string, version: number | undefined, problem?: string) =>
    to(['functions', functionId, ...(version === undefined ? [] : ['versions', String(version)]), 'try'], { problem }),
  shadow: (functionId: string, shadowId: string) => to(['functions', functionId, 'shadows', shadowId]),
  shadowRequest: (functionId: string, shadowId: string, runId: string) =>
    to(['functions', functionId, 'shadows', shadowId, runId]),
  functionDiff: (functionId: string, from: number, version: number) =>
    to(['functions', functionId, 'versions'], { from, to: version }),
  run: (functionId: string, runId: string) => to(['functions', functionId, 'runs', runId]),
  /** The comparison of two runs. */
  runCompare: (functionId: string, runId: string, otherId: string) =>
    to(['functions', functionId, 'runs', runId, 'compare', otherId]),
  /** Bisects versions to find the one that broke the run. */
  runBisect: (functionId: string, runId: string) => to(['functions', functionId, 'runs', runId, 'bisect']),

  runs: (filter: { status?: string; function?: string; since?: string; until?: string } = {}) => to(['runs'], filter),

  /** A page of the documentation, such as `reference/api#errors`; its index by default. */
  docs: (page = '') => (page ? `/docs/${page}` : '/docs'),

  settings: (tab: SettingsTab = 'account') => to(['settings', tab]),
  /** The audit log of one request or one resource. */
  audit: (filter: { request?: string | undefined; resource?: string | undefined } = {}) =>
    to(['settings', 'audit'], filter),
  /** Opens the form for a new key. */
  keyUsage: (usage: string) => to(['settings', 'keys'], { usage }),
  keyNew: () => to(['settings', 'keys'], { new: 'key' }),
  /** Where a member sets up the second factor that the account requires. */
  secondFactor: () => '/second-factor',
  forgottenPassword: () => '/forgotten-password',
  signIn: (next?: string) => to(['sign-in'], { next: next === '/' ? undefined : next }),
};
