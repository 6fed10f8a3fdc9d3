/** How much of each function is going on in this process: twenty runs at once at most, and all of them recorded before it ends. */
import { RUNS_AT_ONCE } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import type { Db } from '../store/schema.ts';

/** Places taken, by function, and calls whose record is still to be ended. */
type Going = { counts: Map<string, number>; open: Set<Promise<void>> };
/** By database, as each service of a process has its own. */
const goings = new WeakMap<Db, Going>();

function goingOn(db: Db): Going {
  const going = goings.get(db) ?? { counts: new Map<string, number>(), open: new Set<Promise<void>>() };
  goings.set(db, going);
  return going;
}

/** Resolves when every call of this process is recorded to its end: for shutdown, after the runtime has closed. */
export async function settleCalls(db: Db): Promise<void> {
  await Promise.all(goingOn(db).open);
}

export type Place = {
  /** Gives the place back. */
  leave(): void;
  /** There is nothing more to record. */
  close(): void;
};

/** Takes one of a function's places, or fails with 429. */
export function enter(db: Db, function_id: string): Place {
  const { counts, open } = goingOn(db);
  const count = counts.get(function_id) ?? 0;
  if (count >= RUNS_AT_ONCE) throw busy(429, `This function has ${RUNS_AT_ONCE} runs going on; try again shortly.`);
  counts.set(function_id, count + 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  open.add(promise);
  let left = false;
  const leave = () => {
    if (left) return;
    left = true;
    const others = (counts.get(function_id) ?? 1) - 1;
    if (others === 0) counts.delete(function_id);
    else counts.set(function_id, others);
  };
  return {
    leave,
    close() {
      leave();
      open.delete(promise);
      resolve();
    },
  };
}

/** Too much going on just now: the caller may come back. */
export const busy = (status: 429 | 503, message: string) =>
  new Failure(status, message, { headers: { 'Retry-After': '1' } });
