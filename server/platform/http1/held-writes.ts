import type { Writable } from 'node:stream';

/**
 * Holds back what sockets write until the end of a turn of the event loop, when all that had arrived is handled. Each
 * write to a sleeping process wakes it, which on another core costs more than the rest of the write: writes in
 * succession wake it once. Parts of one response that arrived together leave in one call.
 */
export class HeldWrites {
  readonly #areMany: () => boolean;
  #held: Writable[] = [];

  /** `areMany`: whether several sockets may write in this turn; a single one would only wait. */
  constructor(areMany: () => boolean) {
    this.#areMany = areMany;
  }

  /** Holds the writes of `socket` until the end of this turn; false if they are not held. */
  hold(socket: Writable): boolean {
    if (!this.#areMany()) return false;
    socket.cork();
    if (this.#held.push(socket) === 1) setImmediate(() => this.#release());
    return true;
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const socket of held) socket.uncork();
  }
}
