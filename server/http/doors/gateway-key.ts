/**
 * The API key in a gateway call. Clients of an app send their credential where that app expects it: as a bearer token,
 * in HTTP Basic, in a header or in the query. The gateway accepts the account's key in these places, and removes it
 * from each place before the request is forwarded.
 */
import type { IncomingMessage } from 'node:http';
import type { KeyPlace } from '../../gateway/forwarding/call-target.ts';
import { badRequest } from '../../lib/failure.ts';
import { bearer } from '../adaptor.ts';
import { decodeUnreserved } from '../request-path.ts';

/** `places`: where the key was found, if it is valid only in an app's place of the credential. */
export type SentKey = { key: string; places: KeyPlace[] | null };

const PREFIX = 'slc_';
const GENERATED = /(?:^|[^A-Za-z0-9_-])(slc_[A-Za-z0-9_-]{16,196})(?![A-Za-z0-9_-])/;
/** Headers that are accepted for every app. */
const KEY_HEADERS = ['x-api-key', 'private-token'];
/** Never a place of the key: cookies are sent by browsers without consent, and Authorization is read first. */
const OTHER_HEADERS = new Set(['authorization', 'cookie', 'referer', ...KEY_HEADERS]);

/** The key of a request; undefined without one. `rest` is the native path and query. */
export function sentKey(req: IncomingMessage, rest: string): SentKey | undefined {
  const { authorization = '' } = req.headers;
  const token = bearer(authorization);
  if (token) return { key: token, places: null };
  const sent = [inAuthorization(authorization), ...KEY_HEADERS.map((name) => headerOf(req, name))];
  const generated = sent.find((text) => text?.startsWith(PREFIX));
  if (generated) return { key: generated, places: null };
  const own = inOwnPlaces(req.rawHeaders, rest);
  if (own) return own;
  // Without the prefix: a key that was set when the service was installed.
  const key = sent.find((text) => text !== undefined && text !== '');
  return key === undefined ? undefined : { key, places: null };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The key in schemes other than Bearer: `token <key>`, Basic as user or password, or any scheme with the prefix. */
function inAuthorization(header: string): string | undefined {
  const [, scheme = '', value = ''] = /^([A-Za-z]+) +([\x21-\x7e]{1,8192})$/.exec(header) ?? [];
  if (/^basic$/i.test(scheme)) {
    const pair = Buffer.from(value, 'base64').toString('latin1');
    const colon = pair.indexOf(':');
    const user = colon < 0 ? pair : pair.slice(0, colon);
    const password = colon < 0 ? '' : pair.slice(colon + 1);
    return user.startsWith(PREFIX) || password === '' ? user : password;
  }
  return GENERATED.exec(header)?.[1] ?? (/^token$/i.test(scheme) ? value : undefined);
}

/** A generated key anywhere else. The gateway checks the places when it knows the app. */
function inOwnPlaces(rawHeaders: readonly string[], rest: string): SentKey | undefined {
  const found: { key: string; place: KeyPlace }[] = [];
  const add = (place: KeyPlace, value: string) => {
    const key = value.length > PREFIX.length ? GENERATED.exec(value)?.[1] : undefined;
    if (key !== undefined) found.push({ key, place });
  };
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    if (!OTHER_HEADERS.has(name)) add({ in: 'header', name }, rawHeaders[i + 1] ?? '');
  }
  const mark = rest.indexOf('?');
  if (mark >= 0)
    for (const [name, value] of new URLSearchParams(rest.slice(mark + 1))) add({ in: 'query', name }, value);
  const key = found[0]?.key;
  if (key === undefined) return undefined;
  return { key, places: found.filter((each) => each.key === key).map(({ place }) => place) };
}

/**
 * Removes the key from the headers of `req`, and returns `rest` without parameters that contain it. Throws 400 for a
 * key in the path, which can't be removed.
 */
export function withoutKey(req: IncomingMessage, rest: string, key: string): string {
  const { rawHeaders } = req;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    const value = rawHeaders[i + 1] ?? '';
    if (value.length < key.length || !value.includes(key)) continue;
    // Authorization is never forwarded.
    if (rawHeaders[i]?.toLowerCase() !== 'authorization') rawHeaders.splice(i, 2);
  }
  if (rest.length <= key.length || !contains(rest, key)) return rest;
  const mark = rest.indexOf('?');
  if (mark < 0 || contains(rest.slice(0, mark), key))
    throw badRequest('The path contains the API key: send it as Authorization: Bearer <API_KEY> instead.');
  const kept = rest
    .slice(mark + 1)
    .split('&')
    .filter((part) => !contains(part, key));
  return rest.slice(0, mark) + (kept.length > 0 ? `?${kept.join('&')}` : '');
}

/** Keys have only unreserved characters, which a caller may encode nevertheless. */
const contains = (text: string, key: string) => text.includes(key) || decodeUnreserved(text).includes(key);
