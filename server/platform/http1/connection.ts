import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { AnswerReader, type AnswerSink } from './answer.ts';
import { bodyEnd, type RequestHead, type WireRequest } from './request.ts';

/** What a connection needs of those it belongs to. */
export type ConnectionOwner = {
  /** Counts up steadily: a clock that costs nothing to look at. */
  readonly tick: number;
  readonly answerTicks: number;
  readonly idleTicks: number;
  /** How long one may be kept unused. */
  keepTicks(hintMs: number | undefined): number;
  /** It can be used again. */
  free(connection: Connection): void;
  /** It is gone. */
  gone(connection: Connection): void;
};

const NONE: string[] = [];
const NO_FIELDS = {};

/** One request on its way, as its handler sees it: of no effect once the answer is whole. */
export class InFlight implements Dispatcher.DispatchController {
  rawHeaders: string[] = NONE;
  rawTrailers: string[] = NONE;
  paused = false;
  aborted = false;
  reason: Error | null = null;
  /** The connection it uses, from when one is acquired until the answer is complete. */
  connection: Connection | undefined;
  readonly request: WireRequest;
  readonly head: RequestHead;
  readonly handler: Dispatcher.DispatchHandler;

  constructor(request: WireRequest, head: RequestHead, handler: Dispatcher.DispatchHandler) {
    this.request = request;
    this.head = head;
    this.handler = handler;
  }

  pause(): void {
    if (this.paused || !this.connection) return;
    this.paused = true;
    this.connection.pause();
  }

  resume(): void {
    if (!this.paused || !this.connection) return;
    this.paused = false;
    this.connection.resume();
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.connection?.drop();
  }
}

/**
 * One connection to an app. It carries one request after the other; the answer's parts are handed on as they come, each
 * lent for the time of the call. Its bytes are read into memory that all connections share, so nothing may hold on to
 * them.
 */
