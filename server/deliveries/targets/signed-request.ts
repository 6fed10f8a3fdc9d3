import { now } from '../../lib/clock.ts';
import { signatureHeaders } from '../../lib/signing.ts';
import { maskHeaders, openHeaders, signingKeys } from '../destinations/destination-secrets.ts';
import type { Target } from '../store/destinations.ts';
import { bodiesOf } from './message-body.ts';
import { type Message, type Outgoing, type PrepareParts, timeoutOf } from './target.ts';

/** A signed HTTP request with headers in clear, and the route that its kind sends it by. */
export type SignedRequest<Route> = Outgoing & { headers: Record<string, string>; route: Route };

/** Opens the secrets of a destination once; returns the function that builds and signs the request of one message. */
export function requestsOf<Route>(
  { vault, settings }: PrepareParts,
  target: Target,
  route: Route,
): (message: Message) => SignedRequest<Route> {
  const { method, url } = target;
  const timeoutMs = timeoutOf(settings, target);
  const keys = signingKeys(vault, target);
  const own = openHeaders(vault, target);
  const ownMasked = maskHeaders(own);
  const ownNames = Object.keys(own).map((name) => name.toLowerCase());
  const render = bodiesOf(target, contentTypeOf(own), settings.addresses);
  return (message) => {
    // A GET has no body (RFC 9110 §9.3.1); its signature is over the empty one.
    const body = method === 'GET' ? null : render(message);
    const at = now();
    const signing = keys.filter(({ until }) => until === null || until > at).map(({ key }) => key);
    const standard: Record<string, string> = {
      'content-type': 'application/json',
      'user-agent': `Sluice/${settings.version}`,
      ...signatureHeaders(signing, message.webhook_id ?? message.event_id, Date.now(), body ?? ''),
    };
    for (const name of ownNames) delete standard[name];
    const hasOwn = ownNames.length > 0;
    return {
      shown: { method, url, headers: hasOwn ? { ...standard, ...ownMasked } : standard, body },
      headers: hasOwn ? { ...standard, ...own } : standard,
      route,
      timeoutMs,
    };
  };
}

function contentTypeOf(headers: Record<string, string>): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return own?.[1] ?? 'application/json';
}
