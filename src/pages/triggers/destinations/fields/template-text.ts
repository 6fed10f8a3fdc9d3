/** A body template in the editor: its rendered result, its errors with positions, and completions. */

import { MASK } from '../../../../../contract/limits.ts';
import {
  MissingTemplateValue,
  parseTemplate,
  renderTemplate,
  TemplateError,
  type TemplateValues,
} from '../../../../../contract/text/body-template.ts';
import { MESSAGE_NAMES, messageOf } from '../../../../../contract/text/event-message.ts';
import { parseExactly } from '../../../../../contract/text/exact-json.ts';
import { queryValues, type RequestValues } from '../../../../../contract/text/request-values.ts';
import { formOf, parseUrlTemplate, renderUrl } from '../../../../../contract/text/url-template.ts';
import type { EventRow } from '../../../../api/entities.ts';
import { path } from '../../../../lib/path.ts';

export type Rendering =
  | { readonly ok: true; readonly body: string; readonly json: boolean }
  /** `position` is a 0-based character offset; absent if the error is in the rendered result. */
  | { readonly ok: false; readonly message: string; readonly position?: number; readonly body?: string };

export type TemplateEvent = Pick<
  EventRow,
  'event_id' | 'trigger_id' | 'trigger_name' | 'source' | 'event_type' | 'received_at' | 'payload'
> & {
  /** The source's request, once it is read; null if there is none. */
  readonly request?: RequestValues | null;
};

/** The request as templates see it: masked credentials are missing. */
export function visibleRequest({ method, path, query, headers }: RequestValues): RequestValues {
  return {
    method,
    path,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.includes(MASK))),
    query: query
      .split('&')
      .filter((pair) => !pair.includes(MASK))
      .join('&'),
  };
}

const valuesOf = ({ payload, ...event }: TemplateEvent): TemplateValues => ({
  ...event,
  event_url: urlOf(event),
  payload: JSON.stringify(payload),
});

/** The console is served under the URL that links in deliveries begin with. */
const urlOf = ({ trigger_id, event_id }: Pick<TemplateEvent, 'trigger_id' | 'event_id'>) =>
  `${typeof location === 'undefined' ? '' : location.origin}${path.event(trigger_id, event_id)}`;

/** What the destination requires: valid JSON, JSON or other text, an object of fields, or text. */
export type TemplateResult = 'json' | 'any' | 'form' | 'text';

/** Renders the template with the service's own code. */
export function renderingOf(template: string, event: TemplateEvent, result: TemplateResult): Rendering {
  let body: string | undefined;
  try {
    const as = result === 'text' ? 'text' : 'json';
    body = renderTemplate(parseTemplate(template), valuesOf(event), parseExactly, as);
  } catch (error) {
    if (error instanceof MissingTemplateValue) return { ok: false, message: error.message };
    if (error instanceof TemplateError) return faultOf(error.message);
    throw error;
  }
  if (body === undefined) return { ok: false, message: 'The result is larger than 1 MiB.' };
  if (result === 'text') return { ok: true, body, json: false };
  try {
    const value = parseExactly(body);
    if (result !== 'form') return { ok: true, body, json: true };
    const form = formOf(value);
    if (form === undefined) return { ok: false, message: 'The result is not a JSON object, which a form is.', body };
    return { ok: true, body: form, json: false };
  } catch (error) {
    if (result === 'any') return { ok: true, body, json: false };
    return { ok: false, message: `The result is not JSON: ${error instanceof Error ? error.message : error}`, body };
  }
}

/** Renders a URL with placeholders. */
export function renderedUrl(url: string, event: TemplateEvent): Rendering {
  try {
    const rendered = renderUrl(parseUrlTemplate(url), valuesOf(event), parseExactly);
    if ('problem' in rendered) return { ok: false, message: rendered.problem };
    return { ok: true, body: rendered.text, json: false };
  } catch (error) {
    if (error instanceof MissingTemplateValue) return { ok: false, message: error.message };
    if (error instanceof TemplateError) return faultOf(error.message);
    throw error;
  }
}

