import { randomFillSync } from 'node:crypto';
import { ChurnMap } from '../../lib/churn-map.ts';

/** Whose run it is that calls. */
export type RunCaller = { account_id: string; function_id: string; run_id: string };

/**
 * What runs call the gateway with. A token is made when a run starts and forgotten when it is over. Both happen on the
 * node that the run's process belongs to, which is also the only one that the process can reach, so memory will do.
 */
export type RunTokens = {
  open(run: RunCaller): { token: string; close(): void };
  find(token: string): RunCaller | undefined;
};

const SECRET_BYTES = 32;
/** Asking for randomness costs more than the randomness: it is fetched for many tokens at a time, and used once. */
const pool = Buffer.alloc(SECRET_BYTES * 64);
let used = pool.length;

function secret(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += SECRET_BYTES;
  return pool.toString('base64url', used - SECRET_BYTES, used);
}

export function createRunTokens(): RunTokens {
  const runs = new ChurnMap<string, RunCaller>();
  return {
    open(run) {
      const token = `slr_${secret()}`;
      runs.set(token, run);
      return { token, close: () => runs.delete(token) };
    },
    find: (token) => runs.get(token),
  };
}
