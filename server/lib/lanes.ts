/**
 * So much at a time in all, and so much of one kind, so that a kind that is slow leaves room for the others. What waits is
 * taken in the order it came.
 */
export type Lanes = { run<T>(lane: string, work: () => Promise<T>): Promise<T> };

export function createLanes({ total, each }: { total: number; each: number }): Lanes {
  const running = new Map<string, number>();
  const waiting: { lane: string; start: () => void }[] = [];
  let count = 0;

  function next() {
    while (count < total) {
      const index = waiting.findIndex(({ lane }) => (running.get(lane) ?? 0) < each);
      const [chosen] = index < 0 ? [] : waiting.splice(index, 1);
      if (!chosen) return;
      count++;
      running.set(chosen.lane, (running.get(chosen.lane) ?? 0) + 1);
      chosen.start();
    }
  }

  function done(lane: string) {
    count--;
    const left = (running.get(lane) ?? 1) - 1;
    if (left > 0) running.set(lane, left);
    else running.delete(lane);
    next();
  }

  return {
    run: (lane, work) =>
      new Promise((ok, refuse) => {
        const start = () =>
          void work()
            .then(ok, refuse)
            .finally(() => done(lane));
        waiting.push({ lane, start });
        next();
      }),
  };
}
