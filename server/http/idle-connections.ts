/**
 * Keep-alive timeouts. Node sets a timer after every response and clears it at the next request, which is a large part
 * of the cost of a short response. Here a slow clock checks when each connection became idle.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node adds this to the announced timeout. */
const BUFFER_MS = 1000;
const PARTS = 16;

/** Closes connections of the server that were idle for its `keepAliveTimeout`, up to a sixteenth later. */
export function watchIdleConnections(server: Server): void {
  const keepMs = server.keepAliveTimeout + BUFFER_MS;
  const timeouts = new Set<IdleTimeout>();
  let tick = 0;
  server.on('connection', (socket: Socket) => {
    const each = new IdleTimeout(socket, keepMs, () => tick);
    timeouts.add(each);
    socket.once('close', () => timeouts.delete(each));
  });
  const timer = setInterval(() => {
    tick += 1;
    for (const each of timeouts) each.check(tick);
  }, keepMs / PARTS).unref();
  server.once('close', () => clearInterval(timer));
}

class IdleTimeout {
  readonly #socket: Socket;
  /** The tick at which it became idle, and the bytes read until then. */
  #idleSince: number | undefined;
  #bytesRead = 0;

  constructor(socket: Socket, keepMs: number, tick: () => number) {
    this.#socket = socket;
    const genuine = socket.setTimeout.bind(socket);
    let isTimed = false;
    socket.setTimeout = (ms: number, onTimeout?: () => void) => {
      this.#idleSince = undefined;
      if (ms === keepMs && !onTimeout && !isTimed) {
        this.#idleSince = tick();
        this.#bytesRead = socket.bytesRead;
      } else if (ms > 0 || isTimed) {
        isTimed = ms > 0;
        genuine(ms, onTimeout);
      }
      return socket;
    };
  }

  check(tick: number): void {
    if (this.#idleSince === undefined || tick - this.#idleSince <= PARTS) return;
    // A request whose headers have begun to arrive has a separate timeout.
    if (this.#socket.bytesRead === this.#bytesRead) this.#socket.destroy();
  }
}