/** Errors of the service contain `position 14: expected …`, a 1-based position. */
function faultOf(said: string): Rendering {
  const [, position, message] = /^position (\d+): ([\s\S]*)$/.exec(said) ?? [];
  if (position === undefined || message === undefined) return { ok: false, message: said };
  return { ok: false, message: `E${message.slice(1)}`, position: Number(position) - 1 };
}

/** A position as `line 3, column 5`. */
export function placeText(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** The event envelope that is sent without a template. */
export function envelopeOf({ event_type, received_at, payload, event_id, trigger_id, source }: TemplateEvent): string {
  return JSON.stringify({ type: event_type, timestamp: received_at, data: payload, event_id, trigger_id, source });
}

export interface TemplateName {
  readonly name: string;
  /** A short form of the value in the selected event. */
  readonly sample: string;
}

const NAMES_MAX = 400;
const DEPTH_MAX = 8;
const SAMPLE_CHARS = 40;

/** The names available to a template for this event, payload paths first. */
export function namesOf(event: TemplateEvent): readonly TemplateName[] {
  const { payload, request, ...rest } = event;
  const names: TemplateName[] = [];
  const walk = (value: unknown, at: string, depth: number) => {
    if (names.length >= NAMES_MAX) return;
    names.push({ name: at, sample: sampleOf(value) });
    if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return;
    for (const [key, inner] of Object.entries(value)) {
      // a template cannot contain a name with a dot, a space or a brace
      if (/^[^\s.{}]+$/.test(key)) walk(inner, `${at}.${key}`, depth + 1);
    }
  };
  walk(payload, 'payload', 0);
  const message = messageOf({ ...rest, event_url: urlOf(rest) }, payload);
  if (request) {
    for (const [name, value] of Object.entries(request.headers))
      names.push({ name: `headers.${name}`, sample: sampleOf(value) });
    for (const [name, value] of Object.entries(queryValues(request.query)))
      if (/^[^\s.{}]+$/.test(name)) names.push({ name: `query.${name}`, sample: sampleOf(value) });
    for (const name of ['method', 'path'] as const) names.push({ name, sample: sampleOf(request[name]) });
  }
  const own = ['event_id', 'event_type', 'source', 'trigger_id', 'trigger_name', 'received_at'] as const;
  return [
    ...names,
    ...MESSAGE_NAMES.map((name) => ({ name: `message.${name}`, sample: sampleOf(message[name]) })),
    ...own.map((name) => ({ name, sample: sampleOf(rest[name]) })),
    { name: 'event_url', sample: sampleOf(urlOf(rest)) },
  ];
}

function sampleOf(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > SAMPLE_CHARS ? `${text.slice(0, SAMPLE_CHARS - 1)}…` : text;
}

/** The partial name before the caret and its start; undefined outside of `{{ … }}`. */
export function nameAt(text: string, caret: number): { readonly from: number; readonly typed: string } | undefined {
  const open = text.lastIndexOf('{{', caret - 1);
  if (open === -1 || open + 2 > caret) return undefined;
  const inner = text.slice(open + 2, caret);
  if (/[{}\n]/.test(inner)) return undefined;
  const typed = inner.trimStart();
  return /\s/.test(typed) ? undefined : { from: caret - typed.length, typed };
}

const OFFERED = 8;

/** Names that start with the input, then those that contain it. */
export function offersFor(typed: string, names: readonly TemplateName[]): readonly TemplateName[] {
  const wanted = typed.toLowerCase();
  const begins = names.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const inside = names.filter(({ name }) => !begins.some((each) => each.name === name) && has(name, wanted));
  return [...begins, ...inside].filter(({ name }) => name !== typed).slice(0, OFFERED);
}
const has = (name: string, wanted: string) => wanted !== '' && name.toLowerCase().includes(wanted);

/** The text with the name inserted and closed, and the new caret position. */
export function withName(text: string, caret: number, from: number, name: string): { text: string; caret: number } {
  const rest = text.slice(caret).replace(/^[^\s{}"]*/, '');
  const closed = /^[ \t]*\}\}/.test(rest);
  const lead = /\{\{$/.test(text.slice(0, from)) ? ' ' : '';
  const put = `${lead}${name}${closed ? '' : ' }}'}`;
  return { text: text.slice(0, from) + put + rest, caret: from + put.length };
}
