/**
 * Limits the concurrent runs of each function in this process, its transformations apart from its other runs, and those
 * of each account to its share. Waits for their records at shutdown.
 */
import { RUNS_AT_ONCE, TRANSFORMS_AT_ONCE } from '../../../contract/limits.ts';
import { Failure } from '../../lib/failure.ts';
import { createAccountSlots } from '../../lib/shares/account-slots.ts';

export type FunctionConcurrency = {
  /** Acquires a slot of a function and of its account, or fails with 429. */
  acquireSlot(fn: { account_id: string; function_id: string }, isTransform?: boolean): Slot;
  /** Resolves when every call of this process is recorded: for shutdown, after the runtime has closed. */
  settled(): Promise<void>;
};

export type Slot = {
  /** Releases the slot. */
  release(): void;
  /** The run is recorded completely. */
  close(): void;
};

/** `perAccount`: concurrent runs of one account. */
export function createFunctionConcurrency(perAccount: number): FunctionConcurrency {
  const slots = createAccountSlots<null>(perAccount, 'runs in progress', 1);
  const counts = new Map<string, number>();
  /** Calls that are not recorded completely. */
  let open = 0;
  const waiting: (() => void)[] = [];
  return {
    async settled() {
      if (open > 0) await new Promise<void>((settled) => waiting.push(settled));
    },
    acquireSlot({ account_id, function_id }, isTransform = false) {
      const max = isTransform ? TRANSFORMS_AT_ONCE : RUNS_AT_ONCE;
      const counted = isTransform ? `transform ${function_id}` : function_id;
      const count = counts.get(counted) ?? 0;
      if (count >= max) throw busy(429, `This function has ${max} runs in progress; try again shortly.`);
      const free = slots.take(account_id, null);
      counts.set(counted, count + 1);
      open += 1;
      let left = false;
      let closed = false;
      const release = () => {
        if (left) return;
        left = true;
        free();
        const others = (counts.get(counted) ?? 1) - 1;
        if (others === 0) counts.delete(counted);
        else counts.set(counted, others);
      };
      return {
        release,
        close() {
          release();
          if (closed) return;
          closed = true;
          open -= 1;
          if (open === 0) for (const settled of waiting.splice(0)) settled();
        },
      };
    },
  };
}

/** Too many calls in progress: the caller may retry. */
export const busy = (status: 429 | 503, message: string) =>
  new Failure(status, message, { headers: { 'Retry-After': '1' } });
