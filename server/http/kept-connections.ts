/**
 * How long a connection may wait for its next request. Node sets a timer with every answer and takes it back with the
 * next request, which costs a good part of a short answer; here the moment is noted, and looked at by a slow clock.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** What Node adds to the time that it announces. */
const BUFFER_MS = 1000;
const PARTS = 16;

/** Connections of this server are closed when they were idle for its `keepAliveTimeout`, or a sixteenth later. */
export function watchKept(server: Server): void {
  const keepMs = server.keepAliveTimeout + BUFFER_MS;
  const kept = new Set<Kept>();
  let tick = 0;
  server.on('connection', (socket: Socket) => {
    const each = new Kept(socket, keepMs, () => tick);
    kept.add(each);
    socket.once('close', () => kept.delete(each));
  });
  const timer = setInterval(() => {
    tick += 1;
    for (const each of kept) each.look(tick);
  }, keepMs / PARTS).unref();
  server.once('close', () => clearInterval(timer));
}

class Kept {
  readonly #socket: Socket;
  /** Since which tick it has been idle, and how much had been read by then. */
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

  look(tick: number): void {
    if (this.#idleSince === undefined || tick - this.#idleSince <= PARTS) return;
    // A head that has begun to arrive has a separate timeout.
    if (this.#socket.bytesRead === this.#bytesRead) this.#socket.destroy();
  }
}
