import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The caller's end of a tunnel. `take` detaches the socket and returns the bytes already received. */
export type Tunnel = { socket: Socket; take(): Buffer };

/**
 * Connects two sockets, byte for byte, with backpressure. An end is forwarded as an end, an interruption as an
 * interruption. Both are closed after `idleMs` without traffic.
 */
export function join(caller: Socket, app: Duplex, idleMs: number): void {
  const cut = () => {
    caller.destroy();
    app.destroy();
  };
  const carry = (from: Duplex, to: Duplex) => {
    from.on('error', cut);
    from.once('close', () => {
      // A regular end was already forwarded by the pipe; without one the connection was interrupted.
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  };
  carry(caller, app);
  carry(app, caller);
  caller.setTimeout(idleMs, cut);
}
