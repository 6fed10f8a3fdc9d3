/**
 * JSON with numbers beyond double precision, such as an id of twenty digits or 1e400. `JSON.parse` rounds them without
 * an error. `parseExactly` preserves such a number as text, which `JSON.stringify` writes unchanged. All others are
 * plain numbers. Browsers without `JSON.rawJSON` round, as JSON.parse does.
 */

type Source = { source: string };
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver?: (key: string, value: unknown, of: Source) => unknown): unknown;
  rawJSON?: (text: string) => object;
};

/** A number beyond double precision. Not a plain object: schemas, query caches and walks treat it as one value. */
export class LongNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): unknown {
    return rawJSON?.(this.#text);
  }

  toString(): string {
    return this.#text;
  }
}

/** Cheap test: matches every text with such a number, and few others. */
const SUSPECT = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]{1,15}[eE])/;

export function parseExactly(text: string): unknown {
  if (!rawJSON || !SUSPECT.test(text)) return parse(text);
  return parse(text, (_, value, of) =>
    typeof value === 'number' && amountOf(of.source) !== amountOf(String(value)) ? new LongNumber(of.source) : value,
  );
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber);

/** Parses a text that is a JSON object; undefined for any other text. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseExactly(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export type AnyNumber = number | LongNumber;
export const isNumber = (value: unknown): value is AnyNumber =>
  typeof value === 'number' || value instanceof LongNumber;

/** Compares two numbers: negative if `a` is less than `b`, positive if it is greater, zero if they are equal. */
export function orderOf(a: AnyNumber, b: AnyNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [partsOf(String(a)), partsOf(String(b))];
  if (one.sign !== other.sign) return one.sign - other.sign;
  const [size, otherSize] = [one.digits.length + one.power, other.digits.length + other.power];
  if (size !== otherSize) return size > otherSize ? one.sign : -one.sign;
  return one.digits === other.digits ? 0 : one.digits > other.digits ? one.sign : -one.sign;
}

function amountOf(text: string): string {
  const { sign, digits, power } = partsOf(text);
  return sign === 0 ? '0' : `${sign}.${digits}e${power}`;
}

/**
 * A number's digits without zeros around them, and the power of ten of the last one: the same for 1.50, 15e-1 and 1.5.
 * The sign of zero is 0.
 */
function partsOf(text: string): { sign: -1 | 0 | 1; digits: string; power: number } {
  const [, minus = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const sign = end === 0 ? 0 : minus === '' ? 1 : -1;
  return { sign, digits: digits.slice(0, end), power: Number(power) - fraction.length + digits.length - end };
}
