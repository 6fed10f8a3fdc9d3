/** Work that is done once at a time; callers who come during a turn share the next one. */
export type SharedTurns = {
  /** Resolves, or rejects, with a turn that began after the call. */
  take(): Promise<void>;
  /** Resolves when no turn is in progress. */
  settled(): Promise<void>;
};

export function createSharedTurns(work: () => Promise<void>): SharedTurns {
  let going: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function begin(): Promise<void> {
    going = work().finally(() => {
      going = undefined;
    });
    return going;
  }

  return {
    take() {
      if (!going) return begin();
      next ??= going
        .catch(() => {})
        .then(() => {
          next = undefined;
          return begin();
        });
      return next;
    },
    async settled() {
      await going?.catch(() => {});
    },
  };
}
