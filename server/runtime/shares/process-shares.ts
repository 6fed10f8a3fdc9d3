/**
 * Admits runs to processes. An account may keep `perAccount` processes busy, and never more than three times the number
 * that is free: alone it can use most of them, and the more accounts keep processes busy, the more of them stay free
 * for others.
 */
import type { Shares } from '../../lib/shares/shares.ts';
import { AtCapacity, ShareUsed } from '../at-capacity.ts';
import type { Language } from '../languages/language.ts';

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

type Run = { account_id: string; language: Language };

/** Admits runs to the processes of all languages, and to those of their language if it has a lower limit. */
export function createAdmission({ processes, accountProcesses }: Pick<Shares, 'processes' | 'accountProcesses'>) {
  const ofAll = createProcessShares(processes, accountProcesses, 'function processes');
  const ofLanguage = new Map<Language, ProcessShares>();
  const sharesOf = (language: Language): ProcessShares[] => {
    const most = language.limits.processes(processes);
    if (most >= processes) return [ofAll];
    const perAccount = Math.max(1, Math.floor((most * accountProcesses) / processes));
    const own =
      ofLanguage.get(language) ?? createProcessShares(most, perAccount, `${language.name} function processes`);
    ofLanguage.set(language, own);
    return [ofAll, own];
  };
  return {
    /** Counts a process that becomes busy. Throws AtCapacity or ShareUsed. */
    enter({ language, account_id }: Run): void {
      const [first, second] = sharesOf(language);
      first?.enter(account_id);
      try {
        second?.enter(account_id);
      } catch (error) {
        first?.leave(account_id);
        throw error;
      }
    },
    leave({ language, account_id }: Run): void {
      for (const shares of sharesOf(language)) shares.leave(account_id);
    },
  };
}
