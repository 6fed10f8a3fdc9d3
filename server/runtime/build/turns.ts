/**
 * Turns for work that takes much of the machine: `total` at once and one per account. Accounts take turns, so that a
 * long queue of one account does not delay the others.
 */

/** The account has too much work waiting, or the work waited too long. Try again later. */
export class TooManyBuilds extends Error {
  override name = 'TooManyBuilds';
}

export type Turns = {
  /** Runs `work` when it is the account's turn. Rejects with TooManyBuilds. */
  run<T>(account_id: string, work: () => Promise<T>): Promise<T>;
};

type TurnLimits = {
  total: number;
  /** The most that may wait for one account. */
  waiting: number;
  waitMs: number;
};

type Waiting = { start(): void };

export function createTurns({ total, waiting: most, waitMs }: TurnLimits): Turns {
  const queues = new Map<string, Set<Waiting>>();
  const running = new Set<string>();
  /** When accounts that run or wait had their last turn, counted in turns. */
  const lastTurns = new Map<string, number>();
  let turnCount = 0;

  /** The account whose last turn was longest ago; of those without one, the first that came. */
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
      throw new TooManyBuilds(`${most} builds of this account are waiting already; try again shortly.`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => {
      queue.delete(waiting);
      if (queue.size === 0 && queues.get(account_id) === queue) queues.delete(account_id);
      reject(new TooManyBuilds('The build waited too long for others to end; try again shortly.'));
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
