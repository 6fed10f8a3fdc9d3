/** What a limited API key may use beyond its scopes: rules for calls of apps, functions. Zod-free. */
import type { Operation } from '../routes.ts';
import { missingScope, needsOf, type Scope } from './scopes.ts';

export const GATEWAY_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type GatewayMethod = (typeof GATEWAY_METHODS)[number];

/** Calls of one app. A part that is null permits everything. */
export type GatewayRule = {
  app: string;
  connection_ids: string[] | null;
  methods: GatewayMethod[] | null;
  /** Patterns of native paths; see `matchesPath`. */
  paths: string[] | null;
};

export type KeyLimits = {
  /** Null: full access. */
  scopes: Scope[] | null;
  /** With `gateway:call`. Null: every connection and method. */
  gateway: GatewayRule[] | null;
  /** Null: every function. */
  functions: string[] | null;
  /** IP addresses and CIDR ranges that may use the key. Null: all. */
  ip_ranges: string[] | null;
};
export const NO_LIMITS: KeyLimits = { scopes: null, gateway: null, functions: null, ip_ranges: null };

/** Limits of limits: entries in each list, and characters of all as JSON, so that a draft fits into a URL. */
export const GATEWAY_RULES_MAX = 50;
export const RULE_ENTRIES_MAX = 50;
export const KEY_FUNCTIONS_MAX = 100;
export const IP_RANGES_MAX = 50;
export const KEY_LIMITS_MAX_CHARS = 16_000;
export const PATH_PATTERN_MAX_CHARS = 300;

/** A call of an app. `connection_id` is missing before the connection is chosen. */
export type AppCall = { app: string; method: string; path: string; connection_id?: string | undefined };

/** Why a key may not make a call; null if it may. */
export function gatewayRefusal({ scopes, gateway }: KeyLimits, call: AppCall): string | null {
  if (scopes === null) return null;
  if (!scopes.includes('gateway:call')) return 'This API key lacks the scope gateway:call.';
  if (gateway === null) return null;
  const { app, method, path, connection_id } = call;
  const ofApp = gateway.filter((rule) => rule.app === app);
  if (ofApp.length === 0) return `This API key may not call ${app}: its gateway limits name other apps.`;
  const ofMethod = ofApp.filter(({ methods }) => methods === null || methods.includes(method as GatewayMethod));
  if (ofMethod.length === 0)
    return `This API key may not send ${method} to ${app}: its gateway limits name other methods.`;
  const ofPath = ofMethod.filter(({ paths }) => paths === null || paths.some((pattern) => matchesPath(pattern, path)));
  if (ofPath.length === 0)
    return `This API key may not send ${method} to this path of ${app}: its gateway limits name other paths.`;
  if (connection_id === undefined) return null;
  if (ofPath.some(({ connection_ids }) => connection_ids === null || connection_ids.includes(connection_id)))
    return null;
  return `This API key may not use the connection ${connection_id} of ${app}: name a permitted one with Service-Connection.`;
}

/** Headers by which many servers read another method than that of the request. */
const METHOD_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'];

/** Why a request with these headers is refused: its rules name methods, and a header may name another one. */
export function disguisedMethod(
  { gateway }: KeyLimits,
  app: string,
  hasHeader: (name: string) => boolean,
): string | null {
  if (!gateway?.some((rule) => rule.app === app && rule.methods !== null)) return null;
  const named = METHOD_HEADERS.find(hasHeader);
  return named ? `This API key may not send the header ${named} to ${app}: its gateway limits name methods.` : null;
}

/** Segments that servers may read as another path. */
const AMBIGUOUS = /\/\.{0,2}(?=\/)|\/\.{1,2}$|\\|%(?:2e|2f|5c|00)/i;

/**
 * Whether a native path, as sent and without its query, matches a pattern. `*` is one segment, `**` at the end any rest.
 * Paths that a server may normalize (`..`, `//`, encoded slashes and dots) match no pattern.
 */
export function matchesPath(pattern: string, path: string): boolean {
  if (AMBIGUOUS.test(path)) return false;
  const wanted = pattern.split('/');
  const given = (path || '/').split('/');
  if (wanted.at(-1) === '**') {
    wanted.pop();
    if (given.length <= wanted.length) return false;
    given.length = wanted.length;
  }
  return (
    wanted.length === given.length &&
    wanted.every((segment, i) => (segment === '*' ? given[i] !== '' : segment === given[i]))
  );
}

/** Why a key may not call a function by its URL; null if it may. */
export function functionRefusal({ scopes, functions }: KeyLimits, function_id: string): string | null {
  if (scopes === null) return null;
  if (!scopes.includes('functions:invoke')) return 'This API key lacks the scope functions:invoke.';
  if (functions === null || functions.includes(function_id)) return null;
  return OTHER_FUNCTION;
}
const OTHER_FUNCTION = 'This API key may not use this function: its limits name other functions.';

/** Why a key lacks a scope for an operation; null if it has all. */
export function scopeRefusal({ scopes }: KeyLimits, operation: Operation): string | null {
  const missing = scopes && missingScope(scopes, operation);
  if (missing === 'FULL') return 'This API key has limited access; this needs a key with full access.';
  return missing === null ? null : `This API key lacks the scope ${missing}.`;
}

/**
 * Why a key that is limited to functions may not use an operation; null if it may. `function_id` is the one that the
 * path or query names: such a key can't list, search or create others.
 */
export function namedFunctionRefusal(
  { functions }: KeyLimits,
  operation: Operation,
  function_id: string | undefined,
): string | null {
  const needs = needsOf(operation);
  if (functions === null || needs === 'FULL' || !needs.some((scope) => scope.startsWith('functions:'))) return null;
  if (function_id === undefined || operation === 'functionCopy')
    return 'This API key may only use the functions that its limits name.';
  return functions.includes(function_id) ? null : OTHER_FUNCTION;
}

/** Why a key may not use an operation; null if it may. */
export const operationRefusal = (limits: KeyLimits, operation: Operation, function_id: string | undefined) =>
  scopeRefusal(limits, operation) ?? namedFunctionRefusal(limits, operation, function_id);
