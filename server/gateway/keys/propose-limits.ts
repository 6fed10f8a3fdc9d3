/** Proposes limits that permit what a key was used for, and little else. */
import {
  GATEWAY_METHODS,
  GATEWAY_RULES_MAX,
  type GatewayMethod,
  type GatewayRule,
  gatewayRefusal,
  KEY_FUNCTIONS_MAX,
  KEY_LIMITS_MAX_CHARS,
  type KeyLimits,
  namedFunctionRefusal,
  PATH_PATTERN_MAX_CHARS,
} from '../../../contract/keys/key-limits.ts';
import { needsOf, SCOPES, type Scope } from '../../../contract/keys/scopes.ts';
import { type Operation, routes } from '../../../contract/routes.ts';

export type UsedOperation = { operation: Operation; function_id: string | null };
export type UsedCall = { app: string; connection_id: string; method: string; path: string };
export type Used = {
  operations: UsedOperation[];
  /** Functions called by their URL. */
  functions: string[];
  gateway: UsedCall[];
  /** Every connection of the account. */
  connections: { app: string; connection_id: string }[];
};
export type Proposal = { proposal: KeyLimits; reason: null } | { proposal: null; reason: string };

/** More paths of an app are merged. */
const PATHS_MAX = 20;
/** A segment with more values than this is a parameter. */
const VALUES_MAX = 4;

export function proposeLimits(used: Used): Proposal {
  const full = used.operations.find(({ operation }) => needsOf(operation) === 'FULL');
  if (full) return none(`It was used for “${routes[full.operation].summary}”, which needs full access.`);
  const scopes = scopesFor(used);
  if (scopes.length === 0 && used.operations.length === 0) return none('It was not used in this time.');
  // A key has at least one scope: reading the account needs none.
  if (scopes.length === 0) scopes.push('settings:read');
  const limits: KeyLimits = { scopes, gateway: null, functions: null, ip_ranges: null };
  if (used.gateway.length > 0) limits.gateway = rulesFor(used.gateway, used.connections);
  limits.functions = functionsFor(used);
  if (JSON.stringify(limits).length > KEY_LIMITS_MAX_CHARS)
    limits.gateway = limits.gateway && withoutPaths(limits.gateway);
  return { proposal: limits, reason: null };
}

const none = (reason: string): Proposal => ({ proposal: null, reason });

function scopesFor({ operations, functions, gateway }: Used): Scope[] {
  const needed = new Set<Scope>();
  for (const { operation } of operations) {
    const needs = needsOf(operation);
    if (needs !== 'FULL') for (const scope of needs) needed.add(scope);
  }
  if (functions.length > 0) needed.add('functions:invoke');
  if (gateway.length > 0) needed.add('gateway:call');
  return SCOPES.filter(
    (scope) => needed.has(scope) && !(scope.endsWith(':read') && needed.has(scope.replace(/read$/, 'write') as Scope)),
  );
}

/** The functions, unless an operation that names none was used, such as a list. */
function functionsFor({ operations, functions }: Used): string[] | null {
  const named = new Set(functions);
  for (const { function_id } of operations) if (function_id !== null) named.add(function_id);
  if (named.size === 0 || named.size > KEY_FUNCTIONS_MAX) return null;
  const limits: KeyLimits = { scopes: null, gateway: null, functions: [...named], ip_ranges: null };
  const isCovered = operations.every(
    ({ operation, function_id }) => namedFunctionRefusal(limits, operation, function_id ?? undefined) === null,
  );
  return isCovered ? [...named].sort() : null;
}

function rulesFor(calls: UsedCall[], connections: Used['connections']): GatewayRule[] | null {
  const rules = [...Map.groupBy(calls, ({ app }) => app)].flatMap(([app, ofApp]) =>
    rulesOfApp(app, ofApp, connectionsFor(app, ofApp, connections)),
  );
  if (rules.length <= GATEWAY_RULES_MAX) return rules;
  const fewer = withoutPaths(rules);
  return fewer.length <= GATEWAY_RULES_MAX ? fewer : null;
}

