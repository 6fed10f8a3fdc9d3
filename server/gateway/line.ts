import { Failure } from '../lib/failure.ts';

export type LineLimits = {
  /** Calls to one address at once, event streams and WebSockets with them. */
  connections: number;
  /** Calls that may wait for one of these to end, and for how long. */
  waiting: number;
  waitMs: number;
};

/** A call's place in a line, until it is left. */
export type Place = { leave(): void };

/**
 * The calls to one address. As many as there may be connections go on at once; some more wait their turn, for a while.
 * An app that hangs so costs a bounded number of sockets and callers, and the next ones are told at once.
 */
export class Line {
  readonly #limits: LineLimits;
  #going = 0;
  /** What each that waits does when it is its turn, in order. */
  readonly #waiting = new Set<() => void>();

  constructor(limits: LineLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#going === 0;
  }

  /** Runs `start` now or when it is its turn; `late` is told when that takes too long. Throws when too many wait. */
  enter(start: () => void, late: (failure: Failure) => void): Place {
    if (this.#going < this.#limits.connections) {
      this.#going++;
      start();
      return { leave: () => this.#next() };
    }
    if (this.#waiting.size >= this.#limits.waiting) throw this.#busy();
    let goes = false;
    const timer = setTimeout(() => {
      this.#waiting.delete(turn);
      late(this.#busy());
    }, this.#limits.waitMs);
    const turn = () => {
      goes = true;
      clearTimeout(timer);
      start();
    };
    this.#waiting.add(turn);
    return {
      leave: () => {
        clearTimeout(timer);
        if (goes) this.#next();
        else this.#waiting.delete(turn);
      },
    };
  }

  /** A place is free: the first who waits takes it. */
  #next(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#going--;
      return;
    }
    this.#waiting.delete(turn);
    turn();
  }

  #busy(): Failure {
    const { connections } = this.#limits;
    return new Failure(503, `The app is busy: ${connections} calls to it are going on already.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}
