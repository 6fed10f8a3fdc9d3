import {
  MissingTemplateValue,
  parseTemplate,
  renderTemplate,
  type Template,
  TemplateError,
  type TemplateValues,
  templateReadsRequest,
} from '../../../contract/text/body-template.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import type { RequestValues } from '../../../contract/text/request-values.ts';
import {
  formOf,
  hasPlaceholders,
  parseUrlTemplate,
  type Rendered,
  renderHeader,
  renderUrl,
} from '../../../contract/text/url-template.ts';
import { type Addresses, eventPage } from '../../lib/addresses.ts';
import { isMask } from '../../lib/masking.ts';
import type { Target } from '../store/destinations/destinations.ts';
import type { Message } from './target.ts';

/** The result of a template cannot be sent. */
export class Unrenderable extends Error {
  override name = 'Unrenderable';
}

/** The content type of a body, by the destination's own headers. */
export function contentTypeOf(headers: Record<string, string>): string {
  const own = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return own?.[1] ?? 'application/json';
}

/** The content type of a body without a header of the destination. */
export const STANDARD_TYPES = {
  JSON: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
  TEXT: 'text/plain; charset=utf-8',
} as const;

/** Whether a rendered body must be JSON. */
export const isJsonType = (contentType: string): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);

/** The names of the headers of the source's request that are sent on. */
export const forwardedNames = ({ forward_headers }: Pick<Target, 'forward_headers'>): string[] =>
  forward_headers === null ? [] : (JSON.parse(forward_headers) as string[]);

/** Whether the body of a request is the event, not a template, a form or the source's request. */
export const sendsEvent = ({ body_template, body_source, body_format }: Target): boolean =>
  body_template === null && body_source === 'EVENT' && body_format === 'JSON';

/** Whether messages to the destination need the request of their event. */
export function readsRequest(target: Target, headers: Record<string, string>): boolean {
  const { body_template, body_source, forward_headers } = target;
  if (body_source === 'ORIGINAL' || forward_headers !== null) return true;
  const templates = [
    body_template === null ? null : readOr(parseTemplate, body_template),
    urlTemplateOf(target),
    ...headerTemplatesOf(headers).values(),
  ];
  return templates.some((template) => template !== null && templateReadsRequest(template));
}

/** Null if the text is not a template: it was stored before it could be one, and is sent as it is. */
function readOr(parse: (text: string) => Template, text: string): Template | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TemplateError) return null;
    throw error;
  }
}

/** The template of the destination's URL; null if it has no placeholder. */
const urlTemplateOf = ({ url }: Pick<Target, 'url'>): Template | null =>
  hasPlaceholders(url) ? readOr(parseUrlTemplate, url) : null;

/** The templates of headers with placeholders, by name. */
function headerTemplatesOf(headers: Record<string, string>): Map<string, Template> {
  const templates = new Map<string, Template>();
  for (const [name, value] of Object.entries(headers)) {
    const template = hasPlaceholders(value) ? readOr(parseTemplate, value) : null;
    if (template) templates.set(name, template);
  }
  return templates;
}

/** Returns the function that renders the URL of one message; null if it is the same for all. */
export function urlsOf(target: Target, addresses: Addresses): ((message: Message) => URL) | null {
  const template = urlTemplateOf(target);
  if (!template) return null;
  const valuesOf = valuesFor(target, addresses, templateReadsRequest(template));
  const origin = originOf(new URL(target.url));
  return (message) => {
    const url = new URL(textOf(() => renderUrl(template, valuesOf(message), parseExactly)));
    if (originOf(url) !== origin) throw new Error(`the URL of destination ${target.destination_id} left its origin`);
    return url;
  };
}

/** Returns the function that renders the headers with placeholders for one message; null if there are none. */
export function headersOf(
  target: Target,
  headers: Record<string, string>,
  addresses: Addresses,
): ((message: Message) => Record<string, string>) | null {
  const templates = headerTemplatesOf(headers);
  if (templates.size === 0) return null;
  const valuesOf = valuesFor(target, addresses, [...templates.values()].some(templateReadsRequest));
  return (message) => {
    const values = valuesOf(message);
    return Object.fromEntries(
      [...templates].map(([name, template]) => [
        name,
        textOf(() => renderHeader(name, template, values, parseExactly)),
      ]),
    );
  };
}

/** `URL.origin` is null for the URL of a connection. */
const originOf = ({ protocol, host }: URL) => `${protocol}//${host}`;

function textOf(render: () => Rendered): string {
  const rendered = complete(render);
  if ('problem' in rendered) throw new Unrenderable(rendered.problem);
  return rendered.text;
}

/** Throws Unrenderable if a required value is missing. */
function complete<T>(render: () => T): T {
  try {
    return render();
  } catch (error) {
    throw error instanceof MissingTemplateValue ? new Unrenderable(error.message) : error;
  }
}

/** Parses the destination's template once; returns the function that renders the body of one message. */
export function bodiesOf(target: Target, contentType: string, addresses: Addresses): (message: Message) => string {
  const { body_template, body_format } = target;
  if (body_format === 'FORM') return formsOf(target, addresses);
  if (body_template === null) return (message) => standardBody(target, message);
  if (body_format === 'TEXT') return rendererOf(parseTemplate(body_template), target, addresses, 'text');
  const render = rendererOf(parseTemplate(body_template), target, addresses);
  const isJson = isJsonType(contentType);
  return (message) => {
    const rendered = render(message);
    if (isJson) checkJson(rendered);
    return rendered;
  };
}

function formsOf(target: Target, addresses: Addresses): (message: Message) => string {
  const { body_template } = target;
  const render =
    body_template === null
      ? (message: Message) => standardBody(target, message)
      : rendererOf(parseTemplate(body_template), target, addresses);
  return (message) => {
    const rendered = render(message);
    checkJson(rendered);
    const form = formOf(parseExactly(rendered));
    if (form === undefined) throw new Unrenderable('The body template’s result is not a JSON object, which a form is.');
    return form;
  };
}

/** The event as JSON. */
export function standardBody(
  { source, event_type }: Target,
  { trigger_id, event_id, received_at, payload }: Message,
): string {
  const json = (value: string) => JSON.stringify(value);
  // Insert the payload as it was stored, byte for byte.
  return `{"type":${json(event_type)},"timestamp":${json(received_at)},"data":${payload},"event_id":${json(event_id)},"trigger_id":${json(trigger_id)},"source":${json(source)}}`;
}

/** Returns the function that renders a template with the values of one message, as part of JSON or as text. */
export function rendererOf(
  template: Template,
  target: Target,
  addresses: Addresses,
  as: 'json' | 'text' = 'json',
): (message: Message) => string {
  const valuesOf = valuesFor(target, addresses, templateReadsRequest(template));
  return (message) => {
    const rendered = complete(() => renderTemplate(template, valuesOf(message), parseExactly, as));
    if (rendered === undefined)
      throw new Unrenderable('The body template’s result exceeds the payload by more than 1 MiB.');
    return rendered;
  };
}

/** Returns the function that collects the values of one message. */
function valuesFor({ source, event_type, trigger_name }: Target, addresses: Addresses, isOfRequest: boolean) {
  return (message: Message): TemplateValues => {
    const { trigger_id, event_id, received_at, payload } = message;
    const event_url = eventPage(addresses, trigger_id, event_id);
    const request = isOfRequest && message.request ? withoutCredentials(message.request) : null;
    return { payload, trigger_id, trigger_name, event_id, event_url, source, event_type, received_at, request };
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
