/**
 * Templates of destinations: text with placeholders such as `{{ payload.a.b }}`, without logic. In a JSON template, a
 * value inside a JSON string is escaped as text, elsewhere it is written as JSON, and a missing value is "" or null. In
 * a text template a string is written as it is, and a missing value is empty. The service renders requests and the
 * console renders previews with this file.
 *
 * Filters follow a placeholder: `{{ message.title | max:150 }}` cuts a text, `| html` escapes `&`, `<` and `>`,
 * `| map:opened=trigger,*=resolve` replaces a value, where `*` is every other value, and `| base64` encodes a text.
 * `| default:none` replaces a missing or empty value, and `| required` fails for one, so that nothing is sent.
 *
 * `{{ headers.x-github-event }}`, `{{ query.page }}`, `{{ path }}` and `{{ method }}` are those of the source's request.
 * Their credentials are missing.
 */
import { base64Of } from './base64.ts';
import { type EventMessage, MESSAGE_NAMES, messageOf } from './event-message.ts';
import { queryValues, type RequestValues } from './request-values.ts';

/** Placeholders besides the payload, the message and the request. */
const TEMPLATE_NAMES = [
  'trigger_id',
  'trigger_name',
  'event_id',
  'event_url',
  'source',
  'event_type',
  'received_at',
] as const;
export type TemplateValues = Record<(typeof TEMPLATE_NAMES)[number], string> & {
  /** The payload's JSON text: `{{ payload }}` inserts it byte for byte. */
  payload: string;
  /** Without its credentials. Null for an event that no request created. */
  request?: RequestValues | null | undefined;
};
/** Placeholders of the request; the first two have a value for each name. */
const REQUEST_NAMES = ['headers', 'query', 'method', 'path'] as const;
const NAMED = new Set(['headers', 'query']);

type Filter = (value: string, path: readonly string[]) => string;
/**
 * Literal text, or the path of a value (`payload.a.0` → ['payload', 'a', '0']), whether it is in a JSON string, and its
 * filters.
 */
type Part = { text: string } | { path: string[]; quoted: boolean; filters: Filter[] };
export type Template = Part[];

/** The template doesn't parse; `position` is 1-based, in characters. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

/** A value that the template requires is missing. */
export class MissingTemplateValue extends Error {
  override name = 'MissingTemplateValue';
}

const PATH = /^[^\s.{}]+(\.[^\s.{}]+)*$/;
/** Beside the payload's own length. */
const OUTPUT_MAX_CHARS = 1024 * 1024;

/** Reads a template; throws TemplateError that names the position. */
export function parseTemplate(source: string): Template {
  const parts: Part[] = [];
  let quoted = false;
  let from = 0;
  while (from < source.length) {
    const open = source.indexOf('{{', from);
    const text = source.slice(from, open === -1 ? undefined : open);
    if (text) parts.push({ text });
    if (open === -1) break;
    quoted = endsQuoted(text, quoted);
    const close = source.indexOf('}}', open);
    if (close === -1) throw new TemplateError(`position ${open + 1}: expected }} after {{`);
    // A key may contain a bar, so the one before a filter follows a space.
    const [path = '', ...filters] = source.slice(open + 2, close).split(/(?<=\s)\|/);
    let position = open + 3 + path.length + 1;
    const read = filters.map((text) => {
      const filter = readFilter(text, position);
      position += text.length + 1;
      return filter;
    });
    parts.push({ path: readPath(path, open + 3), quoted, filters: read });
    from = close + 2;
  }
  return parts;
}

function readPath(inner: string, position: number): string[] {
  const name = inner.trim();
  const at = `position ${position + (inner.length - inner.trimStart().length)}`;
  if (!PATH.test(name)) throw new TemplateError(`${at}: expected a name such as payload.a.b, got "${name}"`);
  const path = name.split('.');
  const [root = ''] = path;
  if (root === 'payload' || NAMED.has(root)) return path;
  if (root === 'message') {
    if (path.length === 2 && MESSAGE_NAMES.some((known) => known === path[1])) return path;
    const names = MESSAGE_NAMES.map((known) => `message.${known}`);
    throw new TemplateError(`${at}: expected ${names.join(', ')}, got "${name}"`);
  }
  const names = [...TEMPLATE_NAMES, ...REQUEST_NAMES];
  if (path.length > 1 || !names.some((known) => known === root))
    throw new TemplateError(`${at}: expected payload, message, ${names.join(', ')}, got "${name}"`);
  return path;
}

function readFilter(inner: string, position: number): Filter {
  const text = inner.trim();
  const at = `position ${position + (inner.length - inner.trimStart().length)}`;
  const [, name = '', given = ''] = /^([a-z]+\d*)\s*(?::([\s\S]*))?$/.exec(text) ?? [];
  const simple = text.includes(':') ? undefined : SIMPLE_FILTERS.get(name);
  if (simple) return simple;
  if (name === 'default' && text.includes(':')) return (value) => (value === '' ? given.trim() : value);
  if (name === 'max') {
    const chars = Number(given);
    if (!/^\s*\d{1,7}\s*$/.test(given) || chars < 1)
      throw new TemplateError(`${at}: expected a number of characters, such as max:150, got "${text}"`);
    return (value) => cut(value, chars);
  }
  if (name === 'map') {
    const pairs = given.split(',').map((pair) => pair.split('=').map((side) => side.trim()));
    if (pairs.some((pair) => pair.length !== 2 || pair[0] === ''))
      throw new TemplateError(`${at}: expected pairs such as map:opened=trigger,*=resolve, got "${text}"`);
    const results = new Map(pairs as [string, string][]);
    return (value) => results.get(value) ?? results.get('*') ?? value;
  }
  throw new TemplateError(`${at}: expected the filter max, map, html, base64, default or required, got "${text}"`);
}

