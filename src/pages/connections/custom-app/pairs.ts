/** Text of one pair per line, `name: value` or `name=value`. */

export type Pairs = Record<string, string>;

const LINE = /^\s*([^\s:=]+)\s*[:=]\s*(.*?)\s*$/;

/** The pairs of a text. Invalid lines are skipped and reported by `pairsProblem`. */
export function pairsOf(text: string): Pairs {
  const pairs = linesOf(text).flatMap(({ line }) => {
    const [, name, value] = LINE.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

export const textOf = (pairs: Pairs | undefined): string =>
  Object.entries(pairs ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** The first invalid line or repeated name. */
export function pairsProblem(text: string, example: string): string | undefined {
  const seen = new Set<string>();
  for (const { line, number } of linesOf(text)) {
    const [, name] = LINE.exec(line) ?? [];
    if (name === undefined) return `Line ${number}: expected a name, a colon and a value, such as ${example}`;
    if (seen.has(name.toLowerCase())) return `Line ${number}: ${name} is listed already.`;
    seen.add(name.toLowerCase());
  }
  return undefined;
}

export const linesOf = (text: string): { line: string; number: number }[] =>
  text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');

/** Splits at spaces, commas and line ends: pasted lists use any of them. */
export const wordsOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))];
