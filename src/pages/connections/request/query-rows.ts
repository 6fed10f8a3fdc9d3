/**
 * The query of a URL as rows of names and values. The URL is the source of truth: untouched rows keep their exact
 * bytes, changed rows are encoded again.
 */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Decodes a segment; an invalid escape is left as written. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Encodes what a URL requires; characters that APIs commonly leave readable are kept. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(?:2C|2F|3A|40)/g, decodeURIComponent);
}

function split(path: string): { before: string; segments: readonly string[] } {
  const mark = path.indexOf('?');
  if (mark < 0) return { before: path, segments: [] };
  const query = path.slice(mark + 1);
  return { before: path.slice(0, mark), segments: query === '' ? [] : query.split('&') };
}

const joined = (before: string, segments: readonly string[]): string =>
  segments.length === 0 ? before : `${before}?${segments.join('&')}`;

function pairOf(segment: string): Pair {
  const equals = segment.indexOf('=');
  if (equals < 0) return { name: decoded(segment), value: '' };
  return { name: decoded(segment.slice(0, equals)), value: decoded(segment.slice(equals + 1)) };
}

/** `/items?a=1&b=x%20y` → a: 1, b: x y. */
export function queryRows(path: string): readonly Pair[] {
  return split(path).segments.map(pairOf);
}

/** The URL with one row changed; an index after the last row adds a row. */
export function withQueryRow(path: string, index: number, { name, value }: Pair): string {
  const { before, segments } = split(path);
  const segment =
    value === '' && !segments[index]?.includes('=') ? encoded(name) : `${encoded(name)}=${encoded(value)}`;
  return joined(
    before,
    index < segments.length ? segments.map((each, at) => (at === index ? segment : each)) : [...segments, segment],
  );
}

export function withoutQueryRow(path: string, index: number): string {
  const { before, segments } = split(path);
  return joined(
    before,
    segments.filter((_, at) => at !== index),
  );
}
