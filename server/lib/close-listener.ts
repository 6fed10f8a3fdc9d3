/**
 * Closes a listening socket without resetting connections that clients have opened already.
 *
 * The kernel completes connections and queues them until the process accepts them, one per turn of the event loop. Those
 * in the queue when the socket closes are reset, and a proxy that has sent a POST on one can't send it to another node:
 * its client gets a 502. So the queue is reduced to one connection, and the socket is closed when that is a connection
 * of this process. Clients that the kernel keeps waiting meanwhile are refused when they try again, within a second; a
 * proxy then uses another node.
 *
 * Linux shows which connections are in the queue. Elsewhere the socket is closed at once.
 */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer } from 'node:net';

/** Clients that open connections faster than they can be accepted must not prevent the stop. */
const WAIT_MS = 2000;

/** Resolves when the socket is closed; the result resolves when all of its connections are. */
export async function closeListener(server: Server): Promise<Closed> {
  const startedMs = performance.now();
  if (process.platform === 'linux') {
    // There is no public way to change the length of the queue.
    (server as unknown as { _handle: { listen(length: number): number } })._handle.listen(0);
    do {
      // The check phase of the event loop follows the one that accepts connections.
      await new Promise<void>((ok) => setImmediate(ok));
      const closed = await closeIfAlone(server);
      if (closed) return closed;
    } while (performance.now() - startedMs < WAIT_MS);
  }
  return close(server);
}

type Closed = { connections: Promise<void> };

/** Undefined if a client's connection is in the queue. */
function closeIfAlone(server: Server): Promise<Closed | undefined> {
  const { family, port, address } = server.address() as AddressInfo;
  const host = { '0.0.0.0': '127.0.0.1', '::': '127.0.0.1' }[address] ?? address;
  const own = connect({ host, port }).on('error', () => undefined);
  return new Promise((ok) => {
    // `connect` opens the connection in the ticks before this one, so no turn of the event loop is in between.
    process.nextTick(() => {
      const closed = isQueued(family, port, own.localPort) ? close(server) : undefined;
      own.destroy();
      ok(closed);
    });
  });
}

/** The `close` of an HTTP server would also close connections whose first request has not been read yet. */
function close(server: Server): Closed {
  return { connections: new Promise((done) => NetServer.prototype.close.call(server, () => done())) };
}

const ESTABLISHED = '01';

/** Whether the connection between these local ports was completed and not accepted yet. */
function isQueued(family: string, port: number, from = 0): boolean {
  const rows = readFileSync(family === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1').split('\n');
  const inHex = (number: number) => `:${number.toString(16).toUpperCase().padStart(4, '0')}`;
  const near = inHex(port);
  const far = inHex(from);
  return rows.some((row) => {
    // number, local address, remote address, state, queues, timer, retransmits, user, timeout, inode
    const [, local = '', remote = '', state, , , , , , inode] = row.trim().split(/\s+/);
    return local.endsWith(near) && remote.endsWith(far) && state === ESTABLISHED && inode === '0';
  });
}
