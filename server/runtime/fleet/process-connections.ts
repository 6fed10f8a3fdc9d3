/** Connections to one process. Idle ones are reused, the last one first. */
import { connect } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import { Connection, type ConnectionOwner, InFlight } from '../../platform/http1/connection.ts';
import { requestHead, type WireRequest } from '../../platform/http1/request.ts';

/** The read buffer of all connections: its bytes are processed before the next read. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/** No timeouts: a run has its own, and a process closes its connections when it ends. */
export class ProcessConnections implements ConnectionOwner {
  readonly tick = 0;
  readonly answerTicks: number = Number.POSITIVE_INFINITY;
  readonly idleTicks: number = Number.POSITIVE_INFINITY;
  readonly #socketPath: string;
  readonly #free: Connection[] = [];
  #isClosed = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  keepTicks(): number {
    return 1;
  }

  /** Sends a request; its handler receives the response. Throws if it cannot be sent. */
  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const turn = new InFlight(request, requestHead(request), handler);
    handler.onRequestStart?.(turn, undefined);
    let connection = this.#free.pop();
    while (connection && !connection.isUsable) connection = this.#free.pop();
    if (connection) connection.send(turn);
    else this.#connect(turn);
  }

  free(connection: Connection): void {
    if (this.#isClosed) connection.drop();
    else this.#free.push(connection);
  }

  gone(connection: Connection): void {
    const place = this.#free.indexOf(connection);
    if (place >= 0) this.#free.splice(place, 1);
  }

  /** Closes idle connections; the others finish their responses. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#free.splice(0)) connection.drop();
  }

  #connect(turn: InFlight): void {
    const connection = new Connection(this);
    const callback = (length: number) => {
      connection.onRead(buffer, length);
      return true;
    };
    const socket = connect({ path: this.#socketPath, onread: { buffer, callback } });
    const refused = (error: Error) => {
      if (!turn.aborted) turn.handler.onResponseError?.(turn, new errors.SocketError(error.message));
    };
    socket.once('error', refused).once('connect', () => {
      socket.off('error', refused);
      if (turn.aborted) return void socket.on('error', () => {}).destroy();
      connection.open(socket);
      connection.send(turn);
    });
  }
}
