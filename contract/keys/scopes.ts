/**
 * Scopes of API keys. The scope that an operation needs follows from its place in the route table: the group from the
 * path, `read` for GET and `write` for the other methods. `EXCEPTIONS` has the operations for which that is wrong.
 * Zod-free, for the console.
 */
import { type Operation, routes } from '../routes.ts';

export const SCOPE_GROUPS = ['connections', 'triggers', 'events', 'functions', 'settings'] as const;
export type ScopeGroup = (typeof SCOPE_GROUPS)[number];

/** `write` includes `read` of the group. Nothing in `settings` can be changed by a limited key. */
export const SCOPES = [
  'connections:read',
  'connections:write',
  'triggers:read',
  'triggers:write',
  'events:read',
  'events:write',
  'functions:read',
  'functions:write',
  'functions:invoke',
  'settings:read',
  'gateway:call',
] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_ACCESS = ['FULL', 'LIMITED'] as const;

/** The scopes that an operation needs, all of them; FULL: no scope is enough. */
export type Needs = readonly Scope[] | 'FULL';

const EVERYTHING: Needs = ['connections:read', 'triggers:read', 'events:read', 'functions:read', 'settings:read'];
const EXCEPTIONS: Partial<Record<Operation, Needs>> = {
  // A program needs it to find out whether its key works.
  accountGet: [],
  // Only owners read it, and keys act as ADMIN.
  identityProviderList: 'FULL',
  // Its reply has past events.
  triggerFilterTest: ['triggers:read', 'events:read'],
  // Their replies have resources of every group.
  overviewGet: EVERYTHING,
  lookup: EVERYTHING,
  impactGet: EVERYTHING,
  eventStream: EVERYTHING,
  problemList: EVERYTHING,
  problemGet: EVERYTHING,
  problemFailureList: EVERYTHING,
  problemAcknowledge: [...EVERYTHING, 'events:write'],
  problemIgnore: [...EVERYTHING, 'events:write'],
  problemResolve: [...EVERYTHING, 'events:write'],
  problemReopen: [...EVERYTHING, 'events:write'],
  problemReplayCreate: [...EVERYTHING, 'events:write'],
  receiptGet: EVERYTHING,
  receiptLineList: EVERYTHING,
  receiptExport: EVERYTHING,
  functionInvoke: ['functions:invoke'],
  runBisect: ['functions:invoke'],
  // It runs code on stored requests, and may publish and deploy.
  shadowCreate: ['functions:invoke', 'functions:write'],
  // Its reply has past events. It also needs the right to run the function, and to deploy code that is not deployed.
  destinationTransformTest: ['triggers:write', 'events:read'],
  connectionRequest: ['gateway:call'],
  connectionToolCall: ['gateway:call'],
  // Its reply may have a captured request and response of an app.
  callGet: ['connections:read', 'gateway:call'],
};

const GROUP_OF_SEGMENT: Record<string, ScopeGroup> = {
  account: 'settings',
  'api-keys': 'settings',
  audit: 'settings',
  apps: 'connections',
  connections: 'connections',
  'connect-sessions': 'connections',
  'connect-settings': 'settings',
  'gateway-calls': 'connections',
  'gateway-captures': 'connections',
  triggers: 'triggers',
  events: 'events',
  replays: 'events',
  problems: 'events',
  functions: 'functions',
  search: 'functions',
  runs: 'functions',
};

/** The group of an operation that accepts API keys. */
function groupOf(operation: Operation): ScopeGroup {
  const { path } = routes[operation];
  if (/^\/triggers\/\{trigger_id\}\/events\b/.test(path)) return 'events';
  const group = GROUP_OF_SEGMENT[/^\/([\w-]+)/.exec(path)?.[1] ?? ''];
  if (!group) throw new Error(`${operation}: no group of scopes for ${path}`);
  return group;
}

export function needsOf(operation: Operation): Needs {
  const { method, auth } = routes[operation];
  if (auth !== 'account') return 'FULL';
  const exception = EXCEPTIONS[operation];
  if (exception) return exception;
  const group = groupOf(operation);
  if (method === 'GET') return [`${group}:read`];
  return group === 'settings' ? 'FULL' : [`${group}:write`];
}

/** Whether these scopes include one; `write` includes `read`. */
export const hasScope = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes(scope) || (scope.endsWith(':read') && scopes.includes(scope.replace(/read$/, 'write') as Scope));

/** The first scope that is missing for an operation; `FULL` if only full access is enough, null if none is missing. */
export function missingScope(scopes: readonly Scope[], operation: Operation): Scope | 'FULL' | null {
  const needs = needsOf(operation);
  return needs === 'FULL' ? needs : (needs.find((scope) => !hasScope(scopes, scope)) ?? null);
}
