/**
 * RFC 5849, section 3: the signature of a request. It is computed over bytes, because a query may contain any byte, in
 * any encoding: the signature covers the bytes that the provider decodes.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { OAuth1Method } from '../apps/definition.ts';

export type OAuth1Keys = {
  client_id: string;
  client_secret: string;
  /** Null in the request for a request token; `token_secret` is then empty. */
  token: string | null;
  token_secret: string;
};
/** `url` as sent (latin1, as Node reads it); `form` is the body if it is a form. */
export type Signable = { method: string; url: string; form: string | null };
type Pair = [name: string, value: string];

/** The Authorization header of one request. `more` are further protocol parameters, such as oauth_callback. */
export function authorization(
  keys: OAuth1Keys,
  signature: OAuth1Method['signature'],
  request: Signable,
  more: Pair[] = [],
): string {
  const params: Pair[] = [
    ['oauth_consumer_key', keys.client_id],
    ['oauth_nonce', randomBytes(16).toString('hex')],
    ['oauth_signature_method', signature],
    ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
    ...(keys.token === null ? [] : [['oauth_token', keys.token] satisfies Pair]),
    ['oauth_version', '1.0'],
    ...more,
  ];
  const signed: Pair[] = [...params, ['oauth_signature', sign(keys, signature, request, params)]];
  return `OAuth ${signed.map(([name, value]) => `${encode(name)}="${encode(value)}"`).join(', ')}`;
}

/** Section 3.4.2 to 3.4.4, over the protocol parameters that are sent with the request. */
export function sign(
  keys: OAuth1Keys,
  signature: OAuth1Method['signature'],
  request: Signable,
  params: Pair[],
): string {
  const key = `${encode(keys.client_secret)}&${encode(keys.token_secret)}`;
  if (signature === 'PLAINTEXT') return key;
  const algorithm = signature === 'HMAC-SHA256' ? 'sha256' : 'sha1';
  return createHmac(algorithm, key).update(baseString(request, params)).digest('base64');
}

/** Section 3.4.1, the signature base string: method, URL and all parameters, sorted. */
export function baseString({ method, url, form }: Signable, params: Pair[]): string {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(https?):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const own = scheme.toLowerCase();
  const host = authority.toLowerCase().replace(own === 'https' ? /:443$/ : /:80$/, '');
  const all = [
    ...params.map(([name, value]): Pair => [encode(name), encode(value)]),
    ...pairsOf(Buffer.from(query, 'latin1')),
    ...pairsOf(Buffer.from(form ?? '')),
  ];
  const normal = all
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&');
  return `${method.toUpperCase()}&${encode(`${own}://${host}${path || '/'}`)}&${encode(normal)}`;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The parameters of a query or form, decoded and encoded canonically (section 3.4.1.3.1). */
function pairsOf(bytes: Buffer): Pair[] {
  if (bytes.length === 0) return [];
  return bytes
    .toString('latin1')
    .split('&')
    .map((part): Pair => {
      const at = part.indexOf('=');
      return at < 0 ? [again(part), ''] : [again(part.slice(0, at)), again(part.slice(at + 1))];
    });
}

/** `+` is a space in a query and in a form; a `%` without two hex digits is literal. */
function again(text: string): string {
  const decoded = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return encodeBytes(Buffer.from(decoded, 'latin1'));
}

/** Section 3.6: encodes every byte except unreserved characters. */
const encode = (text: string) => encodeBytes(Buffer.from(text));
const encodeBytes = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9._~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
