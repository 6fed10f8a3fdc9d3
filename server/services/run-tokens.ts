import { newToken } from '../lib/tokens.ts';

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

export function createRunTokens(): RunTokens {
  const runs = new Map<string, RunCaller>();
  return {
    open(run) {
      const token = `slr_${newToken()}`;
      runs.set(token, run);
      return { token, close: () => runs.delete(token) };
    },
    find: (token) => runs.get(token),
  };
}
