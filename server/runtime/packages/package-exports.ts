/**
 * Resolves a package's "exports" or "imports" (Node's documentation: Packages, and the resolution algorithm of
 * ECMAScript modules). The maps are untrusted, so a pattern is compared, not converted to a regular expression.
 */

const DEPTH_MAX = 20;

/** Returns a path in the package without "./", or a bare specifier (for "imports" only); undefined without a match. */
export function matchEntry(map: unknown, key: string, conditions: ReadonlySet<string>): string | undefined {
  const entries = entriesOf(map);
  const exact = entries.get(key);
  if (exact !== undefined && !key.includes('*')) return targetOf(exact, '', conditions, DEPTH_MAX);
  let best: { pattern: string; middle: string } | undefined;
  for (const pattern of entries.keys()) {
    const middle = middleOf(pattern, key);
    if (middle !== undefined && (!best || isCloser(pattern, best.pattern))) best = { pattern, middle };
  }
  return best && targetOf(entries.get(best.pattern), best.middle, conditions, DEPTH_MAX);
}

/** Normalizes a map: a package may export one target without a key. */
function entriesOf(map: unknown): Map<string, unknown> {
  const isMap = typeof map === 'object' && map !== null && !Array.isArray(map);
  const keys = isMap ? Object.keys(map) : [];
  return isMap && keys.every((key) => /^[.#]/.test(key)) ? new Map(Object.entries(map)) : new Map([['.', map]]);
}

function middleOf(pattern: string, key: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0 || pattern.includes('*', star + 1)) return undefined;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  if (key.length <= before.length + after.length || !key.startsWith(before) || !key.endsWith(after)) return undefined;
  return key.slice(before.length, key.length - after.length);
}

function isCloser(a: string, b: string): boolean {
  const before = a.indexOf('*') - b.indexOf('*');
  return before === 0 ? a.length > b.length : before > 0;
}

function targetOf(target: unknown, middle: string, conditions: ReadonlySet<string>, depth: number): string | undefined {
  if (typeof target === 'string') return fileOf(target.replaceAll('*', () => middle));
  if (typeof target !== 'object' || target === null || depth === 0) return undefined;
  for (const [name, each] of Object.entries(target)) {
    if (!Array.isArray(target) && name !== 'default' && !conditions.has(name)) continue;
    const found = targetOf(each, middle, conditions, depth - 1);
    // "null" ends the search: the package excludes these conditions.
    if (found !== undefined || each === null) return found;
  }
  return undefined;
}

/** A target must be within the package. */
function fileOf(target: string): string | undefined {
  if (!target.startsWith('./')) return /^[./]/.test(target) ? undefined : `#${target}`;
  const rest = target.slice(2);
  return rest.split('/').some((part) => part === '..' || part === 'node_modules') ? undefined : rest;
}
