import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { BODY_MAX_BYTES, CODE_MAX_BYTES, JSON_MAX_DEPTH } from '../../contract/limits.ts';
import { operations } from '../../contract/operations.ts';
import { type Operation, type Route, routes } from '../../contract/routes.ts';
import { parseExactly } from '../../contract/text/exact-json.ts';
import { hasBody } from '../lib/bodies/has-body.ts';
import { tooLarge, wholeBody } from '../lib/bodies/whole-body.ts';
import { badRequest, Failure, notFound } from '../lib/failure.ts';
import { isDeeperThan } from '../lib/json-depth.ts';
import { assertWholeText } from './body-text.ts';

/** Code is JSON text, where every byte may need escaping. */
const LIMITS: Record<Route['bodyLimit'], number> = { usual: BODY_MAX_BYTES, code: CODE_MAX_BYTES * 2 };

/** The parts of a request that are read. */
export type Incoming = Readable & Pick<IncomingMessage, 'headers' | 'method'>;

/** Reads a request's body as text, up to the operation's limit. */
async function readText(req: Incoming, operation: Operation): Promise<string> {
  const limit = LIMITS[routes[operation].bodyLimit];
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  if (routes[operation].method === 'GET' || !hasBody(req)) return '';
  if (!/^(?:identity)?$/i.test(req.headers['content-encoding'] ?? ''))
    throw new Failure(415, 'Content-Encoding: expected none', { headers: { 'Accept-Encoding': 'identity' } });
  const body = await wholeBody(req, limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw badRequest('body: expected UTF-8 text');
  }
}

/** The validated body of an operation, and the fingerprint an idempotency key is bound to. */
export async function readBody(
  req: Incoming,
  operation: Operation,
  pathname: string,
): Promise<{ body: unknown; fingerprint: string }> {
  const schema = operations[operation].body as z.ZodType | null;
  const text = await readText(req, operation);
  const fingerprint = createHash('sha256').update(`${pathname}\n${text}`).digest('base64url');
  if (text === '') {
    if (schema === null) return { body: undefined, fingerprint };
    return { body: schema.isOptional() ? undefined : check(schema, {}, ''), fingerprint };
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw new Failure(415, 'Content-Type: expected application/json');
  }
  const value = parseJson(text, KEEPS_NUMBERS.has(operation) ? parseExactly : JSON.parse);
  if (schema === null) {
    if (isEmptyObject(value)) return { body: undefined, fingerprint };
    throw badRequest('body: this operation takes no body');
  }
  const body = check(schema, value, '');
  assertWholeText(operation, value);
  const lost = lostProto(value, body, []);
  if (lost) throw badRequest(`${[...lost, '__proto__'].join('.')}: expected another name`);
  return { body, fingerprint };
}

/** Returns the path where the schema dropped a key `__proto__`: input must not be lost silently. */
function lostProto(given: unknown, taken: unknown, path: string[]): string[] | undefined {
  if (given === taken || !isObject(given) || !isObject(taken)) return undefined;
  if (Object.hasOwn(given, '__proto__') && !Object.hasOwn(taken, '__proto__')) return path;
  for (const name of Object.keys(given)) {
    const found = lostProto(given[name], taken[name], [...path, name]);
    if (found) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Bodies with the caller's JSON: a payload or a sample of one, a filter, metadata, arguments of a tool. */
const KEEPS_NUMBERS: ReadonlySet<Operation> = new Set<Operation>([
  'appCreate',
  'appUpdate',
  'eventCreate',
  'triggerCreate',
  'triggerUpdate',
  'triggerTest',
  'destinationCreate',
  'destinationUpdate',
  'destinationTest',
  'connectionCreate',
  'connectionUpdate',
  'connectionToolCall',
]);

function parseJson(text: string, parse: (text: string) => unknown): unknown {
  if (isDeeperThan(text, JSON_MAX_DEPTH)) throw badRequest(`body: expected JSON nested at most ${JSON_MAX_DEPTH} deep`);
  try {
    return parse(text);
  } catch (error) {
    throw badRequest(`body: expected JSON (${error instanceof Error ? error.message : 'it does not parse'})`);
  }
}

const isEmptyObject = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

/** A malformed id is a 404, like an unknown one. */
export function readParams(operation: Operation, given: Record<string, string>): unknown {
  const parsed = operations[operation].params.safeParse(given);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0] ?? 'resource');
  // For a value chosen from a list, the message names the options.
  if (name === 'key' || name === 'method')
    throw badRequest(parsed.error.issues.map((issue) => sentence(issue, '')).join('; '));
  throw notFound(NOUNS[name] ?? 'Resource');
}

const NOUNS: Record<string, string> = {
  user_id: 'Member',
  key_id: 'API key',
  connection_id: 'Connection',
  trigger_id: 'Trigger',
  destination_id: 'Destination',
  event_id: 'Event',
  delivery_id: 'Delivery',
  function_id: 'Function',
  version: 'Version',
  run_id: 'Run',
};

/** Operations that ignore unknown query parameters: their specification has no 400. */
export const IGNORES_QUERY: ReadonlySet<Operation> = new Set<Operation>([
  'connectionGet',
  'destinationList',
  'destinationGet',
  'eventReplay',
  'runGet',
]);

/**
 * Rejects repeated parameters, which are not lists, and unknown ones: an ignored filter would return more than was
 * requested, and an ignored option could do more.
 */
export function readQuery(operation: Operation, { search, searchParams }: URL): unknown {
  const schema = operations[operation].query as z.ZodType;
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
  const expected = known.length > 0 ? `expected one of ${known.join(', ')}` : 'expected none';
  const given: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (IGNORES_QUERY.has(operation)) continue;
    if (!known.includes(name)) throw badRequest(`${name.slice(0, 100)}: unknown parameter; ${expected}`);
    if (Object.hasOwn(given, name)) throw badRequest(`${name}: expected once`);
    if (value.includes('\u0000')) throw badRequest(`${name}: expected no NUL character`);
    if (value.includes('\ufffd') && !isText(search, name)) throw badRequest(`${name}: expected UTF-8`);
    given[name] = value;
  }
  return check(schema, given, '');
}

/** Whether the bytes of a parameter are UTF-8: other bytes would be read as U+FFFD, which code may contain. */
function isText(search: string, name: string): boolean {
  const pair =
    search
      .slice(1)
      .split('&')
      .find((each) => new URLSearchParams(each).has(name)) ?? '';
  const bytes = pair.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

function check(schema: z.ZodType, value: unknown, prefix: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badRequest(
    parsed.error.issues
      .slice(0, 5)
      .map((issue) => sentence(issue, prefix))
      .join('; '),
  );
}

/** "destinations.0.url: expected …": the field, then what was expected. */
function sentence(issue: z.core.$ZodIssue, prefix: string): string {
  const at = (path: PropertyKey[]) => [prefix, ...path.map(String)].filter(Boolean).join('.') || 'body';
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${at([...issue.path, key])}: unknown field`).join('; ');
  const message = issue.message
    .replace(/^(?:Invalid (?:input|option)|Too (?:small|big)): /, '')
    .replace(/^expected record/, 'expected object')
    .replace(/^Invalid discriminator value\. Expected /, 'expected one of ')
    .replace(/, received LongNumber$/, ', got one that would be rounded')
    .replace(/^Invalid input$/, 'not a valid value');
  return `${at(issue.path)}: ${message}`;
}
