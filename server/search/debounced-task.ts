/** Scheduled looks, one after the other. */

export type DebouncedTask = {
  /** The next one comes so soon at the latest. */
  soon(ms: number): void;
  /** Resolves when none is going, and none comes any more. */
  close(): Promise<void>;
};

/** `look` answers when the next one is due. */
export function createDebouncedTask(look: () => Promise<number>): DebouncedTask {
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let going: Promise<void> | undefined;
  let isClosed = false;

  function soon(ms: number) {
    if (isClosed || performance.now() + ms >= dueMs) return;
    dueMs = performance.now() + ms;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueMs = Number.POSITIVE_INFINITY;
      going = Promise.resolve(going).then(look).then(soon);
    }, ms).unref();
  }

  return {
    soon,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await going;
    },
  };
}
