/** Search over all versions of a function: a line counts once, with the first and the last version that has it. */

import { SEARCH_HITS_PER_FUNCTION } from '../../contract/limits.ts';
import type { FoundFunction, HistoryHit } from './messages.ts';
import type { Found } from './scan.ts';

/** So many lines of one version are told apart. */
const MOST_LINES = 500;

export function historyOf(
  versions: readonly [version: number, code: number][],
  scan: (code: number, most: number) => Found,
): Pick<FoundFunction, 'hit_count' | 'hits' | 'first_version' | 'last_version'> {
  const lines = new Map<string, HistoryHit & { first_version: number; last_version: number }>();
  const scanned = new Map<number, Found>();
  // The newest has the say where a line stands.
  for (const [version, code] of versions.toReversed()) {
    const found = scanned.get(code) ?? scan(code, MOST_LINES);
    scanned.set(code, found);
    for (const hit of found.hits) {
      const key = `${hit.path}\n${hit.text}`;
      const known = lines.get(key);
      if (known) known.first_version = version;
      else lines.set(key, { ...hit, first_version: version, last_version: version });
    }
  }
  const all = [...lines.values()];
  if (all.length === 0) return { hit_count: 0, hits: [] };
  return {
    hit_count: all.length,
    hits: all.slice(0, SEARCH_HITS_PER_FUNCTION),
    first_version: Math.min(...all.map((hit) => hit.first_version)),
    last_version: Math.max(...all.map((hit) => hit.last_version)),
  };
}
