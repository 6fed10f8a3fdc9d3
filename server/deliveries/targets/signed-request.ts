import { isUtf8 } from 'node:buffer';
import { isCredentialName, type RequestValues } from '../../../contract/text/request-values.ts';
import { now } from '../../lib/clock.ts';
import { isMask, mask } from '../../lib/masking.ts';
import { signatureHeaders } from '../../lib/signing.ts';
import { traceHeaders } from '../../platform/tracing/trace.ts';
import { maskHeaders, openHeaders, signingKeys } from '../destinations/destination-secrets.ts';
import type { Target } from '../store/destinations/destinations.ts';
import {
  bodiesOf,
  contentTypeOf,
  forwardedNames,
  headersOf,
  STANDARD_TYPES,
  sendsEvent,
  urlsOf,
} from './message-body.ts';
import { type Message, type Outgoing, type PrepareParts, timeoutOf } from './target.ts';

/** A signed HTTP request with headers in clear, the body as sent, and the route that its kind sends it by. */
export type SignedRequest<Route> = Outgoing & {
  headers: Record<string, string>;
  body: string | Buffer | null;
  route: Route;
};

/**
 * Opens the secrets of a destination once; returns the function that builds and signs the request of one message.
 * `routeOf` reads the route of a URL. `signs`: with the headers of a webhook and its signature.
 */
export function requestsOf<Route>(
  { vault, settings }: PrepareParts,
  target: Target,
  routeOf: (url: URL) => Route,
  { signs }: { signs: boolean } = { signs: true },
): (message: Message) => SignedRequest<Route> {
  const { method, url } = target;
  const timeoutMs = timeoutOf(settings, target);
  const keys = signingKeys(vault, target);
  const ownHeaders = openHeaders(vault, target);
  const ownMasked = maskHeaders(ownHeaders);
  const ownNames = Object.keys(ownHeaders).map((name) => name.toLowerCase());
  const contentType = STANDARD_TYPES[target.body_format];
  const urls = urlsOf(target, settings.addresses);
  const route = routeOf(new URL(url));
  const { protocol, host } = new URL(url);
  const templated = headersOf(target, ownHeaders, settings.addresses);
  const isOriginal = target.body_source === 'ORIGINAL';
  const render = bodiesOf(target, contentTypeOf(ownHeaders), settings.addresses);
  const isEvent = sendsEvent(target);
  const forwarded = forwardedNames(target);
  const signatureOf = ({ webhook_id, event_id }: Message, body: string | Buffer) => {
    const at = now();
    const signing = keys.filter(({ until }) => until === null || until > at).map(({ key }) => key);
    return signatureHeaders(signing, webhook_id ?? event_id, Date.now(), body);
  };
  return (message) => {
    const { changes } = message;
    const original = isOriginal ? (message.original ?? message.payload) : null;
    const sentBy = changes?.method ?? method;
    // A GET has no body (RFC 9110 §9.3.1); its signature is over the empty one.
    const isOmitted = sentBy === 'GET' || (isEvent && message.isInput);
    const body = isOmitted ? null : changes?.body !== undefined ? changes.body : (original ?? render(message));
    const standard: Record<string, string> = {
      'content-type': contentType,
      'user-agent': `Sluice/${settings.version}`,
      ...(signs && !message.isInput ? signatureOf(message, body ?? '') : {}),
    };
    if (message.request) forward(message.request, isOriginal && message.original ? ORIGINAL_HEADERS : [], standard);
    if (message.request) forward(message.request, forwarded, standard);
    if (message.traceparent) {
      delete standard['tracestate'];
      Object.assign(
        standard,
        traceHeaders({ traceparent: message.traceparent, tracestate: message.tracestate ?? null }),
      );
    }
    if (changes?.contentType) standard['content-type'] = changes.contentType;
    for (const name of ownNames) delete standard[name];
    const hasOwn = ownNames.length > 0;
    const rendered = templated?.(message);
    const shown = hasOwn ? { ...standard, ...ownMasked, ...(rendered && maskHeaders(rendered, ownHeaders)) } : standard;
    const sent = hasOwn ? { ...standard, ...ownHeaders, ...(rendered && asBytes(rendered)) } : standard;
    const rendersTo = urls?.(message);
    const to = changes?.path === undefined ? rendersTo : new URL(`${protocol}//${host}${changes.path}`);
    const shownBody = typeof body === 'object' && body !== null ? shownOriginal(body, message.payload) : body;
    return {
      shown: {
        method: sentBy,
        url: to?.href ?? url,
        headers: changes ? withChanges(shown, maskCredentials(changes.headers)) : shown,
        body: shownBody,
      },
      headers: changes ? withChanges(sent, changes.headers, asBytes) : sent,
      body,
      route: to ? routeOf(to) : route,
      timeoutMs,
    };
  };
}

/** Headers with those that a transformation sets or removes. */
function withChanges(
  headers: Record<string, string>,
  changes: Record<string, string | null>,
  encode = (set: Record<string, string>) => set,
): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in changes));
  const set = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  return { ...Object.fromEntries(kept), ...encode(Object.fromEntries(set)) };
}

const maskCredentials = (headers: Record<string, string | null>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value !== null && isCredentialName(name) ? mask(value) : value,
    ]),
  );

/** Rendered values are sent as UTF-8: each character of a header is one byte. */
const asBytes = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /[^\x00-\x7f]/.test(value) ? Buffer.from(value).toString('latin1') : value,
    ]),
  );

/** Describe the original body, so they are sent with it. */
const ORIGINAL_HEADERS = ['content-type', 'content-encoding'];

/** Adds headers of the source's request. Masked values are not forwarded. */
function forward({ headers }: RequestValues, names: readonly string[], to: Record<string, string>): void {
  for (const name of names) {
    const value = headers[name];
    if (value === undefined && names === ORIGINAL_HEADERS) delete to[name];
    else if (value !== undefined && !isMask(value)) to[name] = value;
  }
}

const SHOWN_MAX_BYTES = 64 * 1024;

/** An original body in the record of an attempt: its text, or its size if it is large or no text. */
function shownOriginal(body: Buffer, payload: string): string {
  if (!isUtf8(body) || body.includes(0))
    return `(${body.length} bytes that are not text: the body of the source's request)`;
  const text = body.toString();
  if (body.length <= SHOWN_MAX_BYTES || text === payload) return text;
  return `(${body.length} bytes: the body of the source's request)`;
}
