import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The caller's end of a tunnel. `take` hands the socket over, with what has come already. */
export type Tunnel = { socket: Socket; take(): Buffer };

/**
 * Two connections made one, byte for byte: each is read only as fast as the other takes, an end is passed on as an end
 * and a break as a break. Where no byte moves for `idleMs`, both are cut.
 */
export function join(caller: Socket, app: Duplex, idleMs: number): void {
  const cut = () => {
    caller.destroy();
    app.destroy();
  };
  const carry = (from: Duplex, to: Duplex) => {
    from.on('error', cut);
    from.once('close', () => {
      // Its end has been passed on after all it sent; without an end it broke.
      if (!from.readableEnded) to.destroy();
    });
    from.pipe(to);
  };
  carry(caller, app);
  carry(app, caller);
  caller.setTimeout(idleMs, cut);
}
