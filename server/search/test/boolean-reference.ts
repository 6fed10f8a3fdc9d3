/**
 * Evaluates a boolean query over the lines that each of its terms finds. A reference: it implements each operator itself
 * and shares no code with the searcher.
 */

export type AskedTerm = { kind: 'literal' | 'regex' | 'word'; text: string };
/** A query: of the filters only `path:` with a part of the path. */
export type Asked =
  | AskedTerm
  | { kind: 'filter'; value: string }
  | { kind: 'and' | 'or'; parts: Asked[] }
  | { kind: 'not'; part: Asked };

/** As it is typed, with parentheses around each group. */
export function typedOf(asked: Asked): string {
  const inGroup = (part: Asked) => ('parts' in part ? `(${typedOf(part)})` : typedOf(part));
  if ('parts' in asked) return asked.parts.map(inGroup).join(asked.kind === 'and' ? ' AND ' : ' OR ');
  if (asked.kind === 'not') return `NOT ${inGroup(asked.part)}`;
  if ('value' in asked) return `path:${asked.value}`;
  if (asked.kind === 'regex') return `/${asked.text}/`;
  return asked.kind === 'literal' ? `"${asked.text}"` : asked.text;
}

export function termsOf(asked: Asked): AskedTerm[] {
  if ('parts' in asked) return asked.parts.flatMap(termsOf);
  if ('part' in asked) return termsOf(asked.part);
  return 'text' in asked ? [asked] : [];
}

const isPath = (asked: Asked): boolean => {
  if ('part' in asked) return isPath(asked.part);
  return asked.kind === 'filter' || ('parts' in asked && asked.parts.every(isPath));
};

function passes(asked: Asked, path: string): boolean {
  if (asked.kind === 'and') return asked.parts.every((part) => passes(part, path));
  if (asked.kind === 'or') return asked.parts.some((part) => passes(part, path));
  if (asked.kind === 'not') return !passes(asked.part, path);
  return asked.kind === 'filter' && path.toLowerCase().includes(asked.value.toLowerCase());
}

/**
 * The lines found in a function, as path:line in the order of `paths`; undefined when it does not match. `linesOf` are
 * those of a term in all paths.
 */
export function reference(asked: Asked, paths: string[], linesOf: (term: AskedTerm) => string[]): string[] | undefined {
  const pathOf = (line: string) => line.replace(/:\d+$/, '');
  const evaluate = (node: Asked, within: string[]): string[] | undefined => {
    if (isPath(node)) return within.some((path) => passes(node, path)) ? [] : undefined;
    if (node.kind === 'not') return evaluate(node.part, within) ? undefined : [];
    if (node.kind === 'or') {
      const found = node.parts.map((part) => evaluate(part, within));
      return found.every((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
    }
    if (node.kind === 'and') {
      const paths = within.filter((path) => node.parts.filter(isPath).every((part) => passes(part, path)));
      if (paths.length === 0) return undefined;
      const found = node.parts.filter((part) => !isPath(part)).map((part) => evaluate(part, paths));
      return found.includes(undefined) ? undefined : found.flatMap((each) => each ?? []);
    }
    const lines = 'text' in node ? linesOf(node).filter((line) => within.includes(pathOf(line))) : [];
    return lines.length > 0 ? lines : undefined;
  };
  const found = evaluate(asked, paths);
  const order = (line: string) => paths.indexOf(pathOf(line)) * 1e6 + Number(line.slice(line.lastIndexOf(':') + 1));
  return found && [...new Set(found)].sort((a, b) => order(a) - order(b));
}
