/** Connections to what one process serves: those that are free are used again, the last one first. */
import { connect } from 'node:net';
import { type Dispatcher, errors } from 'undici';
import { requestHead, type WireRequest } from '../lib/wire/request.ts';
import { Turn, Wire, type WireOwner } from '../lib/wire/wire.ts';

/** Where the bytes of all of them land: they are dealt with before the next ones come. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/** Nothing is timed here: a run has a clock of its own, and a process that ends takes its connections along. */
export class WiresTo implements WireOwner {
  readonly tick = 0;
  readonly answerTicks: number = Number.POSITIVE_INFINITY;
  readonly idleTicks: number = Number.POSITIVE_INFINITY;
  readonly #socketPath: string;
  readonly #free: Wire[] = [];
  #isClosed = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  keepTicks(): number {
    return 1;
  }

  /** Sends a request; its handler hears what becomes of it. Throws what can't be sent. */
  dispatch(request: WireRequest, handler: Dispatcher.DispatchHandler): void {
    const turn = new Turn(request, requestHead(request), handler);
    handler.onRequestStart?.(turn, undefined);
    let wire = this.#free.pop();
    while (wire && !wire.isUsable) wire = this.#free.pop();
    if (wire) wire.send(turn);
    else this.#connect(turn);
  }

  free(wire: Wire): void {
    if (this.#isClosed) wire.drop();
    else this.#free.push(wire);
  }

  gone(wire: Wire): void {
    const place = this.#free.indexOf(wire);
    if (place >= 0) this.#free.splice(place, 1);
  }

  /** Those in use may go on to the end of their answer. */
  close(): void {
    this.#isClosed = true;
    for (const wire of this.#free.splice(0)) wire.drop();
  }

  #connect(turn: Turn): void {
    const wire = new Wire(this);
    const callback = (length: number) => {
      wire.onRead(buffer, length);
      return true;
    };
    const socket = connect({ path: this.#socketPath, onread: { buffer, callback } });
    const refused = (error: Error) => {
      if (!turn.aborted) turn.handler.onResponseError?.(turn, new errors.SocketError(error.message));
    };
    socket.once('error', refused).once('connect', () => {
      socket.off('error', refused);
      if (turn.aborted) return void socket.on('error', () => {}).destroy();
      wire.open(socket);
      wire.send(turn);
    });
  }
}
