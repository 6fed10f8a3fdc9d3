/** Connections to what one process serves: those that are free are used again, the last one first. */
import { connect } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import { Connection, type ConnectionOwner, InFlight } from '../../platform/http1/connection.ts';
import { requestHead, type WireRequest } from '../../platform/http1/request.ts';

/** Where the bytes of all of them land: they are dealt with before the next ones come. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/** Nothing is timed here: a run has its own clock, and a process that ends takes its connections along. */
export class WiresTo implements ConnectionOwner {
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

  /** Sends a request; its handler receives what becomes of it. Throws what can't be sent. */
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

  /** Connections in use may finish their answer. */
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