/** The connections that were used, if the app has others. At most as many as a rule may name. */
function connectionsFor(app: string, calls: UsedCall[], connections: Used['connections']): string[] | null {
  const used = new Set(calls.map(({ connection_id }) => connection_id));
  const hasOthers = connections.some((each) => each.app === app && !used.has(each.connection_id));
  const existing = connections.filter(({ connection_id }) => used.has(connection_id));
  return hasOthers && existing.length === used.size && used.size <= 50 ? [...used].sort() : null;
}

/** One rule for each set of methods. */
function rulesOfApp(app: string, calls: UsedCall[], connection_ids: string[] | null): GatewayRule[] {
  const methodsOf = new Map<string, Set<string>>();
  for (const [pattern, ofPattern] of Map.groupBy(calls, patternFor(calls.map(({ path }) => path))))
    methodsOf.set(pattern, new Set(ofPattern.map(({ method }) => method)));
  const byMethods = Map.groupBy(methodsOf, ([, methods]) => [...methods].sort().join());
  const rules = [...byMethods.values()].map((entries): GatewayRule => {
    const methods = [...(entries[0]?.[1] ?? [])].sort() as GatewayMethod[];
    return { app, connection_ids, methods, paths: entries.map(([pattern]) => pattern).sort() };
  });
  const isKnown = calls.every(({ method }) => GATEWAY_METHODS.includes(method as GatewayMethod));
  const any = { app, connection_ids, paths: null };
  if (!isKnown) return [{ ...any, methods: null }];
  const fits = rules.every(({ paths }) =>
    paths?.every((path) => path !== '' && path.length <= PATH_PATTERN_MAX_CHARS && !/[\s?#\\]/.test(path)),
  );
  const limits: KeyLimits = { scopes: ['gateway:call'], gateway: rules, functions: null, ip_ranges: null };
  if (fits && methodsOf.size <= PATHS_MAX * 2 && calls.every((call) => gatewayRefusal(limits, call) === null))
    return rules;
  return withoutPaths(rules);
}

/** One rule for each app, with all its methods. */
function withoutPaths(rules: GatewayRule[]): GatewayRule[] {
  return [...Map.groupBy(rules, ({ app }) => app)].map(([app, ofApp]) => ({
    app,
    connection_ids: ofApp[0]?.connection_ids ?? null,
    methods: ofApp.some(({ methods }) => methods === null)
      ? null
      : [...new Set(ofApp.flatMap(({ methods }) => methods ?? []))].sort(),
    paths: null,
  }));
}

const ID = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|(?=.*\d)[\w-]{20,})$/i;

/**
 * The pattern of a call: ids become `*`; so do segments with many values, if there are many paths; then the rest of the
 * path after the first segment becomes `**`.
 */
function patternFor(paths: string[]): (call: UsedCall) => string {
  const plain = (path: string) =>
    (path || '/')
      .split('/')
      .map((segment) => (ID.test(segment) ? '*' : segment))
      .join('/');
  const patterns = new Set(paths.map(plain));
  if (patterns.size <= PATHS_MAX) return ({ path }) => plain(path);
  const values = new Map<string, Set<string>>();
  for (const pattern of patterns) {
    const segments = pattern.split('/');
    for (const [i, segment] of segments.entries()) {
      const place = placeOf(segments, i);
      values.set(place, (values.get(place) ?? new Set()).add(segment));
    }
  }
  const merged = (path: string) => {
    const segments = plain(path).split('/');
    return segments
      .map((segment, i) => (i > 1 && (values.get(placeOf(segments, i))?.size ?? 0) > VALUES_MAX ? '*' : segment))
      .join('/');
  };
  if (new Set(paths.map(merged)).size <= PATHS_MAX) return ({ path }) => merged(path);
  return ({ path }) => {
    const [, first = ''] = plain(path).split('/');
    return path.split('/').length > 2 ? `/${first}/**` : plain(path);
  };
}

/** Paths of the same length with the same first segment are compared. */
const placeOf = (segments: string[], i: number) => `${segments.length} ${segments[1]} ${i}`;
