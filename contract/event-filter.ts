/**
 * A filter on payloads: a JSON object with the conditions that an event must meet to be delivered. Zod-free and pure:
 * the service applies it, and the console tests it on past events.
 *
 *   {"action": "opened"}                          the field has this value, or is an array that contains it
 *   {"issue": {"labels": {"name": "bug"}}}        nested; in an array, one element matches
 *   {"issue.user.login": {"$startsWith": "bot-"}}  dotted, the same as nested
 *   {"amount": {"$gte": 10, "$lt": 100}}          operators; all must hold
 *   {"$or": [{…}, {…}], "$not": {…}}              combined
 *   {"$headers": {"x-github-event": "push"}}      the request of the source instead of the payload
 *
 * $headers, $query, $path and $method are conditions on that request, at the top level and in a top-level $and, $or or
 * $not. Other names with $ are operators, so these cannot collide with fields of a payload. Header names may be in any
 * case. A query parameter that is given several times is an array. An event without a request has none of these values.
 *
 * $eq $ne $in $nin compare whole JSON values. $gt $gte $lt $lte compare numbers with numbers and strings with strings.
 * $ne, $nin and $not also hold if the field is missing; {"$exists": false} holds only then. Numbers are compared
 * exactly, however long: parse both sides with exact-json.ts.
 */
import { isJsonObject, isNumber, orderOf } from './text/exact-json.ts';
import { queryValues, type RequestValues } from './text/request-values.ts';

export type EventFilter = Record<string, unknown>;

const MAX_DEPTH = 20;
const MAX_TERMS = 500;

type Json = unknown;
/** `request` is given at the top level only: null for an event without one. */
type Operator = (wanted: Json, value: Json, request?: RequestValues | null) => boolean;

/** Neither an array nor an object. */
export const isScalar = (value: Json): boolean =>
  value === null || isNumber(value) || typeof value === 'string' || typeof value === 'boolean';
const isFilterList = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

const compare =
  (holds: (order: number) => boolean): Operator =>
  (wanted, value) => {
    if (isNumber(value) && isNumber(wanted)) return holds(orderOf(value, wanted));
    if (typeof value === 'string' && typeof wanted === 'string')
      return holds(value < wanted ? -1 : value > wanted ? 1 : 0);
    return false;
  };

/** Operators by name: the operand in words, its check, and the comparison. A missing value is undefined. */
const OPERATORS: Record<string, { takes: string; fits: (wanted: Json) => boolean; holds: Operator }> = {
  $eq: { takes: 'any JSON value', fits: () => true, holds: (wanted, value) => isSame(wanted, value) },
  $ne: { takes: 'any JSON value', fits: () => true, holds: (wanted, value) => !isSame(wanted, value) },
  $gt: { takes: 'a number or a string', fits: isComparable, holds: compare((order) => order > 0) },
  $gte: { takes: 'a number or a string', fits: isComparable, holds: compare((order) => order >= 0) },
  $lt: { takes: 'a number or a string', fits: isComparable, holds: compare((order) => order < 0) },
  $lte: { takes: 'a number or a string', fits: isComparable, holds: compare((order) => order <= 0) },
  $in: {
    takes: 'an array',
    fits: Array.isArray,
    holds: (wanted, value) => (wanted as Json[]).some((each) => isSame(each, value)),
  },
  $nin: {
    takes: 'an array',
    fits: Array.isArray,
    holds: (wanted, value) => !(wanted as Json[]).some((each) => isSame(each, value)),
  },
  $startsWith: {
    takes: 'a string',
    fits: isText,
    holds: (wanted, value) => typeof value === 'string' && value.startsWith(String(wanted)),
  },
  $endsWith: {
    takes: 'a string',
    fits: isText,
    holds: (wanted, value) => typeof value === 'string' && value.endsWith(String(wanted)),
  },
  $contains: {
    takes: 'a string, or any value for an array',
    fits: () => true,
    holds: (wanted, value) =>
      Array.isArray(value)
        ? value.some((each) => isSame(wanted, each))
        : typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted),
  },
  $exists: {
    takes: 'true or false',
    fits: (wanted) => typeof wanted === 'boolean',
    holds: (wanted, value) => (value !== undefined) === wanted,
  },
  $and: {
    takes: 'an array of filters',
    fits: isFilterList,
    holds: (wanted, value, request) => (wanted as EventFilter[]).every((each) => holds(each, value, request)),
  },
  $or: {
    takes: 'an array of filters',
    fits: isFilterList,
    holds: (wanted, value, request) => (wanted as EventFilter[]).some((each) => holds(each, value, request)),
  },
  $not: {
    takes: 'a filter or a value',
    fits: () => true,
    holds: (wanted, value, request) => !holds(wanted, value, request),
  },
};
/** The conditions on the request, by name, with the value that each reads. */
const REQUEST_VALUES: Record<string, (request: RequestValues) => Json> = {
  $headers: ({ headers }) => headers,
  $query: ({ query }) => queryValues(query),
  $path: ({ path }) => path,
  $method: ({ method }) => method,
};
/** The names whose value has fields. */
const WITH_FIELDS = new Set(['$headers', '$query']);
const NAMES = Object.keys(OPERATORS).join(' ');
const NESTED = new Set(['$and', '$or', '$not']);

