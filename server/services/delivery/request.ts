import { parseTemplate, renderTemplate, type Template } from '../../../contract/body-template.ts';
import { parseExactly } from '../../../contract/exact-json.ts';
import { labelOf } from '../../lib/addresses.ts';
import { now } from '../../lib/clock.ts';
import { signatureHeaders } from '../../lib/signing.ts';
import type { Target } from '../../store/destinations.ts';
import type { Services } from '../context.ts';
import { maskHeaders, openHeaders, signingKeys } from '../destination-secrets.ts';
import type { Message } from './exchange.ts';

/** One request as it goes out. `shown` are its headers as the attempt keeps them, the destination's own masked. */
export type Outgoing = {
  method: string;
  url: string;
  origin: string;
  host: string;
  path: string;
  /** When it goes to one of our own functions. */
  label: string | undefined;
  headers: Record<string, string>;
  shown: Record<string, string>;
  body: string | null;
};

/** The template's result can't be sent: nothing goes out. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** What all requests to a target have in common. */
type Prepared = Pick<Outgoing, 'origin' | 'host' | 'path' | 'label'> & {
  keys: ReturnType<typeof signingKeys>;
  own: Record<string, string>;
  ownShown: Record<string, string>;
  ownNames: Set<string>;
  contentType: string;
  template: Template | null;
};

/** Opened and read once for each target as it was read from its row. */
const prepared = new WeakMap<Target, Prepared>();

function prepare({ vault, settings }: Pick<Services, 'vault' | 'settings'>, target: Target): Prepared {
  const known = prepared.get(target);
  if (known) return known;
  const { origin, pathname, search, host } = new URL(target.url);
  const own = openHeaders(vault, target);
  const made: Prepared = {
    origin,
    host,
    path: pathname + search,
    label: labelOf(settings.addresses, host),
    keys: signingKeys(vault, target),
    own,
    ownShown: maskHeaders(own),
    ownNames: new Set(Object.keys(own).map((name) => name.toLowerCase())),
    contentType: contentTypeOf(own),
    template: target.body_template === null ? null : parseTemplate(target.body_template),
  };
  prepared.set(target, made);
  return made;
}

/** Makes the signed request of a delivery; throws Unrenderable when its template gives no body that can be sent. */
export function makeRequest(
  services: Pick<Services, 'vault' | 'settings'>,
  target: Target,
  message: Message,
): Outgoing {
  const { origin, host, path, label, keys, own, ownShown, ownNames, contentType, template } = prepare(services, target);
  const body = bodyOf(target, message, template, contentType);
  const at = now();
  const signing = keys.filter(({ until }) => until === null || until > at).map(({ key }) => key);
  const standard: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': `Sluice/${services.settings.version}`,
    ...signatureHeaders(signing, message.webhook_id ?? message.event_id, Date.now(), body ?? ''),
  };
  for (const name of ownNames) delete standard[name];
  return {
    method: target.method,
    url: target.url,
    origin,
    host,
    path,
    label,
    headers: ownNames.size === 0 ? standard : { ...standard, ...own },
    shown: ownNames.size === 0 ? standard : { ...standard, ...ownShown },
    body,
  };
}

function bodyOf(target: Target, message: Message, template: Template | null, contentType: string): string | null {
  // A GET has no body (RFC 9110 §9.3.1); its signature is over the empty one.
  if (target.method === 'GET') return null;
  const { trigger_id, event_id, received_at, payload } = message;
  const { source, event_type, trigger_name } = target;
  if (template === null) {
    const json = (value: string) => JSON.stringify(value);
    // The payload stands as it was stored, byte for byte.
    return `{"type":${json(event_type)},"timestamp":${json(received_at)},"data":${payload},"event_id":${json(event_id)},"trigger_id":${json(trigger_id)},"source":${json(source)}}`;
  }
  const values = { payload, trigger_id, trigger_name, event_id, source, event_type, received_at };
  const rendered = renderTemplate(template, values, parseExactly);
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
