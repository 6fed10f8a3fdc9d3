/** Reads what a transformation returned: a request, or null. Pure. */
import { DESTINATION_HEADERS_MAX, JSON_MAX_DEPTH } from '../../../contract/limits.ts';
import { DESTINATION_METHODS } from '../../../contract/states.ts';
import { isJsonObject, parseExactly } from '../../../contract/text/exact-json.ts';
import { HEADER_NAME, RESERVED_HEADERS } from '../../../contract/triggers.ts';
import { isDeeperThan } from '../../lib/json-depth.ts';
import { isMask } from '../../lib/masking.ts';

/** What a transformation changes in a request. What is undefined stays as it is. */
export type Changes = {
  method: string | undefined;
  /** Path and query, on the origin of the destination. */
  path: string | undefined;
  /** By name in lower case; null removes a header. */
  headers: Record<string, string | null>;
  body: string | Buffer | null | undefined;
  /** The content type of the body, unless `headers` or the destination has one. */
  contentType: string | null;
};

/** The request before the transformation. */
export type Original = { method: string; url: URL };

/** The answer is neither null nor a request that may be sent. The message names the member. */
export class BadAnswer extends Error {
  override name = 'BadAnswer';
}

const MEMBERS = ['method', 'path', 'headers', 'body', 'is_base64_encoded'];
const PATH_MAX_CHARS = 8192;
const HEADER_MAX_CHARS = 4096;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The changes to the request; null if the event is to be skipped. Throws BadAnswer. */
export function readAnswer(text: string, before: Original): Changes | null {
  const answer = parse(text);
  if (answer === null) return null;
  if (!isJsonObject(answer)) throw new BadAnswer(`expected an object or null, got ${kindOf(answer)}`);
  for (const name of Object.keys(answer))
    if (!MEMBERS.includes(name)) throw new BadAnswer(`${name.slice(0, 100)}: expected one of ${MEMBERS.join(', ')}`);
  const method = methodOf(answer['method']);
  const path = answer['path'] === undefined ? undefined : pathOf(answer['path'], before.url);
  const headers = headersOf(answer['headers']);
  const { body, contentType } = bodyOf(answer['body'], answer['is_base64_encoded']);
  if ((method ?? before.method) === 'GET' && body != null)
    throw new BadAnswer('body: expected none, as the method is GET');
  return { method, path, headers, body, contentType };
}

function parse(text: string): unknown {
  if (text === '') throw new BadAnswer('expected an object or null, got no content');
  if (isDeeperThan(text, JSON_MAX_DEPTH)) throw new BadAnswer(`expected JSON nested at most ${JSON_MAX_DEPTH} deep`);
  try {
    return parseExactly(text);
  } catch {
    throw new BadAnswer('expected JSON');
  }
}

function methodOf(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  const method = DESTINATION_METHODS.find((each) => each === given);
  if (!method) throw new BadAnswer(`method: expected one of ${DESTINATION_METHODS.join(', ')}`);
  return method;
}

/** The path must begin with that of the destination's URL, in whole segments. */
function pathOf(given: unknown, { protocol, host, pathname }: URL): string {
  if (typeof given !== 'string' || !given.startsWith('/'))
    throw new BadAnswer('path: expected text that begins with /');
  if (given.length > PATH_MAX_CHARS) throw new BadAnswer(`path: expected at most ${PATH_MAX_CHARS} characters`);
  if (/[\u0000-\u0020\u007f#\\]/.test(given))
    throw new BadAnswer('path: expected no spaces, control characters, # or backslashes');
  const [segments = ''] = given.split('?', 1);
  if (segments.split('/').some(isDots)) throw new BadAnswer('path: expected no segment . or ..');
  const url = new URL(`${protocol}//${host}${given}`);
  const base = pathname.endsWith('/') ? pathname : `${pathname}/`;
  if (url.host !== host || !`${url.pathname}/`.startsWith(base))
    throw new BadAnswer(`path: expected ${pathname}, or a path below it`);
  return url.pathname + url.search;
}

const isDots = (segment: string) => /^(?:\.|%2e){1,2}$/i.test(segment);

function headersOf(given: unknown): Record<string, string | null> {
  if (given === undefined || given === null) return {};
  if (!isJsonObject(given)) throw new BadAnswer(`headers: expected an object, got ${kindOf(given)}`);
  const names = Object.keys(given);
  if (names.length > DESTINATION_HEADERS_MAX)
    throw new BadAnswer(`headers: expected at most ${DESTINATION_HEADERS_MAX}`);
  const headers: Record<string, string | null> = {};
  for (const name of names) {
    const value = given[name];
    const at = `headers.${name.slice(0, 100)}`;
    if (!HEADER_NAME.test(name)) throw new BadAnswer(`${at}: expected a header name`);
    if (RESERVED_HEADERS.test(name)) throw new BadAnswer(`${at}: this header is set by the service`);
    if (Object.hasOwn(headers, name.toLowerCase())) throw new BadAnswer(`${at}: expected each header once`);
    // The function got the masks of the destination's headers: the values stay.
    if (typeof value === 'string' && isMask(value)) continue;
    if (value !== null && typeof value !== 'string' && typeof value !== 'number')
      throw new BadAnswer(`${at}: expected text, or null to remove the header`);
    const text = value === null ? null : String(value);
    if (text !== null && (text.length > HEADER_MAX_CHARS || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text)))
      throw new BadAnswer(`${at}: expected at most ${HEADER_MAX_CHARS} characters, without line breaks`);
    headers[name.toLowerCase()] = text;
  }
  return headers;
}

function bodyOf(given: unknown, isBase64: unknown): Pick<Changes, 'body' | 'contentType'> {
  if (isBase64 !== undefined && typeof isBase64 !== 'boolean')
    throw new BadAnswer('is_base64_encoded: expected true or false');
  if (isBase64) {
    if (typeof given !== 'string' || !BASE64.test(given)) throw new BadAnswer('body: expected Base64');
    return { body: Buffer.from(given, 'base64'), contentType: 'application/octet-stream' };
  }
  if (given === undefined || given === null || typeof given === 'string') return { body: given, contentType: null };
  return { body: JSON.stringify(given), contentType: 'application/json' };
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'an array' : typeof value === 'string' ? 'text' : `a ${typeof value}`;
