/**
 * Admits runs to processes. An account may keep `perAccount` processes busy, and never more than three times the number
 * that is free: alone it can use most of them, and the more accounts keep processes busy, the more of them stay free
 * for others.
 */
import { AtCapacity, ShareUsed } from '../at-capacity.ts';

const TIMES_FREE = 3;

export type ProcessShares = {
  /** Counts a process of the account as busy. Throws ShareUsed, or AtCapacity if none is free. */
  enter(account_id: string): void;
  leave(account_id: string): void;
};

/** `total`: the processes of all accounts. `what` names them in errors. */
export function createProcessShares(total: number, perAccount: number, what: string): ProcessShares {
  const busy = new Map<string, number>();
  let all = 0;
  return {
    enter(account_id) {
      const own = busy.get(account_id) ?? 0;
      const free = total - all;
      if (free <= 0 && own === 0) throw new AtCapacity(`All ${total} ${what} are busy`);
      const most = Math.min(perAccount, TIMES_FREE * free);
      if (own >= most)
        throw new ShareUsed(
          `The account's share is used up: ${own} of ${total} ${what} are busy with its runs, and ${
            own >= perAccount ? `an account may use ${perAccount}` : 'the others are for other accounts'
          }`,
        );
      busy.set(account_id, own + 1);
      all += 1;
    },
    leave(account_id) {
      const own = (busy.get(account_id) ?? 1) - 1;
      if (own === 0) busy.delete(account_id);
      else busy.set(account_id, own);
      all -= 1;
    },
  };
}
