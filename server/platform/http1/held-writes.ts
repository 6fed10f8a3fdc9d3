import type { Writable } from 'node:stream';

/** Writes the rest of a message, which was not ended before. */
export type Ending = { end(): void };

/**
 * Holds back what sockets write until the end of a turn of the event loop, when all that had arrived is handled. Each
 * write to a sleeping process wakes it, which on another core costs more than the rest of the write: writes in
 * succession wake it once. Parts of one response that arrived together leave in one call.
 */
export class HeldWrites {
  readonly #areMany: () => boolean;
  #sockets: Writable[] = [];
  #endings: Ending[] = [];

  /** `areMany`: whether several sockets may write in this turn; a single one would only wait. */
  constructor(areMany: () => boolean) {
    this.#areMany = areMany;
  }

  /** Holds the writes of `socket` until the end of this turn; false if they are not held. */
  hold(socket: Writable): boolean {
    if (!this.#areMany()) return false;
    this.#wake();
    socket.cork();
    this.#sockets.push(socket);
    return true;
  }

  /**
   * Ends a response of Node's HTTP server at the end of this turn, or now if nothing is held. Its `end` writes at once
   * even if the socket is corked, so the call itself has to wait.
   */
  end(ending: Ending): void {
    if (this.#areMany()) {
      this.#wake();
      this.#endings.push(ending);
    } else ending.end();
  }

  #wake(): void {
    if (this.#sockets.length === 0 && this.#endings.length === 0) setImmediate(() => this.#release());
  }

  /** Endings are first: they take along what their sockets hold. */
  #release(): void {
    const sockets = this.#sockets;
    const endings = this.#endings;
    this.#sockets = [];
    this.#endings = [];
    for (const ending of endings) ending.end();
    for (const socket of sockets) socket.uncork();
  }
}
