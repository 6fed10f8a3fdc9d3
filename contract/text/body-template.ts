/**
 * Body templates of destinations: text with placeholders such as `{{ payload.a.b }}`, without logic. A value inside a
 * JSON string is escaped as text, elsewhere it is written as JSON. A missing value is "" or null. The service renders
 * requests and the console renders previews with this file.
 */

/** Placeholders besides the payload. */
const TEMPLATE_NAMES = ['trigger_id', 'trigger_name', 'event_id', 'source', 'event_type', 'received_at'] as const;
export type TemplateValues = Record<(typeof TEMPLATE_NAMES)[number], string> & {
  /** The payload's JSON text: `{{ payload }}` inserts it byte for byte. */
  payload: string;
};

/** Literal text, or the path of a value (`payload.a.0` → ['payload', 'a', '0']) and whether it is in a JSON string. */
type Part = { text: string } | { path: string[]; quoted: boolean };
export type Template = Part[];

/** The template doesn't parse; `position` is 1-based, in characters. */
export class TemplateError extends Error {
  override name = 'TemplateError';
}

const PATH = /^[^\s.{}]+(\.[^\s.{}]+)*$/;
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
    parts.push({ path: readPath(source.slice(open + 2, close), open + 3), quoted });
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
  if (root === 'payload') return path;
  if (path.length > 1 || !TEMPLATE_NAMES.some((known) => known === root))
    throw new TemplateError(`${at}: expected payload, ${TEMPLATE_NAMES.join(', ')}, got "${name}"`);
  return path;
}

/** Whether the text, read as JSON from outside or inside a string, ends inside one. */
function endsQuoted(text: string, quoted: boolean): boolean {
  let inside = quoted;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '"') inside = !inside;
    else if (text[i] === '\\' && inside) i++;
  }
  return inside;
}

/**
 * Renders the body; undefined if it exceeds 1 Mi characters. `parse` may preserve numbers that JSON.parse would round,
 * if JSON.stringify writes them unchanged.
 */
export function renderTemplate(
  template: Template,
  values: TemplateValues,
  parse: (text: string) => unknown = JSON.parse,
): string | undefined {
  let payload: unknown;
  let output = '';
  for (const part of template) {
    if ('text' in part) output += part.text;
    else {
      const [root = '', ...keys] = part.path;
      if (root === 'payload' && keys.length > 0) payload ??= parse(values.payload);
      const json = root === 'payload' ? jsonAt(values.payload, payload, keys) : JSON.stringify(named(values, root));
      output += part.quoted ? asText(json) : (json ?? 'null');
    }
    if (output.length > OUTPUT_MAX_CHARS) return undefined;
  }
  return output;
}

const named = (values: TemplateValues, name: string) => values[name as keyof TemplateValues];

/** The JSON text of the value at this path; undefined where there is none. */
function jsonAt(text: string, payload: unknown, keys: string[]): string | undefined {
  if (keys.length === 0) return text;
  let value = payload;
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
