/** Memory for bodies that are being read, of all accounts; one account may use three quarters of it. */

/** Why no memory is left: for no account, or for this one. */
export type Shortage = 'busy' | 'share';

export type Budget = {
  /** Takes bytes, or returns why it can't. */
  take(bytes: number): Shortage | undefined;
  free(bytes: number): void;
};

const ACCOUNT_PART = 0.75;

export function createBodyBudget(totalBytes: number): { of(account_id: string): Budget } {
  const accounts = new Map<string, number>();
  let left = totalBytes;
  return {
    of: (account_id) => ({
      take(bytes) {
        const used = accounts.get(account_id) ?? 0;
        if (used > 0 && used + bytes > totalBytes * ACCOUNT_PART) return 'share';
        if (left < bytes) return 'busy';
        left -= bytes;
        accounts.set(account_id, used + bytes);
        return undefined;
      },
      free(bytes) {
        left += bytes;
        const used = (accounts.get(account_id) ?? 0) - bytes;
        if (used > 0) accounts.set(account_id, used);
        else accounts.delete(account_id);
      },
    }),
  };
}
