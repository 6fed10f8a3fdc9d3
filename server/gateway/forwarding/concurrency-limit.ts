import { Failure } from '../../lib/failure.ts';

export type ConcurrencyLimits = {
  /** Calls to one address at once, event streams and WebSockets with them. */
  connections: number;
  /** Calls that may wait for one of these to end, and for how long. */
  waiting: number;
  waitMs: number;
};

/** A call that wants a slot: `go` when one is free (the caller calls `leave` at its end), `late` on a timeout. */
export type Waiter = { go(line: ConcurrencyLimit): void; late(failure: Failure): void };

/**
 * Per-origin concurrency limit with a bounded wait queue.
 * An app that hangs so costs a bounded number of sockets and callers, and further ones are rejected at once.
 */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  readonly #waiting = new Map<Waiter, NodeJS.Timeout>();
  #going = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#going === 0;
  }

  enter(waiter: Waiter): void {
    const { connections, waiting, waitMs } = this.#limits;
    if (this.#going < connections) {
      this.#going++;
      waiter.go(this);
    } else if (this.#waiting.size >= waiting) waiter.late(this.#busy());
    else {
      const late = () => {
        this.#waiting.delete(waiter);
        waiter.late(this.#busy());
      };
      this.#waiting.set(waiter, setTimeout(late, waitMs));
    }
  }

  /** A call is over: the first who waits takes its place. */
  leave(): void {
    const [first] = this.#waiting.size > 0 ? this.#waiting.keys() : [];
    if (first) {
      this.giveUp(first);
      first.go(this);
    } else this.#going--;
  }

  /** A caller who waited has gone. */
  giveUp(waiter: Waiter): void {
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
