/**
 * Parses JSON into nodes that preserve what JSON.parse loses: the order of all keys, duplicate keys, and the notation
 * of numbers (`12345678901234567890`, `1.0`), so that a payload is displayed exactly as received.
 */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly { readonly key: string; readonly value: JsonNode }[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  /** A number, true, false or null, in its original notation. */
  | { readonly kind: 'literal'; readonly text: string };

const STRING = /"(?:[^"\\]|\\.)*"/y;
const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** The node of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): JsonNode | undefined {
  try {
    JSON.parse(text); // validates the text, so the parser below need not
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

/** JSON indented by two spaces, with numbers and order preserved. Other text is returned unchanged. */
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

/** Bidirectional control characters, which can make text look different from its content. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with bidirectional control characters escaped. */
export const plainly = (text: string): string =>
  text.replace(TURNING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
