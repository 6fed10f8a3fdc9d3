/** Limits of requests per second: to one webhook URL, and to all URLs of an account. */
import type { RateLimit } from '../../lib/rate-limit.ts';
import type { Shares } from '../../lib/shares/shares.ts';
import type { MakeRateLimit } from '../../platform/cluster/rate-limits.ts';
import type { Hook } from './hooks.ts';

export type HookRates = { url: RateLimit; account: RateLimit };

/** Two seconds' worth may arrive at once. */
const BURST_SECONDS = 2;

export const createHookRates = (rateLimit: MakeRateLimit, { hookRate, accountHookRate }: Shares): HookRates => ({
  url: rateLimit('hook', { perSecond: hookRate, burst: BURST_SECONDS * hookRate }),
  account: rateLimit('hooks', { perSecond: accountHookRate, burst: BURST_SECONDS * accountHookRate }),
});

/** Counts a request; returns why it exceeds a limit, if it does. Requests beyond one limit count towards no other. */
export async function overRate(
  { url, account }: HookRates,
  { account_id, trigger_id }: Hook,
): Promise<string | undefined> {
  if (!(await url.take(trigger_id)).allowed) return `This URL takes ${url.perSecond} requests per second.`;
  if ((await account.take(account_id)).allowed) return undefined;
  url.giveBack(trigger_id);
  return `The URLs of this account take ${account.perSecond} requests per second together.`;
}
