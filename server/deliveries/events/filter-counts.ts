import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from '../../../contract/operations.ts';

export type FilterCount = Reply<'savedFilterCounts'>['counts'][number];

export type FilterCounts = {
  /** The result of a count that begins after this call. */
  read(account_id: string, count: () => Promise<FilterCount[]>): Promise<FilterCount[]>;
  /** The next count of the account begins at once. */
  drop(account_id: string): void;
};

const EVERY_MS = 3_000;
const ACCOUNTS_MAX = 1_000;

/**
 * Limits the counts of each account to one in 3 seconds. Calls meanwhile share the next one, so none returns a count
 * from before its change.
 */
export function createFilterCounts(): FilterCounts {
  const begun = new Map<string, number>();
  const next = new Map<string, Promise<FilterCount[]>>();
  return {
    read(account_id, count) {
      const shared = next.get(account_id);
      if (shared) return shared;
      const waitMs = Math.max(0, (begun.get(account_id) ?? Number.NEGATIVE_INFINITY) + EVERY_MS - performance.now());
      const begin = () => {
        next.delete(account_id);
        if (begun.size >= ACCOUNTS_MAX) begun.clear();
        begun.set(account_id, performance.now());
        return count();
      };
      const counted = (waitMs > 0 ? wait(waitMs, undefined, { ref: false }) : Promise.resolve()).then(begin);
      next.set(account_id, counted);
      return counted;
    },
    drop: (account_id) => void begun.delete(account_id),
  };
}
