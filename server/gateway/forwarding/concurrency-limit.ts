import { Failure } from '../../lib/failure.ts';

export type ConcurrencyLimits = {
  /** Concurrent calls to one origin, including event streams and WebSockets. */
  connections: number;
  /** Calls that may wait for a slot, and how long. */
  waiting: number;
  waitMs: number;
};

/** A call that needs a slot. After `start` it must call `release`. `rejected`: the queue is full, or a timeout. */
export type Waiter = { start(limiter: ConcurrencyLimit): void; rejected(failure: Failure): void };

/**
 * Per-origin concurrency limit with a bounded wait queue. A hanging app therefore holds a bounded number of sockets and
 * callers, and further calls are rejected at once.
 */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  readonly #waiting = new Map<Waiter, NodeJS.Timeout>();
  #active = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#active === 0;
  }

  acquire(waiter: Waiter): void {
    const { connections, waiting, waitMs } = this.#limits;
    if (this.#active < connections) {
      this.#active++;
      waiter.start(this);
    } else if (this.#waiting.size >= waiting) waiter.rejected(this.#busy());
    else {
      const onTimeout = () => {
        this.#waiting.delete(waiter);
        waiter.rejected(this.#busy());
      };
      this.#waiting.set(waiter, setTimeout(onTimeout, waitMs));
    }
  }

  /** A call ended: the first waiting call gets its slot. */
  release(): void {
    const [first] = this.#waiting.size > 0 ? this.#waiting.keys() : [];
    if (first) {
      this.cancel(first);
      first.start(this);
    } else this.#active--;
  }

  /** Removes a waiting call from the queue. */
  cancel(waiter: Waiter): void {
    clearTimeout(this.#waiting.get(waiter));
    this.#waiting.delete(waiter);
  }

  #busy(): Failure {
    const { connections } = this.#limits;
    return new Failure(503, `The app is busy: ${connections} calls to it are already in progress.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}
