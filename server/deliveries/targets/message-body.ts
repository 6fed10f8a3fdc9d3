import {
  parseTemplate,
  renderTemplate,
  type Template,
  TemplateError,
  templateReadsRequest,
} from '../../../contract/text/body-template.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import type { RequestValues } from '../../../contract/text/request-values.ts';
import { type Addresses, eventPage } from '../../lib/addresses.ts';
import { isMask } from '../../lib/masking.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { Message } from './target.ts';

/** The result of the body template cannot be sent. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** The content type of a body, by the destination's own headers. */
export function contentTypeOf(headers: Record<string, string>): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return own?.[1] ?? 'application/json';
}

/** Whether a rendered body must be JSON. */
export const isJsonType = (contentType: string): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);

/** The names of the headers of the source's request that are sent on. */
export const forwardedNames = ({ forward_headers }: Pick<Target, 'forward_headers'>): string[] =>
  forward_headers === null ? [] : (JSON.parse(forward_headers) as string[]);

/** Whether messages to the destination need the request of their event. */
export function readsRequest({ body_template, body_source, forward_headers }: Target): boolean {
  if (body_source === 'ORIGINAL' || forward_headers !== null) return true;
  if (body_template === null) return false;
  try {
    return templateReadsRequest(parseTemplate(body_template));
  } catch (error) {
    if (error instanceof TemplateError) return false;
    throw error;
  }
}

/** Parses the destination's template once; returns the function that renders the body of one message. */
export function bodiesOf(target: Target, contentType: string, addresses: Addresses): (message: Message) => string {
  if (target.body_template === null) return (message) => standardBody(target, message);
  const render = rendererOf(parseTemplate(target.body_template), target, addresses);
  const isJson = isJsonType(contentType);
  return (message) => {
    const rendered = render(message);
    if (isJson) checkJson(rendered);
    return rendered;
  };
}

function standardBody({ source, event_type }: Target, { trigger_id, event_id, received_at, payload }: Message): string {
  const json = (value: string) => JSON.stringify(value);
  // Insert the payload as it was stored, byte for byte.
  return `{"type":${json(event_type)},"timestamp":${json(received_at)},"data":${payload},"event_id":${json(event_id)},"trigger_id":${json(trigger_id)},"source":${json(source)}}`;
}

/** Returns the function that renders a template with the values of one message, as part of JSON or as text. */
export function rendererOf(
  template: Template,
  { source, event_type, trigger_name }: Target,
  addresses: Addresses,
  as: 'json' | 'text' = 'json',
): (message: Message) => string {
  const isOfRequest = templateReadsRequest(template);
  return (message) => {
    const { trigger_id, event_id, received_at, payload } = message;
    const event_url = eventPage(addresses, trigger_id, event_id);
    const request = isOfRequest && message.request ? withoutCredentials(message.request) : null;
    const values = { payload, trigger_id, trigger_name, event_id, event_url, source, event_type, received_at, request };
    const rendered = renderTemplate(template, values, parseExactly, as);
    if (rendered === undefined)
      throw new Unrenderable('The body template’s result exceeds the payload by more than 1 MiB.');
    return rendered;
  };
}

/** The request as templates see it: masked values are missing. */
export function withoutCredentials({ headers, query, ...rest }: RequestValues): RequestValues {
  return {
    ...rest,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => !isMask(value))),
    query: query
      .split('&')
      .filter((pair) => !isMask(pair))
      .join('&'),
  };
}

function checkJson(rendered: string): void {
  try {
    JSON.parse(rendered);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unrenderable(`The body template’s result is not JSON: ${why}`);
  }
}
