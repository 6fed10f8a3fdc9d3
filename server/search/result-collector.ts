/** What the threads have found of one search, as one answer: the best of it, in the order of the functions. */
import type { FoundFunction } from './messages.ts';
import type { Progress } from './progress.ts';

/** `isWhole`: nothing was left out for want of time, memory or a thread. */
export type Answer = { found: FoundFunction[]; truncated: boolean; isWhole: boolean };
export type ResultCollector = {
  add(more: FoundFunction[]): void;
  best(): FoundFunction[];
  answer(isWhole: boolean): Answer;
};

export function createResultCollector(limit: number, progress: Progress): ResultCollector {
  const found: FoundFunction[] = [];

  function all() {
    const last = progress.lastPlace();
    return found.filter(({ place }) => place <= last).sort(byPlace);
  }

  return {
    add(more) {
      found.push(...more);
      if (found.length <= limit) return;
      found.sort(byPlace);
      found.length = limit + 1;
      // Nothing after the last one of these has to be searched.
      progress.endAt(found[limit]?.place ?? 0);
    },
    best: () => all().slice(0, limit),
    answer(isWhole) {
      const known = all();
      return { found: known.slice(0, limit), truncated: !isWhole || known.length > limit, isWhole };
    },
  };
}

const byPlace = (a: FoundFunction, b: FoundFunction) => a.place - b.place;
