import type { Writable } from 'node:stream';

/**
 * Holds back what sockets write until the end of a turn of the event loop, when all that had arrived is handled. Each
 * write to a sleeping process wakes it, which on another core costs more than the rest of the write: writes in
 * succession wake it once. Parts of one response that arrived together leave in one call.
 */
export class HeldWrites {
  #held: Writable[] = [];

  /** Holds the writes of `socket` until the end of this turn. */
  hold(socket: Writable): void {
    socket.cork();
    if (this.#held.push(socket) === 1) setImmediate(() => this.#release());
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    for (const socket of held) socket.uncork();
  }
}
