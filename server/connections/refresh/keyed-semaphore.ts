/**
 * Global and per-key concurrency limit, FIFO. The per-key limit ensures that one slow key does not block the others.
 */
export type KeyedSemaphore = { run<T>(key: string, work: () => Promise<T>): Promise<T> };

export function createKeyedSemaphore({ total, each }: { total: number; each: number }): KeyedSemaphore {
  const running = new Map<string, number>();
  const waiting: { key: string; start: () => void }[] = [];
  let count = 0;

  function next() {
    while (count < total) {
      const index = waiting.findIndex(({ key }) => (running.get(key) ?? 0) < each);
      const [chosen] = index < 0 ? [] : waiting.splice(index, 1);
      if (!chosen) return;
      count++;
      running.set(chosen.key, (running.get(chosen.key) ?? 0) + 1);
      chosen.start();
    }
  }

  function done(key: string) {
    count--;
    const left = (running.get(key) ?? 1) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    next();
  }

  return {
    run: (key, work) =>
      new Promise((ok, refuse) => {
        const start = () =>
          void work()
            .then(ok, refuse)
            .finally(() => done(key));
        waiting.push({ key, start });
        next();
      }),
  };
}
