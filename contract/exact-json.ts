/**
 * Numbers that no double holds: an id of twenty digits, 1e400. `JSON.parse` rounds them without a word. Here such a
 * number is kept as its text, which `JSON.stringify` writes as it stood; all others are numbers as ever. `keep` may wrap
 * it otherwise, as the console does.
 */

type Source = { source: string };
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver?: (key: string, value: unknown, of: Source) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** Where such a number may stand; hardly any other text has it. */
const SUSPECT = /(?:^|[\s:,[])-?(?:[\d.]{17}|[\d.]{1,16}[eE])/;

export function parseExactly(text: string, keep: (source: string) => unknown = rawJSON): unknown {
  if (!SUSPECT.test(text)) return parse(text);
  return parse(text, (_, value, of) =>
    typeof value === 'number' && amountOf(of.source) !== amountOf(String(value)) ? keep(of.source) : value,
  );
}

/** What stands for a number that was kept as its text. */
export const isLongNumber = (value: unknown): boolean => isRawJSON(value);

/** A number's digits without zeros around them, and the power of ten of the last one: the same for 1.50, 15e-1 and 1.5. */
function amountOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const last = Number(power) - fraction.length + digits.length - end;
  return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${last}`;
}
