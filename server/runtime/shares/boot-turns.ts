/**
 * Processes of one account start a few at a time, in order of arrival: a hundred at once would take all CPU time, and
 * the service would wait for each fork.
 */
export type BootTurns = {
  /** Takes a turn; undefined if it is free now. Otherwise resolves in the account's turn. */
  take(account_id: string): Promise<void> | undefined;
  /** Ends a turn. */
  end(account_id: string): void;
};

/** `atOnce`: turns of one account at a time. */
export function createBootTurns(atOnce: number): BootTurns {
  const accounts = new Map<string, { booting: number; waiting: (() => void)[] }>();
  return {
    take(account_id) {
      const mine = accounts.get(account_id) ?? { booting: 0, waiting: [] };
      accounts.set(account_id, mine);
      if (mine.booting >= atOnce) return new Promise((start) => mine.waiting.push(start));
      mine.booting += 1;
      return undefined;
    },
    end(account_id) {
      const mine = accounts.get(account_id);
      if (!mine) return;
      const next = mine.waiting.shift();
      // The turn passes on.
      if (next) return next();
      mine.booting -= 1;
      if (mine.booting === 0) accounts.delete(account_id);
    },
  };
}
