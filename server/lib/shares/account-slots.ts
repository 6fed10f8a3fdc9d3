import { shareUsed } from './shares.ts';

/** Counts what is open per account. `T` identifies what is open, such as the function that ends it. */
export type AccountSlots<T> = {
  /** Takes a slot; returns the function that frees it. Throws 429 at the account's limit. */
  take(account_id: string, open: T): () => void;
  /** All that is open. */
  all(): T[];
};

/** `what` names the slots in the error: "open event streams". */
export function createAccountSlots<T>(most: number, what: string, retryAfterSeconds: number): AccountSlots<T> {
  const accounts = new Map<string, Set<{ open: T }>>();
  return {
    take(account_id, open) {
      const mine = accounts.get(account_id) ?? new Set();
      if (mine.size >= most)
        throw shareUsed(`The account's share is used up: at most ${most} ${what}.`, retryAfterSeconds);
      const slot = { open };
      accounts.set(account_id, mine.add(slot));
      return () => {
        mine.delete(slot);
        if (mine.size === 0 && accounts.get(account_id) === mine) accounts.delete(account_id);
      };
    },
    all: () => [...accounts.values()].flatMap((mine) => [...mine].map(({ open }) => open)),
  };
}
