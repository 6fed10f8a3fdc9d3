/**
 * Verifies the signature of a request over the received bytes, with every valid secret. Comparisons are constant-time.
 * A signed timestamp is checked last, so that "too old" is reported only for a valid signature.
 */

import { createHash, createHmac, createPublicKey, createSecretKey, timingSafeEqual, verify } from 'node:crypto';
import type { RejectionCause } from '../../../contract/states.ts';
import type { WebhookSignature } from '../../connections/apps/definition.ts';
import { SECRET_PREFIX } from '../../lib/signing.ts';
import type { Incoming } from './incoming.ts';
import { textAt } from './places.ts';

export type Check = WebhookSignature | { kind: 'none' } | { kind: 'basic'; username: string };
/** Why a request is rejected, as shown in the trigger's rejections. */
export type Problem = { cause: RejectionCause; message: string };

/** Null if the request is accepted. `atMs` is the current time. */
export function checkSignature(
  check: Check,
  secrets: readonly string[],
  request: Incoming,
  atMs: number,
): Problem | null {
  if (check.kind === 'none') return null;
  if (secrets.length === 0)
    return { cause: 'SECRET_MISSING', message: 'The trigger has no secret yet to verify requests with.' };
  switch (check.kind) {
    case 'hmac':
      return checkHmac(check, secrets, request, atMs);
    case 'standard':
      return checkStandard(secrets, request, atMs);
    case 'token':
      return check.also
        ? checkEither(check.header, secrets, request, atMs)
        : checkToken(check.header, secrets, request);
    case 'basic':
      return checkBasic(check.username, secrets, request);
    case 'ed25519':
      return checkEd25519(check, secrets, request);
    case 'other':
      return { cause: 'SECRET_MISSING', message: `This can't be verified: ${check.how}` };
  }
}

const missing = (header: string): Problem => ({ cause: 'SIGNATURE_MISSING', message: `${header} is missing.` });
const wrong = (header: string): Problem => ({
  cause: 'SIGNATURE_WRONG',
  message: `${header} does not match the trigger’s secret.`,
});

function checkHmac(
  check: Extract<WebhookSignature, { kind: 'hmac' }>,
  secrets: readonly string[],
  request: Incoming,
  atMs: number,
): Problem | null {
  const header = headerOf(request, check.header);
  if (header === undefined) return missing(check.header);
  const pairs = check.pairs && pairsOf(header, check.pairs.separator);
  const signatures = check.pairs
    ? (pairs?.filter(([name]) => name === check.pairs?.signature).map(([, value]) => value) ?? [])
    : listed(header, check.prefix);
  const timestamp = check.pairs
    ? pairs?.find(([name]) => name === check.pairs?.timestamp)?.[1]
    : check.timestamp_header === null
      ? undefined
      : headerOf(request, check.timestamp_header);
  if (timestamp === undefined && check.signed.includes('{timestamp}'))
    return missing(check.timestamp_header ?? `The timestamp in ${check.header}`);
  const fits = secrets.some((secret) => {
    const wanted = digest(check, secret, request, timestamp ?? '');
    return signatures.some((given) => sameText(check.encoding === 'hex' ? given.toLowerCase() : given, wanted));
  });
  if (!fits) return wrong(check.header);
  if (check.tolerance_seconds === null) return null;
  const stamp = check.timestamp_path === null ? timestamp : signedStamp(request.body, check.timestamp_path);
  return checkAge(signedMs(stamp, check.timestamp_unit), check.tolerance_seconds, atMs);
}

/** One or several signatures, separated by commas, each with the prefix. */
function listed(header: string, prefix: string): string[] {
  const each = header.split(',').map((text) => text.trim());
  return each.flatMap((text) => (text.startsWith(prefix) ? text.slice(prefix.length) : []));
}

