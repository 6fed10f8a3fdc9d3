import { parseTemplate, renderTemplate } from '../../../contract/body-template.ts';
import { now } from '../../lib/clock.ts';
import { signatureHeaders } from '../../lib/signing.ts';
import type { Target } from '../../store/destinations.ts';
import type { Services } from '../context.ts';
import { maskHeaders, openHeaders, openSigningSecrets } from '../destination-secrets.ts';
import type { Message } from './exchange.ts';

/** One request as it goes out. `shown` are its headers as the attempt keeps them, the destination's own masked. */
export type Outgoing = {
  method: string;
  url: string;
  headers: Record<string, string>;
  shown: Record<string, string>;
  body: string | null;
};

/** The template's result can't be sent: nothing goes out. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** Makes the signed request of a delivery; throws Unrenderable when its template gives no body that can be sent. */
export function makeRequest(
  services: Pick<Services, 'vault' | 'settings'>,
  target: Target,
  message: Message,
): Outgoing {
  const own = openHeaders(services.vault, target);
  const body = bodyOf(target, message, contentTypeOf(own));
  const standard = {
    'content-type': 'application/json',
    'user-agent': `Sluice/${services.settings.version}`,
    ...signatureHeaders(
      openSigningSecrets(services.vault, target, now()),
      message.webhook_id ?? message.event_id,
      Date.now(),
      body ?? '',
    ),
  };
  const taken = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const ours = Object.fromEntries(Object.entries(standard).filter(([name]) => !taken.has(name)));
  return {
    method: target.method,
    url: target.url,
    headers: { ...ours, ...own },
    shown: { ...ours, ...maskHeaders(own) },
    body,
  };
}

function bodyOf(target: Target, message: Message, contentType: string): string | null {
  // A GET has no body (RFC 9110 §9.3.1); its signature is over the empty one.
  if (target.method === 'GET') return null;
  const { trigger_id, event_id, received_at, payload } = message;
  const { source, event_type, trigger_name } = target;
  if (target.body_template === null) {
    const json = (value: string) => JSON.stringify(value);
    // The payload stands as it was stored, byte for byte.
    return `{"type":${json(event_type)},"timestamp":${json(received_at)},"data":${payload},"event_id":${json(event_id)},"trigger_id":${json(trigger_id)},"source":${json(source)}}`;
  }
  const values = { payload, trigger_id, trigger_name, event_id, source, event_type, received_at };
  const rendered = renderTemplate(parseTemplate(target.body_template), values);
  if (rendered === undefined) throw new Unrenderable('The body template’s result is larger than 1 MiB.');
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)) return rendered;
  try {
    JSON.parse(rendered);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unrenderable(`The body template’s result is not JSON: ${why}`);
  }
  return rendered;
}

function contentTypeOf(headers: Record<string, string>): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return own?.[1] ?? 'application/json';
}
