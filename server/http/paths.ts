import { operationNames, type Route, routes } from '../../contract/routes.ts';

/**
 * Custom verbs. The router can't distinguish `{event_id}:replay` from a parameter, so inside it the verb is a separate
 * segment: `/events/{event_id}:replay` is routed as `/events/{event_id}/~replay`. Only known verbs are rewritten.
 */
const VERBS = new Set(operationNames.flatMap((name) => routes[name].path.match(/:([a-z]+)$/)?.[1] ?? []));

/** A prefix that no route matches. */
const NO_ROUTE = '/%7E';

/** Converts a request's path for the router. Internal segments such as `~replay` in the request match no route. */
export function toRouterPath(path: string): string {
  return path.includes('/~') ? NO_ROUTE + path : withVerb(path);
}

/** Accepts %3A for the colon, because some clients encode whole segments. */
function withVerb(path: string): string {
  const [, before, verb = ''] = /^(.*)(?::|%3a)([^:%]*)$/is.exec(path) ?? [];
  return VERBS.has(verb) ? `${before}/~${verb}` : path;
}

/** Connect operations share paths with the API's, so inside the router they have a separate prefix. */
export const CONNECT_PREFIX = '/~connect';

/** Converts a route to a router pattern. */
export function toPattern(route: Route): string {
  const path = withVerb(route.path).replace(/\{(\w+)\}/g, ':$1');
  return route.on === 'connect' ? CONNECT_PREFIX + path : path;
}

const patterns = operationNames.map((name) => ({
  method: routes[name].method,
  expression: new RegExp(`^${toPattern(routes[name]).replace(/:\w+/g, '[^/]+')}$`),
}));

/** The methods of a known path; empty for an unknown one. */
export function allowedMethods(routerPath: string): string[] {
  const found = new Set<string>(
    patterns.filter(({ expression }) => expression.test(routerPath)).map(({ method }) => method),
  );
  return found.has('GET') ? [...found, 'HEAD'] : [...found];
}

/** Whether the path would be known without its trailing slashes. */
export function hasStraySlash(routerPath: string): boolean {
  const trimmed = routerPath.replace(/\/+$/, '');
  if (trimmed === routerPath) return false;
  return trimmed === '/openapi.json' || allowedMethods(withVerb(trimmed)).length > 0;
}
