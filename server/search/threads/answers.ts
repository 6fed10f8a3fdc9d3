/**
 * Answers given recently. Who asks the same again, goes back to it, or opens it in another tab, gets it without a search,
 * as long as nothing was changed that could be found. The owners of the functions are looked up again each time.
 */

import type { SearchOrder } from '../messages.ts';
import type { Answer } from '../result-collector.ts';

export type Answers = {
  get(order: SearchOrder): Answer | undefined;
  /** Keeps it, if nothing was left out for want of time. */
  put(order: SearchOrder, answer: Answer): void;
  /** Something changed. */
  clear(): void;
};

const MOST_CHARS = 8_000_000;
/** What a function costs beside its lines. */
const FUNCTION_CHARS = 300;

export function createAnswers(mostChars = MOST_CHARS): Answers {
  const known = new Map<string, { answer: Answer; chars: number }>();
  let chars = 0;

  return {
    get(order) {
      const key = JSON.stringify(order);
      const found = known.get(key);
      if (!found) return undefined;
      // Moves it to the end: the least recently used is evicted first.
      known.delete(key);
      known.set(key, found);
      return found.answer;
    },
    put(order, answer) {
      if (!answer.isWhole) return;
      const key = JSON.stringify(order);
      const size = answer.found.reduce((sum, { hits }) => sum + FUNCTION_CHARS + hits.length, key.length);
      if (size > mostChars) return;
      chars += size - (known.get(key)?.chars ?? 0);
      known.delete(key);
      known.set(key, { answer, chars: size });
      for (const [oldest, { chars: freed }] of known) {
        if (chars <= mostChars) break;
        known.delete(oldest);
        chars -= freed;
      }
    },
    clear() {
      known.clear();
      chars = 0;
    },
  };
}
