import { randomFillSync } from 'node:crypto';
import { ChurnMap } from '../../lib/churn-map.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';
import type { Trace } from '../../platform/tracing/trace.ts';

/** The run that calls the gateway. `fn` has the connections that the function was granted when the run began. */
export type RunCaller = {
  account_id: string;
  function_id: string;
  run_id: string;
  /** The trace that calls without a trace context continue. */
  trace?: Trace | undefined;
  fn: Pick<FunctionsTable, 'name' | 'gateway_policy' | 'gateway_grants'>;
  /** Its calls are refused and reported here, as it is a run of a shadow. */
  onBlocked?: ((app: string) => void) | undefined;
};

/**
 * The tokens with which runs call the gateway. A token exists from the start of a run to its end, on the node of the
 * run's process. The process can connect to that node only, so tokens are kept in memory.
 */
export type RunTokens = {
  open(run: RunCaller): { token: string; close(): void };
  find(token: string): RunCaller | undefined;
};

const SECRET_BYTES = 32;
/** A call for random bytes costs more than the bytes: they are fetched for many tokens at a time, and used once. */
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