function isComparable(wanted: Json): boolean {
  return isNumber(wanted) || typeof wanted === 'string';
}
function isText(wanted: Json): boolean {
  return typeof wanted === 'string';
}

/** Returns the first error of a filter as `<path>: expected …`, or null if the filter is valid. */
export function filterProblem(filter: Json): string | null {
  let terms = 0;
  const findProblem = (term: Json, at: string, depth: number, isTop = false): string | null => {
    if (++terms > MAX_TERMS) return `${at}: expected at most ${MAX_TERMS} conditions`;
    if (depth > MAX_DEPTH) return `${at}: expected at most ${MAX_DEPTH} levels`;
    if (Array.isArray(term))
      return first(term.entries(), (each, index) => findProblem(each, `${at}.${index}`, depth + 1, isTop));
    if (!isJsonObject(term)) return isScalar(term) ? null : `${at}: expected a JSON value`;
    return first(Object.entries(term), (wanted, name) => {
      const where = `${at}.${name}`;
      if (!name.startsWith('$')) return findProblem(wanted, where, depth + 1);
      if (Object.hasOwn(REQUEST_VALUES, name)) {
        if (!isTop) return `${where}: expected at the top level of the filter`;
        if (WITH_FIELDS.has(name) && !isJsonObject(wanted))
          return `${where}: expected an object of names and conditions`;
        return findProblem(wanted, where, depth + 1);
      }
      const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
      if (!operator) return `${where}: expected one of ${NAMES}`;
      if (!operator.fits(wanted)) return `${where}: expected ${operator.takes}`;
      return NESTED.has(name) ? findProblem(wanted, where, depth + 1, isTop) : null;
    });
  };
  if (!isJsonObject(filter)) return 'filter: expected a JSON object';
  return findProblem(filter, 'filter', 0, true);
}

function first<K>(entries: Iterable<[K, Json]>, findProblem: (value: Json, key: K) => string | null): string | null {
  for (const [key, value] of entries) {
    const problem = findProblem(value, key);
    if (problem) return problem;
  }
  return null;
}

/** Whether an event matches a filter that `filterProblem` found valid. `request` is null if no request created it. */
export function matchesFilter(filter: EventFilter, payload: Json, request: RequestValues | null = null): boolean {
  return holds(filter, payload, request);
}

/** Whether the filter has conditions on the request. */
export function readsRequest(filter: EventFilter): boolean {
  return Object.entries(filter).some(
    ([name, wanted]) =>
      Object.hasOwn(REQUEST_VALUES, name) ||
      (NESTED.has(name) && [wanted].flat().some((each) => isJsonObject(each) && readsRequest(each))),
  );
}

function requestHolds(name: string, wanted: Json, request: RequestValues | null): boolean {
  const value = request ? REQUEST_VALUES[name]?.(request) : undefined;
  if (name !== '$headers' || !isJsonObject(wanted)) return holds(wanted, value);
  return holds(Object.fromEntries(Object.entries(wanted).map(([key, each]) => [headerKey(key), each])), value);
}

const headerKey = (key: string) => (key.startsWith('$') ? key : key.toLowerCase());

function holds(term: Json, value: Json, request?: RequestValues | null): boolean {
  if (Array.isArray(term)) return Array.isArray(value) && term.every((each) => value.some((one) => holds(each, one)));
  if (!isJsonObject(term)) return Array.isArray(value) ? value.some((one) => isSame(term, one)) : isSame(term, value);
  const entries = Object.entries(term);
  const own = entries.every(([name, wanted]) =>
    name.startsWith('$') ? operatorHolds(name, wanted, value, request) : true,
  );
  const fields = entries.filter(([name]) => !name.startsWith('$'));
  return own && (fields.length === 0 || hasFields(fields, value));
}

function operatorHolds(name: string, wanted: Json, value: Json, request: RequestValues | null | undefined): boolean {
  if (request !== undefined && Object.hasOwn(REQUEST_VALUES, name)) return requestHolds(name, wanted, request);
  return OPERATORS[name]?.holds(wanted, value, request) ?? false;
}

/** An array matches if one of its elements has all fields. */
function hasFields(fields: [string, Json][], value: Json): boolean {
  if (Array.isArray(value)) return value.some((each) => hasFields(fields, each));
  return fields.every(([name, wanted]) => fieldHolds(name, wanted, value));
}

function fieldHolds(name: string, wanted: Json, value: Json): boolean {
  // A key may itself contain dots.
  if (isJsonObject(value) && Object.hasOwn(value, name)) return holds(wanted, value[name]);
  const dot = name.indexOf('.');
  if (dot < 0) return holds(wanted, undefined);
  const [head, rest] = [name.slice(0, dot), name.slice(dot + 1)];
  const inner = isJsonObject(value) && Object.hasOwn(value, head) ? value[head] : elementOf(value, head);
  return Array.isArray(inner) && !/^\d+(?:\.|$)/.test(rest)
    ? inner.some((each) => fieldHolds(rest, wanted, each))
    : fieldHolds(rest, wanted, inner);
}

const elementOf = (value: Json, index: string) =>
  Array.isArray(value) && /^\d+$/.test(index) ? value[Number(index)] : undefined;

/** Equality of JSON values; key order is ignored. */
function isSame(a: Json, b: Json): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  if (isNumber(a)) return isNumber(b) && orderOf(a, b) === 0;
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}
