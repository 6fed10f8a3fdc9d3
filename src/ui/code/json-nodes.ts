/**
 * Reads JSON into nodes that keep what JSON.parse forgets: the order of all keys, keys written twice, and numbers
 * as they were sent (`12345678901234567890`, `1.0`). What a payload view shows must be what came.
 */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly { readonly key: string; readonly value: JsonNode }[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  /** A number, true, false or null, as written. */
  | { readonly kind: 'literal'; readonly text: string };

const STRING = /"(?:[^"\\]|\\.)*"/y;
const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** The node of a JSON text, or undefined where it isn't JSON. */
export function parseJson(text: string): JsonNode | undefined {
  try {
    JSON.parse(text); // it is the judge of what is JSON; the reader below may then trust the text
  } catch {
    return undefined;
  }
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const next = () => {
    take(SPACE);
    return text[at];
  };
  const string = (): string => String(JSON.parse(take(STRING)));
  const value = (): JsonNode => {
    const first = next();
    if (first === '"') return { kind: 'string', value: string() };
    if (first === '{') {
      const members: { key: string; value: JsonNode }[] = [];
      at += 1;
      while (next() !== '}') {
        if (text[at] === ',') at += 1;
        next();
        const key = string();
        next();
        at += 1; // the colon
        members.push({ key, value: value() });
      }
      at += 1;
      return { kind: 'object', members };
    }
    if (first === '[') {
      const items: JsonNode[] = [];
      at += 1;
      while (next() !== ']') {
        if (text[at] === ',') at += 1;
        items.push(value());
      }
      at += 1;
      return { kind: 'array', items };
    }
    return { kind: 'literal', text: take(LITERAL) };
  };
  return value();
}

/** JSON with line breaks and two spaces a level, its numbers and order untouched; other text as it is. */
export function prettyJson(text: string): string {
  const node = parseJson(text);
  return node ? write(node, '') : text;
}

function write(node: JsonNode, indent: string): string {
  if (node.kind === 'literal') return node.text;
  if (node.kind === 'string') return JSON.stringify(node.value);
  const inner = `${indent}  `;
  const lines =
    node.kind === 'object'
      ? node.members.map(({ key, value }) => `${inner}${JSON.stringify(key)}: ${write(value, inner)}`)
      : node.items.map((item) => `${inner}${write(item, inner)}`);
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** `data.object` + `attempt_count` → `data.object.attempt_count`; + 3 → `data.object[3]`; + `x-y` → `…object["x-y"]`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
}

/** Marks that turn the direction of what follows them, so that a text reads as another one than it is. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text to be read: invisible characters that change how the rest is shown are written as escapes. */
export const plainly = (text: string): string =>
  text.replace(TURNING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