/** `t=1,v1=ab`: a name may appear more than once. */
function pairsOf(header: string, separator = ','): [name: string, value: string][] {
  return header.split(separator).map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

function digest(
  { algorithm, encoding, signed }: Extract<WebhookSignature, { kind: 'hmac' }>,
  secret: string,
  request: Incoming,
  timestamp: string,
): string {
  const hmac = createHmac(algorithm, secret);
  const { body, url, method } = request;
  const values: Record<string, string | Buffer> = { '{body}': body, '{timestamp}': timestamp, '{url}': url };
  values['{method}'] = method;
  values['{decoded_url}'] = url.replace(ENCODED_MARKS, decodeURIComponent);
  for (const part of signed.split(/(\{\w+(?::[\w-]+)?\})/)) {
    const name = /^\{header:(.*)\}$/.exec(part)?.[1];
    hmac.update(name === undefined ? (values[part] ?? part) : (headerOf(request, name) ?? ''));
  }
  return hmac.digest(encoding);
}

/** HubSpot decodes `:/?@!$'()*,;`. */
const ENCODED_MARKS = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/** The timestamp in a body whose signature was verified. */
function signedStamp(body: Buffer, path: string): string | undefined {
  try {
    return textAt(JSON.parse(body.toString()), path);
  } catch {
    return undefined;
  }
}

type Unit = Extract<WebhookSignature, { kind: 'hmac' }>['timestamp_unit'];

/** NaN for an invalid time. */
function signedMs(stamp = '', unit: Unit): number {
  if (unit === 'rfc3339') return RFC3339.test(stamp) ? Date.parse(stamp) : Number.NaN;
  return /^\d{1,15}$/.test(stamp) ? Number(stamp) * (unit === 'ms' ? 1 : 1000) : Number.NaN;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

function checkAge(stampMs: number, tolerance: number, atMs: number): Problem | null {
  const seconds = Math.round((atMs - stampMs) / 1000);
  if (Math.abs(atMs - stampMs) <= tolerance * 1000) return null;
  const cause = 'TIMESTAMP_STALE';
  if (Number.isNaN(seconds)) return { cause, message: 'The timestamp of the signature can’t be read.' };
  const when = seconds > 0 ? `${seconds} s ago` : `for a time ${-seconds} s ahead`;
  return { cause, message: `The request was signed ${when}; at most ${tolerance} s are allowed.` };
}

const STANDARD_TOLERANCE_SECONDS = 300;

/**
 * Standard Webhooks 1.0.0, also with the header names of Svix. A secret that begins with `whpk_` is a public key for
 * Ed25519 signatures (`v1a`); other secrets verify HMAC-SHA256 (`v1`).
 */
function checkStandard(secrets: readonly string[], request: Incoming, atMs: number): Problem | null {
  const prefix = headerOf(request, 'webhook-signature') === undefined ? 'svix-' : 'webhook-';
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headerOf(request, prefix + name));
  if (signatures === undefined) return missing('webhook-signature');
  if (id === undefined || timestamp === undefined) return missing(prefix + (id === undefined ? 'id' : 'timestamp'));
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request.body]);
  const given = signatures.split(' ').map((each) => each.split(','));
  const fits = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^wh(?:sec|pk)_/, ''), 'base64');
    if (secret.startsWith('whpk_'))
      return given.some(([version, text = '']) => version === 'v1a' && verified(key, signed, text, 'base64'));
    const wanted = createHmac('sha256', createSecretKey(key)).update(signed).digest('base64');
    return given.some(([version, text = '']) => version === 'v1' && sameText(text, wanted));
  });
  if (!fits) return wrong(`${prefix}signature`);
  return checkAge(signedMs(timestamp, 's'), STANDARD_TOLERANCE_SECONDS, atMs);
}

function checkToken(name: string, secrets: readonly string[], request: Incoming): Problem | null {
  const given = headerOf(request, name);
  if (given === undefined) return missing(name);
  if (secrets.some((secret) => sameSecret(given, secret))) return null;
  return { cause: 'SIGNATURE_WRONG', message: `${name} is not the trigger’s secret.` };
}

/** One signature that matches one of the secrets is sufficient; the others are ignored. */
function checkEither(header: string, secrets: readonly string[], request: Incoming, atMs: number): Problem | null {
  const keys = secrets.filter((secret) => secret.startsWith(SECRET_PREFIX));
  const isSigned = headerOf(request, 'webhook-signature') !== undefined;
  if (!isSigned) return checkToken(header, secrets, request);
  const problem = checkStandard(keys, request, atMs);
  const isOurs = problem === null || problem.cause === 'TIMESTAMP_STALE';
  return isOurs || headerOf(request, header) === undefined ? problem : checkToken(header, secrets, request);
}

function checkBasic(username: string, secrets: readonly string[], request: Incoming): Problem | null {
  const given = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(headerOf(request, 'authorization') ?? '')?.[1];
  if (given === undefined) return missing('Authorization with a user name and a password');
  const pair = Buffer.from(given, 'base64').toString();
  if (secrets.some((secret) => sameSecret(pair, `${username}:${secret}`))) return null;
  return { cause: 'SIGNATURE_WRONG', message: 'The user name or password is wrong.' };
}

function checkEd25519(
  { header, timestamp_header }: Extract<WebhookSignature, { kind: 'ed25519' }>,
  secrets: readonly string[],
  request: Incoming,
): Problem | null {
  const signature = headerOf(request, header);
  const timestamp = headerOf(request, timestamp_header);
  if (signature === undefined || timestamp === undefined)
    return missing(signature === undefined ? header : timestamp_header);
  const signed = Buffer.concat([Buffer.from(timestamp), request.body]);
  const fits = secrets.some((secret) => verified(Buffer.from(secret, 'hex'), signed, signature, 'hex'));
  return fits ? null : wrong(header);
}

/** Also false for an invalid key or signature. */
function verified(key: Buffer, signed: Buffer, signature: string, encoding: 'hex' | 'base64'): boolean {
  const bytes = Buffer.from(signature, encoding);
  // Rejects non-canonical encodings, which Buffer.from accepts.
  if (bytes.toString(encoding) !== (encoding === 'hex' ? signature.toLowerCase() : signature)) return false;
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    return verify(null, signed, createPublicKey({ key: jwk, format: 'jwk' }), bytes);
  } catch {
    return false;
  }
}

function headerOf({ headers }: Pick<Incoming, 'headers'>, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Compares digests as text: their length is not secret. */
function sameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares hashes of equal length, so that the secret's length is not revealed. */
function sameSecret(given: string, wanted: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(wanted));
}
