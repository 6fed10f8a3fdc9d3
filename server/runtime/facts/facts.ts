/** What is read from the code of a version for search and navigation: its symbols, and what it uses. */
import type { SymbolKind } from '../../../contract/states.ts';

export type FactPlace = { path: string; line: number };
/** A definition. `container`: the class, function or namespace around it. Lines count from 1, and are inclusive. */
export type CodeSymbol = FactPlace & {
  name: string;
  kind: SymbolKind;
  end_line: number;
  container: string | null;
  exported: boolean;
};
/** `version`: of a package, as the lock file installs it. */
export type Use = { name: string; version: string | null; places: FactPlace[] };

/**
 * `unread`: files that the parser does not understand. `isWhole`: false when there is more than the limits allow.
 */
export type Facts = {
  symbols: CodeSymbol[];
  imports: Use[];
  hosts: Use[];
  env: Use[];
  unread: string[];
  isWhole: boolean;
};

export const MOST_SYMBOLS = 5_000;
export const MOST_USES = 200;
/** Places per package, host or variable. */
export const MOST_PLACES = 20;
const NAME_CHARS = 200;

/** Whether a name is stored: longer ones are data, not names. */
export const isNamed = (name: string): boolean => name.length > 0 && name.length <= NAME_CHARS;

/** Collects uses by name: each with its first places, sorted by name. */
export function createUses(versionOf: (name: string) => string | null = () => null) {
  const uses = new Map<string, Use>();
  let isWhole = true;
  return {
    add(name: string, place: FactPlace): void {
      const known = uses.get(name);
      if (!known && (uses.size >= MOST_USES || !isNamed(name))) {
        isWhole = false;
        return;
      }
      const use = known ?? { name, version: versionOf(name), places: [] };
      uses.set(name, use);
      const isKnown = use.places.some(({ path, line }) => path === place.path && line === place.line);
      if (!isKnown && use.places.length < MOST_PLACES) use.places.push({ path: place.path, line: place.line });
    },
    isWhole: () => isWhole,
    list: (): Use[] => [...uses.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
