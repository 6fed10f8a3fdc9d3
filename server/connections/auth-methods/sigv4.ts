/**
 * AWS Signature Version 4: the headers that authenticate a request to AWS, or to a service that is compatible with S3.
 * The signature covers the method, the URL as sent, the host, the content type, every `x-amz-` header and the body.
 *
 * Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto';

export type SigV4Keys = {
  access_key_id: string;
  secret_access_key: string;
  /** Of temporary credentials; null for those of a user. */
  session_token: string | null;
};
/** Such as `eu-central-1` and `sqs`. */
export type SigV4Scope = { region: string; service: string };
export type SigV4Request = {
  method: string;
  /** Absolute, as sent. */
  url: string;
  /** Alternating names and values, as sent, without Host. */
  headers: readonly string[];
  /** Null: no body. UNSIGNED: a body that is not known when the request is signed, which only S3 accepts. */
  body: string | Uint8Array | null | typeof UNSIGNED;
};

/** The value of `X-Amz-Content-Sha256` for a body that the signature does not cover. */
export const UNSIGNED = Symbol('unsigned');
/** Lower-case names of the headers that `signed` returns: a request must not contain them before. */
export const SIGV4_HEADERS: readonly string[] = [
  'authorization',
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-security-token',
];

type Pair = [name: string, value: string];

const ALGORITHM = 'AWS4-HMAC-SHA256';
const EMPTY_SHA256 = createHash('sha256').update('').digest('hex');

/** Returns the headers to add to a request, as alternating names and values. */
export function signed(keys: SigV4Keys, scope: SigV4Scope, request: SigV4Request, at = new Date()): string[] {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const hash = hashOf(request.body);
  const added: Pair[] = [
    ['X-Amz-Date', time],
    ...(keys.session_token === null ? [] : [['X-Amz-Security-Token', keys.session_token] satisfies Pair]),
    // S3 requires it; other services ignore it.
    ...(scope.service === 's3' ? [['X-Amz-Content-Sha256', hash] satisfies Pair] : []),
  ];
  const covered = pairsOf(request.headers).filter(([name]) => /^(?:content-type|content-md5|x-amz-.+)$/i.test(name));
  const authorization = authorize(keys, scope, { ...request, headers: [...covered, ...added].flat() }, time);
  return [...added.flat(), 'Authorization', authorization];
}

/** The value of `Authorization` for a request whose headers are all signed. `time`: as in `X-Amz-Date`. */
export function authorize(keys: SigV4Keys, scope: SigV4Scope, request: SigV4Request, time: string): string {
  const date = time.slice(0, 8);
  const credential = [date, scope.region, scope.service, 'aws4_request'];
  const [canonical, names] = canonicalRequest(request, scope.service);
  const text = [ALGORITHM, time, credential.join('/'), sha256(canonical)].join('\n');
  const key = credential.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secret_access_key}`);
  const signature = hmac(key, text).toString('hex');
  return `${ALGORITHM} Credential=${keys.access_key_id}/${credential.join('/')}, SignedHeaders=${names}, Signature=${signature}`;
}

/** The canonical request, and the names of the headers that it contains. */
export function canonicalRequest({ method, url, headers, body }: SigV4Request, service: string): [string, string] {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(https?):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const host = authority.toLowerCase().replace(/^https$/i.test(scheme) ? /:443$/ : /:80$/, '');
  const values = new Map<string, string[]>([['host', [host]]]);
  for (const [name, value] of pairsOf(headers)) {
    const lower = name.toLowerCase();
    values.set(lower, [...(values.get(lower) ?? []), value.trim().replace(/ +/g, ' ')]);
  }
  const sorted = [...values].sort(([a], [b]) => compare(a, b));
  const names = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, all]) => `${name}:${all.join(',')}\n`).join('');
  const parts = [method.toUpperCase(), canonicalPath(path || '/', service), canonicalQuery(query), lines, names];
  return [[...parts, hashOf(body)].join('\n'), names];
}

/**
 * S3 signs each segment of a path encoded once. Other services sign the path as sent, encoded once more, without empty
 * segments and segments of dots.
 */
function canonicalPath(path: string, service: string): string {
  if (service === 's3') return path.split('/').map(again).join('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = kept.length > 0 && /\/\.{0,2}$/.test(path);
  return `/${kept.map(encode).join('/')}${isFolder ? '/' : ''}`;
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part): Pair => {
      const at = part.indexOf('=');
      return at < 0 ? [againInQuery(part), ''] : [againInQuery(part.slice(0, at)), againInQuery(part.slice(at + 1))];
    })
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&');
}

function hashOf(body: SigV4Request['body']): string {
  if (body === UNSIGNED) return 'UNSIGNED-PAYLOAD';
  return body === null || body.length === 0 ? EMPTY_SHA256 : sha256(body);
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const pairsOf = (flat: readonly string[]) =>
  flat.flatMap((name, i): Pair[] => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : []));

/** Encodes every byte except unreserved characters; a `%` is encoded, too. */
const encode = (text: string) => encodeBytes(Buffer.from(text));
const encodeBytes = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/[^A-Za-z0-9._~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** Decodes an encoded text and encodes it canonically; a `%` without two hex digits is literal. */
function again(text: string): string {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return encodeBytes(Buffer.from(decoded, 'latin1'));
}

/** In a query, `+` is a space. */
const againInQuery = (text: string) => again(text.replaceAll('+', ' '));
