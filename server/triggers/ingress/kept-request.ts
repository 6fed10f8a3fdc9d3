/**
 * The request of a source as its events keep it: values of credentials are masked before it is stored, so that no
 * filter, template, forwarded header or read contains them. Signatures are not credentials: a receiver behind the
 * gateway may verify the source's signature.
 */
import { isCredentialName, type RequestValues } from '../../../contract/text/request-values.ts';
import type { KeptRequest } from '../../deliveries/intake/store-events.ts';
import { mask } from '../../lib/masking.ts';
import type { Hook } from './hooks.ts';
import type { Headers, Seen } from './incoming.ts';

import type { Check } from './signature.ts';

const QUERY_CREDENTIAL = /^(?:key|sig)$/;

/** Verdicts by name. Names come from senders, so their number is limited. */
const verdicts = new Map<string, boolean>();
const VERDICTS_MAX = 2_000;

/** Whether values under this name are credentials. */
function isCredential(name: string): boolean {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = isCredentialName(name);
  if (verdicts.size < VERDICTS_MAX) verdicts.set(name, verdict);
  return verdict;
}

/** The header with the trigger's secret, if the source sends the secret itself. */
export function secretHeaderOf(check: Check): string | null {
  return check.kind === 'token' ? check.header.toLowerCase() : null;
}

/** The request of a source without its credentials. `payload` is that of its only event; null if it has several. */
export function keptRequest({ check }: Hook, seen: Seen, payload: string | null): KeptRequest {
  const values = requestValues(seen, secretHeaderOf(check));
  return {
    values,
    text: JSON.stringify({ ...values, size: seen.body.length }),
    body: payload !== null && isSame(payload, seen.body) ? null : seen.body,
  };
}

function isSame(payload: string, body: Buffer): boolean {
  return Buffer.byteLength(payload) === body.length && Buffer.from(payload).equals(body);
}

function requestValues({ method, path, query, headers }: Seen, secretHeader: string | null): RequestValues {
  return { method, path, query: shownQuery(query), headers: shownHeaders(headers, secretHeader) };
}

function shownHeaders(headers: Headers, secretHeader: string | null): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    // Assignment to __proto__ would be lost.
    if (name === '__proto__') continue;
    shown[name] = name === secretHeader || isCredential(name) ? mask(text) : text;
  }
  return shown;
}

/** The query with masked credentials, otherwise unchanged. */
export function shownQuery(query: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at < 0) return pair;
      const name = decoded(pair.slice(0, at));
      return isCredential(name) || QUERY_CREDENTIAL.test(name)
        ? `${pair.slice(0, at)}=${mask(decoded(pair.slice(at + 1)))}`
        : pair;
    })
    .join('&');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
