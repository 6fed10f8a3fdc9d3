/**
 * Folds copies in the results of a search: of the matching functions whose live versions have the same likeness, only
 * the original is returned, with a list of the others. The group has the place of its best function in the ranking, so
 * each thread can decide alone whether a group is its own: it is when no function of the group before that place
 * matches. All threads have the same functions and documents.
 */
import { SEARCH_COPIES_MAX } from '../../../contract/limits.ts';
import { type Catalogue, isWithin, versionsFor } from '../catalogue.ts';
import type { Documents } from '../documents.ts';
import type { Likeness } from '../index/packed-code.ts';
import type { FoundCopies, ThreadOrder } from '../messages.ts';
import type { FunctionRow } from '../table/function-rows.ts';

/** Whether a function matches the query, in steps. */
type Matches = (entry: FunctionRow) => Generator<undefined, boolean>;
type Member = { entry: FunctionRow; place: number };

export type Folding = {
  /** Whether the group of this function has been decided. */
  isDone(entry: FunctionRow): boolean;
  /**
   * The original and its copies, for the first function of a group that was found; undefined when a better place has the
   * group. A function without likeness is a group.
   */
  groupOf(entry: FunctionRow): Generator<undefined, { original: FunctionRow; copies?: FoundCopies } | undefined>;
};

/** `placeOf`: the place of a function in the order of this search; -1 when it is not part of it. */
export function createFolding(
  { catalogue, codes }: { catalogue: Catalogue; codes: Documents },
  order: ThreadOrder,
  placeOf: (entry: FunctionRow) => number,
  matches: Matches,
): Folding {
  const done = new Set<string>();
  const { account_id } = order.scope;

  /** The functions of this search with this likeness, in its order. Those that changed since it began are left out. */
  function membersOf(likeness: Likeness): Member[] {
    const entries = codes.alike(likeness).flatMap((code) => catalogue.serving(code));
    return entries
      .filter(
        (entry) => isWithin(catalogue.rows, entry.slot, order.within) && entry.runtime.startsWith(order.runtime ?? ''),
      )
      .map((entry) => ({ entry, place: placeOf(entry) }))
      .filter(({ place }) => place >= 0)
      .sort((a, b) => a.place - b.place);
  }

  /** When the account can first have read this code in the function. */
  function sinceMs(entry: FunctionRow, key: string): number {
    const times = versionsFor(entry, account_id).flatMap(([, code, created_ms]) =>
      created_ms !== undefined && keyOf(codes.likeness(code)) === key ? [created_ms] : [],
    );
    return Math.min(...times);
  }

  return {
    isDone: (entry) => done.size > 0 && done.has(keyOf(codes.likeness(entry.code))),
    *groupOf(entry) {
      const likeness = codes.likeness(entry.code);
      if (!likeness) return { original: entry };
      const key = keyOf(likeness);
      done.add(key);
      const place = placeOf(entry);
      const members = membersOf(likeness);
      for (const before of members) {
        if (before.place >= place) break;
        if (yield* matches(before.entry)) return undefined;
      }
      const byAge = members
        .filter((each) => each.place >= place)
        .map((each) => ({ entry: each.entry, ms: sinceMs(each.entry, key) }))
        .sort((a, b) => a.ms - b.ms || (a.entry.function_id < b.entry.function_id ? -1 : 1));
      const matching: FunctionRow[] = [];
      for (const each of byAge) {
        if (matching.length > SEARCH_COPIES_MAX + 1) break;
        if (each.entry.slot === entry.slot || (yield* matches(each.entry))) matching.push(each.entry);
      }
      const [original = entry, ...others] = matching;
      if (others.length === 0) return { original };
      const functions = others
        .slice(0, SEARCH_COPIES_MAX)
        .map(({ function_id, version }) => ({ function_id, version }));
      return { original, copies: { likeness: key, functions, isMore: others.length > functions.length } };
    },
  };
}

const keyOf = (likeness: Likeness | undefined): string => likeness?.join() ?? '';
