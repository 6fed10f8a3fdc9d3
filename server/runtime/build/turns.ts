/**
 * Schedules expensive work: `total` at once, and one per account. Accounts take turns, so a long queue of one account
 * does not delay the others.
 */

/** The account has too much queued work, or the work waited too long. The caller may retry later. */
export class TooManyBuilds extends Error {
  override name = 'TooManyBuilds';
}

export type Turns = {
  /** Runs `work` in the account's turn. Rejects with TooManyBuilds. */
  run<T>(account_id: string, work: () => Promise<T>): Promise<T>;
};

type TurnLimits = {
  total: number;
  /** The maximum queue length per account. */
  waiting: number;
  waitMs: number;
};

type Waiting = { start(): void };

export function createTurns({ total, waiting: most, waitMs }: TurnLimits): Turns {
  const queues = new Map<string, Set<Waiting>>();
  const running = new Set<string>();
  /** By account with queued or running work: the number of its last turn. */
  const lastTurns = new Map<string, number>();
  let turnCount = 0;

  /** The account whose last turn is the oldest; among new accounts, the first in the queue. */
  const nextAccount = () => {
    let next: string | undefined;
    for (const account_id of queues.keys()) {
      if (running.has(account_id)) continue;
      if (next === undefined || (lastTurns.get(account_id) ?? 0) < (lastTurns.get(next) ?? 0)) next = account_id;
    }
    return next;
  };

  const next = () => {
    while (running.size < total) {
      const account_id = nextAccount();
      const queue = account_id === undefined ? undefined : queues.get(account_id);
      const [first] = queue ?? [];
      if (account_id === undefined || !queue || !first) return;
      queue.delete(first);
      if (queue.size === 0) queues.delete(account_id);
      running.add(account_id);
      lastTurns.set(account_id, ++turnCount);
      first.start();
    }
  };

  const turn = (account_id: string): Promise<void> => {
    const queue = queues.get(account_id) ?? new Set();
    if (queue.size >= most)
      throw new TooManyBuilds(
        `The account's share is used up: ${most} builds of it are waiting already; try again shortly.`,
      );
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => {
      queue.delete(waiting);
      if (queue.size === 0 && queues.get(account_id) === queue) queues.delete(account_id);
      reject(new TooManyBuilds('The build waited too long for other builds; try again shortly.'));
    }, waitMs);
    const waiting = {
      start() {
        clearTimeout(late);
        resolve();
      },
    };
    queues.set(account_id, queue.add(waiting));
    next();
    return promise;
  };

  return {
    async run(account_id, work) {
      await turn(account_id);
      try {
        return await work();
      } finally {
        running.delete(account_id);
        if (!queues.has(account_id)) lastTurns.delete(account_id);
        next();
      }
    },
  };
}