/** Cuts a text to a number of UTF-16 units, without splitting a surrogate pair. A cut text ends with "…". */
export function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Filters without a parameter. */
const SIMPLE_FILTERS = new Map<string, Filter>([
  ['html', (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ['base64', (text) => base64Of(new TextEncoder().encode(text))],
  [
    'required',
    (text, path) => {
      if (text === '') throw new MissingTemplateValue(`The template requires ${path.join('.')}, which has no value.`);
      return text;
    },
  ],
]);

/** Whether the text, read as JSON from outside or inside a string, ends inside one. */
function endsQuoted(text: string, quoted: boolean): boolean {
  let inside = quoted;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') inside = !inside;
    else if (text[i] === '\\' && inside) i++;
  }
  return inside;
}

/** Writes a value as text into the output so far; `path` names the value. */
type Write = (value: string, before: string, path: string[]) => string;

/**
 * Renders a template for JSON, for text, or with a function that writes values; undefined if the result exceeds the
 * payload by 1 Mi characters. Throws MissingTemplateValue. `parse` may preserve numbers that JSON.parse would round, if JSON.stringify writes them
 * unchanged.
 */
export function renderTemplate(
  template: Template,
  values: TemplateValues,
  parse: (text: string) => unknown = JSON.parse,
  as: 'json' | 'text' | Write = 'json',
): string | undefined {
  const maxChars = OUTPUT_MAX_CHARS + values.payload.length;
  const read = reader(values, parse);
  let output = '';
  for (const part of template) {
    if ('text' in part) output += part.text;
    else {
      const json = read(part.path);
      const text = () => part.filters.reduce((value, filter) => filter(value, part.path), plain(json));
      if (typeof as === 'function') output += as(text(), output, part.path);
      else if (part.filters.length > 0) {
        if (as === 'text') output += text();
        else output += part.quoted ? JSON.stringify(text()).slice(1, -1) : literal(text());
      } else if (as === 'text') output += plain(json);
      else output += part.quoted ? asText(json) : (json ?? 'null');
    }
    if (output.length > maxChars) return undefined;
  }
  return output;
}

/** Reads values by their path, as JSON text; undefined where there is none. The payload is parsed once, if needed. */
function reader(values: TemplateValues, parse: (text: string) => unknown): (path: string[]) => string | undefined {
  let payload: unknown;
  let message: EventMessage | undefined;
  return ([root = '', ...keys]) => {
    if (isOfRequest(root)) return JSON.stringify(ofRequest(values.request, root, keys));
    if (root !== 'payload' && root !== 'message')
      return JSON.stringify(values[root as (typeof TEMPLATE_NAMES)[number]]);
    if (keys.length === 0) return values.payload;
    payload ??= parse(values.payload);
    if (root === 'payload') return jsonAt(payload, keys);
    message ??= messageOf(values, payload);
    return jsonAt(message, keys);
  };
}

/**
 * Why the result is not JSON for any event; null if it may be. A placeholder outside of strings stands for a value, so
 * it is tried as a string, which may also be a name, and as a digit, which may be a part of a number.
 */
export function jsonProblem(template: Template): string | null {
  let problem: string | null = null;
  for (const value of ['"x"', '1']) {
    const text = template.map((part) => ('text' in part ? part.text : part.quoted ? 'x' : value)).join('');
    try {
      JSON.parse(text);
      return null;
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error);
    }
  }
  return problem;
}

const isOfRequest = (root: string): root is (typeof REQUEST_NAMES)[number] =>
  REQUEST_NAMES.some((known) => known === root);

/** Whether the template has a placeholder of the request. */
export const templateReadsRequest = (template: Template): boolean =>
  template.some((part) => 'path' in part && isOfRequest(part.path[0] ?? ''));

/** A value of the request; undefined if it is missing. */
function ofRequest(
  request: RequestValues | null | undefined,
  root: (typeof REQUEST_NAMES)[number],
  keys: string[],
): unknown {
  if (!request) return undefined;
  if (root === 'method' || root === 'path') return request[root];
  const values = root === 'headers' ? request.headers : queryValues(request.query);
  if (keys.length === 0) return values;
  const name = root === 'headers' ? keys.join('.').toLowerCase() : keys.join('.');
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function jsonAt(whole: unknown, keys: string[]): string | undefined {
  let value = whole;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return JSON.stringify(value);
}

/** A value for the inside of a JSON string: a string's own characters, or the JSON of anything else, escaped. */
function asText(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return json.startsWith('"') ? json.slice(1, -1) : JSON.stringify(json).slice(1, -1);
}

/** A value as text: a string's own characters, or the JSON of anything else. */
function plain(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/**
 * The result of filters outside of a JSON string: a number, true, false or null as it is, anything else as a string.
 */
const literal = (text: string) =>
  /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)$/.test(text) ? text : JSON.stringify(text);
