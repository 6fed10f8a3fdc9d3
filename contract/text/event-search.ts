/**
 * Parser of the search text of event lists. Zod-free: the console uses it to show how a text is read.
 *
 *   cust_4321                          text in the payload or in the headers of the request, case-insensitive
 *   payload.customer.id = cust_4321    a field of the payload; an array matches if one of its elements does
 *   payload.items.0.sku = "two words"  `"` for values and names with spaces, and for values that are only text
 *   headers.x-github-event = push      a header of the request
 *   payload.refund = *                 any value
 *
 * Several conditions and a text can be combined, optionally with `and`; all must match. Between double quotes
 * everything is text.
 */
export type FieldCondition = {
  of: 'payload' | 'headers';
  /** The names of a field of the payload; one name in lower case for a header. */
  path: string[];
  /** Null for any value. */
  value: string | null;
  /** The value was quoted: it is a text, not a number, `true`, `false` or `null`. */
  isText: boolean;
};
export type EventSearch = { texts: string[]; fields: FieldCondition[] };

/** The search text can't be parsed. */
export class EventSearchError extends Error {
  override name = 'EventSearchError';
}

const MOST_FIELDS = 10;
/** Each doubles the number of ways to read the path: as the index of an array or as the name of a field. */
const MOST_INDEXES = 3;

const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
/** A quoted section of a text, or the beginning of a condition: its path and operator. */
const NEXT = new RegExp(
  `(?<quoted>${QUOTED})|(?<![^\\s])(?<of>payload|headers)\\.(?<path>(?:[^\\s="!<>~]|${QUOTED})*)\\s*(?<operator>[=!<>~]+)`,
  'gs',
);
const NAME = new RegExp(`(${QUOTED})|[^."]+`, 'ys');
const VALUE = new RegExp(`\\s*(?:(${QUOTED})(?!\\S)|([^\\s"]\\S*))`, 'ys');

/** Parses a search text; throws EventSearchError that names the position. */
export function parseEventSearch(typed: string): EventSearch {
  const fields: FieldCondition[] = [];
  const between: string[] = [];
  let from = 0;
  NEXT.lastIndex = 0;
  for (let found = NEXT.exec(typed); found; found = NEXT.exec(typed)) {
    const { of, path = '', operator = '' } = found.groups ?? {};
    if (of !== 'payload' && of !== 'headers') continue;
    const pathAt = found.index + of.length + 1;
    const operatorAt = found.index + found[0].length - operator.length;
    if (operator !== '=') fail(operatorAt, '=');
    const { value, isText, end } = readValue(typed, operatorAt + 1);
    fields.push({ of, path: of === 'headers' ? [readHeader(path, pathAt)] : readPath(path, pathAt), value, isText });
    if (fields.length > MOST_FIELDS) fail(found.index, `at most ${MOST_FIELDS} conditions`);
    between.push(typed.slice(from, found.index));
    from = end;
    NEXT.lastIndex = end;
  }
  if (fields.length === 0) return { texts: [typed], fields };
  const rest = [...between.slice(1).filter((text) => text.trim().toLowerCase() !== 'and'), between[0] ?? ''];
  return { texts: [...rest, typed.slice(from)].map((text) => text.trim()).filter((text) => text !== ''), fields };
}

function fail(at: number, expected: string): never {
  throw new EventSearchError(`at character ${at + 1}: expected ${expected}`);
}

function readPath(path: string, at: number): string[] {
  const names: string[] = [];
  let position = 0;
  do {
    NAME.lastIndex = position;
    const found = NAME.exec(path);
    if (!found) fail(at + position, 'the name of a field, such as payload.customer.id');
    names.push(found[1] === undefined ? found[0] : unquoted(found[1], at + position));
    position = NAME.lastIndex;
    if (position < path.length && path[position] !== '.') fail(at + position, '. or =');
    position += 1;
  } while (position <= path.length);
  if (names.filter(isIndex).length > MOST_INDEXES) fail(at, `at most ${MOST_INDEXES} numbers in a path`);
  return names;
}

function readHeader(path: string, at: number): string {
  const name = path.startsWith('"') && path.endsWith('"') && path.length > 1 ? unquoted(path, at) : path;
  if (name === '') fail(at, 'the name of a header, such as headers.x-github-event');
  return name.toLowerCase();
}

function readValue(typed: string, at: number): { value: string | null; isText: boolean; end: number } {
  VALUE.lastIndex = at;
  const [, quoted, plain] = VALUE.exec(typed) ?? [];
  const end = VALUE.lastIndex;
  if (quoted !== undefined) return { value: unquoted(quoted, end - quoted.length), isText: true, end };
  if (plain === undefined) fail(at, 'a value after =, such as cust_4321, "two words", or * for any value');
  return { value: plain === '*' ? null : plain, isText: false, end };
}

/** A quoted name or value, with the escapes of JSON. */
function unquoted(text: string, at: number): string {
  let value = '';
  try {
    value = JSON.parse(text);
  } catch {
    fail(at, 'a text with the escapes of JSON');
  }
  if (value.includes('\0')) fail(at, 'no NUL character');
  return value;
}

/** Whether a name in a path may be the index of an array. */
export const isIndex = (name: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(name);

/** How a text is read, in words; empty for a text without conditions on fields. */
export function eventSearchWords({ texts, fields }: EventSearch): string[] {
  if (fields.length === 0) return [];
  return [
    ...fields.map(({ of, path, value, isText }) => {
      const name = `${of}.${path.join('.')}`;
      if (value === null) return `${name} has a value`;
      return `${name} is ${isText ? JSON.stringify(value) : value}`;
    }),
    ...texts.map((text) => `text ${JSON.stringify(text)}`),
  ];
}
