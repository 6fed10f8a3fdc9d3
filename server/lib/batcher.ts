/**
 * Group commit: while earlier batches are on their way, what comes gathers and leaves together. Alone, an item leaves
 * at once, unless it may wait a little for others (`gatherMs`); under load the batches grow.
 */
export type Batcher<I, O> = {
  /** Resolves with the item's own result, once its whole batch is done. */
  add(item: I): Promise<O>;
  /** Removes an item whose batch has not left yet and rejects its promise; an item that is under way is not touched. */
  withdraw(item: I): void;
  /** Items that wait for their batch. */
  waiting(): number;
  /** Their sizes together. */
  waitingSize(): number;
  /** Resolves when nothing waits and nothing is on its way. */
  idle(): Promise<void>;
};

type Entry<I, O> = { item: I; size: number; done: (result: O) => void; failed: (error: unknown) => void };
type Limits<I> = { max: number; atOnce: number; gatherMs?: number; aloneFrom?: number } & (
  | { sizeOf: (item: I) => number; maxSize: number }
  | { sizeOf?: never; maxSize?: never }
);

/**
 * `work` answers one result for each item, in order; a throw fails every item of that batch and no other. A batch has
 * at most `max` items and, beyond its first, at most `maxSize` together. While one of `aloneFrom` items or more is on
 * its way no other leaves: there is much to do, and it is done with less work in few large batches than in many small
 * ones.
 */
export function createBatcher<I, O>(
  work: (items: I[]) => Promise<O[]>,
  { max, atOnce, gatherMs = 0, aloneFrom = Number.POSITIVE_INFINITY, sizeOf = () => 0, maxSize = 0 }: Limits<I>,
): Batcher<I, O> {
  const entries: Entry<I, O>[] = [];
  let waitingSize = 0;
  let going = 0;
  /** Of those, how many let no other leave. */
  let alone = 0;
  let scheduled = false;
  let gathering: NodeJS.Timeout | undefined;
  const idlers: (() => void)[] = [];

  const mayLeave = () => going < atOnce && alone === 0;
  /** Once all is awaited nothing gathers any more. */
  const isGathering = () => gathering !== undefined && entries.length < max && idlers.length === 0;

  function gathered() {
    gathering = undefined;
    pump();
  }

  function pump() {
    scheduled = false;
    while (mayLeave() && entries.length > 0 && !isGathering()) {
      const batch = entries.splice(0, countOfNext());
      for (const { size } of batch) waitingSize -= size;
      const isAlone = batch.length >= aloneFrom;
      going++;
      if (isAlone) alone++;
      void run(batch).finally(() => {
        going--;
        if (isAlone) alone--;
        pump();
      });
    }
    if (entries.length > 0) return;
    clearTimeout(gathering);
    gathering = undefined;
    if (going > 0) return;
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
        if (gatherMs > 0 && entries.length === 1) gathering ??= setTimeout(gathered, gatherMs);
        if (scheduled || !mayLeave() || isGathering()) return;
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
      if (going === 0 && entries.length === 0) return Promise.resolve();
      return new Promise((ok) => {
        idlers.push(ok);
        pump();
      });
    },
  };
}
