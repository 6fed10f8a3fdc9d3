/** How much of each function is going on in this process: twenty runs at once at most, and all of them recorded before it ends. */
import { RUNS_AT_ONCE } from '../../contract/limits.ts';
import { Failure } from '../lib/failure.ts';
import type { Db } from '../store/schema.ts';

/** Places taken, by function, how many calls' records are still to be ended, and who waits until none is. */
type Going = { counts: Map<string, number>; open: number; settled: (() => void)[] };
/** By database, as each service of a process has its own. */
const goings = new WeakMap<Db, Going>();

function goingOn(db: Db): Going {
  const going = goings.get(db) ?? { counts: new Map<string, number>(), open: 0, settled: [] };
  goings.set(db, going);
  return going;
}

/** Resolves when every call of this process is recorded to its end: for shutdown, after the runtime has closed. */
export async function settleCalls(db: Db): Promise<void> {
  const going = goingOn(db);
  if (going.open > 0) await new Promise<void>((settled) => going.settled.push(settled));
}

export type Place = {
  /** Gives the place back. */
  leave(): void;
  /** There is nothing more to record. */
  close(): void;
};

/** Takes one of a function's places, or fails with 429. */
export function enter(db: Db, function_id: string): Place {
  const going = goingOn(db);
  const { counts } = going;
  const count = counts.get(function_id) ?? 0;
  if (count >= RUNS_AT_ONCE) throw busy(429, `This function has ${RUNS_AT_ONCE} runs going on; try again shortly.`);
  counts.set(function_id, count + 1);
  going.open += 1;
  let left = false;
  let closed = false;
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
      if (closed) return;
      closed = true;
      going.open -= 1;
      if (going.open === 0) for (const settled of going.settled.splice(0)) settled();
    },
  };
}

/** Too much going on just now: the caller may come back. */
export const busy = (status: 429 | 503, message: string) =>
  new Failure(status, message, { headers: { 'Retry-After': '1' } });
