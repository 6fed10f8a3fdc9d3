/**
 * Group commit: items that arrive while earlier batches are in flight form the next batch. A single item starts at
 * once, unless it may wait for others (`gatherMs`); under load the batches grow.
 */
export type Batcher<I, O> = {
  /** Resolves with the result of the item when its batch is done. */
  add(item: I): Promise<O>;
  /** Removes an item whose batch has not started and rejects its promise; items in flight are unchanged. */
  withdraw(item: I): void;
  /** Number of waiting items. */
  waiting(): number;
  /** Total size of the waiting items. */
  waitingSize(): number;
  /** Resolves when nothing is waiting or in flight. */
  idle(): Promise<void>;
};

type Entry<I, O> = { item: I; size: number; done: (result: O) => void; failed: (error: unknown) => void };
type Limits<I> = { max: number; atOnce: number; gatherMs?: number; gatherAfter?: number } & (
  | { sizeOf: (item: I) => number; maxSize: number }
  | { sizeOf?: never; maxSize?: never }
);

/**
 * `work` returns one result per item, in order; a throw fails the items of that batch only. A batch has at most `max`
 * items and, beyond its first, at most `maxSize` in total. Items wait for others for at most `gatherMs`, and only if the
 * batch before had `gatherAfter` items or more: under load, a few large batches cost less than many small ones.
 */
export function createBatcher<I, O>(
  work: (items: I[]) => Promise<O[]>,
  { max, atOnce, gatherMs = 0, gatherAfter = 0, sizeOf = () => 0, maxSize = 0 }: Limits<I>,
): Batcher<I, O> {
  const entries: Entry<I, O>[] = [];
  let waitingSize = 0;
  let inFlight = 0;
  /** Number of items of the last batch. */
  let lastCount = 0;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;
  const idlers: (() => void)[] = [];

  const mayStart = () => inFlight < atOnce;
  /** A caller of `idle` ends the gathering. */
  const isGathering = () => gathering !== undefined && entries.length < max && idlers.length === 0;

  function gathered() {
    gathering = undefined;
    pump();
  }

  function pump() {
    scheduled = false;
    while (mayStart() && entries.length > 0 && !isGathering()) {
      const batch = entries.splice(0, countOfNext());
      for (const { size } of batch) waitingSize -= size;
      lastCount = batch.length;
      inFlight++;
      void run(batch).finally(() => {
        inFlight--;
        pump();
      });
    }
    if (entries.length > 0) return;
    clearTimeout(gathering);
    gathering = undefined;
    if (inFlight > 0) return;
    for (const idle of idlers.splice(0)) idle();
  }

  function countOfNext(): number {
    let count = 0;
    let size = 0;
    for (const entry of entries) {
      size += entry.size;
      if (count === max || (count > 0 && size > maxSize)) break;
      count++;
    }
    return count;
  }

  async function run(batch: Entry<I, O>[]) {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { done }] of batch.entries()) done(results[index] as O);
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  }

  return {
    add(item) {
      return new Promise((done, failed) => {
        const size = sizeOf(item);
        entries.push({ item, size, done, failed });
        waitingSize += size;
        if (gatherMs > 0 && entries.length === 1 && lastCount >= gatherAfter)
          gathering ??= setTimeout(gathered, gatherMs);
        if (scheduled || !mayStart() || isGathering()) return;
        scheduled = true;
        setImmediate(pump);
      });
    },
    withdraw(item) {
      const at = entries.findIndex((entry) => entry.item === item);
      const [entry] = at < 0 ? [] : entries.splice(at, 1);
      if (!entry) return;
      waitingSize -= entry.size;
      entry.failed(new Error('the item was withdrawn'));
    },
    waiting: () => entries.length,
    waitingSize: () => waitingSize,
    idle() {
      if (inFlight === 0 && entries.length === 0) return Promise.resolve();
      return new Promise((ok) => {
        idlers.push(ok);
        pump();
      });
    },
  };
}