export class Connection implements AnswerSink {
  readonly #owner: ConnectionOwner;
  readonly #reader = new AnswerReader(this);
  #socket: Socket | undefined;
  #turn: InFlight | undefined;
  /** What came behind a pause. */
  #held: Buffer | undefined;
  /** The app's end came behind it. */
  #ended = false;
  /** Ends the sending of a body that is still flowing. */
  #stopSending: (() => void) | undefined;
  /** When something last moved; the purpose is given by the state. */
  #movedTick = 0;
  #keepTicks = 0;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
  }

  get isUsable(): boolean {
    return this.#socket?.writable === true && !this.#socket.readableEnded;
  }

  open(socket: Socket): void {
    this.#socket = socket;
    socket
      .on('drain', () => this.#moved())
      .on('end', () => this.#end())
      .on('error', (error) => this.fail(error))
      .on('close', () => this.#closed());
  }

  send(turn: InFlight): void {
    const socket = this.#socket;
    if (!socket) throw new Error('no connection yet');
    const { body, method } = turn.request;
    const { text, length } = turn.head;
    this.#turn = turn;
    turn.connection = this;
    this.#reader.begin(method);
    this.#movedTick = this.#owner.tick;
    if (body === null) return void socket.write(text, 'latin1');
    socket.cork();
    socket.write(text, 'latin1');
    if (Buffer.isBuffer(body)) {
      socket.write(body);
      turn.handler.onBodySent?.(body);
    } else this.#sendBody(socket, turn, body, length);
    process.nextTick(() => socket.uncork());
  }

  /** Bytes of the app. */
  onRead(bytes: Buffer, length: number): void {
    // Bytes without a request.
    if (!this.#turn) return void this.#socket?.destroy();
    if (this.#held) this.#held = Buffer.concat([this.#held, bytes.subarray(0, length)]);
    else this.#feed(bytes, length);
  }

  #feed(bytes: Buffer, length: number): void {
    if (this.#reader.begun) this.#movedTick = this.#owner.tick;
    let at = 0;
    try {
      at = this.#reader.read(bytes, 0, length);
    } catch (error) {
      return void this.fail(error);
    }
    if (this.#turn) {
      if (at < length) this.#held = Buffer.from(bytes.subarray(at, length));
      return;
    }
    this.#settle(at === length);
  }

  /** After a whole answer: used again, unless something speaks against it. */
  #settle(nothingMore: boolean): void {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    if (!nothingMore || !this.#reader.keepsAlive || this.#stopSending || !this.isUsable) {
      this.#stopSending?.();
      socket.destroy();
      return;
    }
    this.#movedTick = this.#owner.tick;
    this.#keepTicks = this.#owner.keepTicks(this.#reader.keepAliveMs);
    if (this.#keepTicks <= 0) return void socket.destroy();
    if (socket.isPaused()) socket.resume();
    this.#owner.free(this);
  }

  onHead(status: number, reason: string, headers: string[]): void {
    const turn = this.#turn;
    if (!turn) return;
    turn.rawHeaders = headers;
    if (status >= 200) this.#movedTick = this.#owner.tick;
    turn.handler.onResponseStart?.(turn, status, NO_FIELDS, reason);
  }

  onBody(part: Buffer): void {
    const turn = this.#turn;
    if (turn) turn.handler.onResponseData?.(turn, part);
  }

  onWhole(trailers: string[]): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = undefined;
    turn.connection = undefined;
    turn.rawTrailers = trailers;
    turn.handler.onResponseEnd?.(turn, NO_FIELDS);
  }

  pause(): void {
    this.#reader.stopped = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#reader.stopped = false;
    this.#movedTick = this.#owner.tick;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#feed(held, held.length);
    if (this.#held || !this.#turn || this.#turn.paused) return;
    if (this.#ended) this.#end();
    else this.#socket?.resume();
  }

  /** Without a word to the handler, who wants no more. */
  drop(): void {
    this.#leaveTurn();
    this.#socket?.destroy();
  }

  fail(error: unknown): void {
    const turn = this.#leaveTurn();
    this.#socket?.destroy();
    turn?.handler.onResponseError?.(turn, error instanceof Error ? error : new Error('unknown'));
  }

  /** Looks at the clock. */
  check(): void {
    const { tick, answerTicks, idleTicks } = this.#owner;
    const silent = tick - this.#movedTick;
    const turn = this.#turn;
    const socket = this.#socket;
    if (!socket) return;
    if (!turn) {
      if (silent > this.#keepTicks) socket.destroy();
    } else if (turn.paused) return;
    else if (!this.#reader.begun) {
      // While the caller's body is awaited, a separate timeout applies.
      if (silent > answerTicks && (!this.#stopSending || socket.writableNeedDrain))
        this.fail(new errors.HeadersTimeoutError());
    } else if (silent > idleTicks && !turn.request.mayBeQuiet) this.fail(new errors.BodyTimeoutError());
  }

  #leaveTurn(): InFlight | undefined {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#held = undefined;
    this.#stopSending?.();
    if (turn) turn.connection = undefined;
    return turn;
  }

  #moved(): void {
    if (!this.#reader.begun) this.#movedTick = this.#owner.tick;
  }

  #end(): void {
    this.#ended = true;
    if (this.#held || !this.#turn) return;
    if (!this.#reader.endsWithConnection) return void this.fail(new errors.SocketError('other side closed'));
    this.#reader.finish();
    this.#settle(true);
  }

  #closed(): void {
    this.#owner.gone(this);
    // What came before its end is still to be handed on.
    if (this.#turn && !(this.#held && this.#ended)) this.fail(new errors.SocketError('closed'));
  }

  /** The caller's body flows as fast as the app takes it. */
  #sendBody(socket: Socket, turn: InFlight, body: IncomingMessage | Readable, length: number): void {
    let sent = 0;
    const onData = (chunk: Buffer) => {
      sent += chunk.length;
      turn.handler.onBodySent?.(chunk);
      if (length < 0) {
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        socket.write('\r\n', 'latin1');
        socket.uncork();
      } else socket.write(chunk);
      if (socket.writableNeedDrain) body.pause();
      else this.#moved();
    };
    const onDrain = () => void body.resume();
    const onEnd = () => {
      stop();
      this.#moved();
      if (length < 0) this.#endChunks(socket, turn, body);
      else if (sent !== length) this.fail(new errors.RequestContentLengthMismatchError());
    };
    // The end of the call comes from the caller's side.
    const onClose = () => this.drop();
    const stop = () => {
      this.#stopSending = undefined;
      body.off('data', onData).off('end', onEnd).off('close', onClose);
      socket.off('drain', onDrain);
      // Unread data is dropped.
      body.resume();
    };
    this.#stopSending = stop;
    socket.on('drain', onDrain);
    body.on('data', onData).once('end', onEnd).once('close', onClose);
  }

  #endChunks(socket: Socket, { request }: InFlight, body: IncomingMessage | Readable): void {
    const rawTrailers = 'rawTrailers' in body ? body.rawTrailers : NONE;
    try {
      socket.write(
        bodyEnd(rawTrailers.length > 0 && request.trailers ? request.trailers(rawTrailers) : NONE),
        'latin1',
      );
    } catch (error) {
      this.fail(error);
    }
  }
}
