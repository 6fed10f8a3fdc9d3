import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import type { HeldWrites } from './held-writes.ts';
import { bodyEnd, type RequestHead, type WireRequest } from './request.ts';
import { ResponseParser, type ResponseSink } from './response-parser.ts';
import { TransferDecoder } from './transfer-decoder.ts';

/** The pool, as seen by a connection. */
export type ConnectionOwner = {
  /** Holds requests until the end of the turn. Without it each is sent at once. */
  readonly writes?: HeldWrites | undefined;
  /** A counter that increments regularly: a clock without system calls. */
  readonly tick: number;
  readonly answerTicks: number;
  readonly idleTicks: number;
  /** The ticks that an idle connection is kept. */
  keepTicks(hintMs: number | undefined): number;
  /** Called when a connection can be reused. */
  free(connection: Connection): void;
  /** Called when a connection is closed. */
  gone(connection: Connection): void;
};

const NONE: string[] = [];
const NO_FIELDS = {};

/** One request in flight, as its handler sees it; has no effect once the response is complete. */
export class InFlight implements Dispatcher.DispatchController {
  rawHeaders: string[] = NONE;
  rawTrailers: string[] = NONE;
  paused = false;
  aborted = false;
  /** The timeout of this request, if it is not that of the owner. */
  answerTicks: number | undefined;
  /** Whether any part of the request was sent. */
  isSent = false;
  reason: Error | null = null;
  /** Its connection, from acquisition until the response is complete. */
  connection: Connection | undefined;
  readonly request: WireRequest;
  readonly head: RequestHead;
  handler: Dispatcher.DispatchHandler;

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
 * One connection to an app, which carries one request at a time. Parts of the response are passed on as they arrive,
 * and are valid during the call only: all connections read into shared memory.
 */
export class Connection implements ResponseSink {
  readonly #owner: ConnectionOwner;
  readonly #parser = new ResponseParser(this);
  #socket: Socket | undefined;
  #inFlight: InFlight | undefined;
  /** Bytes that arrived after a pause. */
  #held: Buffer | undefined;
  /** Whether the app closed the connection after a pause. */
  #ended = false;
  /** Stops sending a body that is not complete. */
  #stopSending: (() => void) | undefined;
  /** The tick of the last progress; the state determines which timeout applies. */
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

  send(inFlight: InFlight): void {
    const socket = this.#socket;
    if (!socket) throw new Error('no connection yet');
    const { body, method } = inFlight.request;
    const { text, length } = inFlight.head;
    this.#inFlight = inFlight;
    inFlight.connection = this;
    inFlight.isSent = true;
    this.#parser.begin(method);
    this.#movedTick = this.#owner.tick;
    const isHeld = this.#owner.writes?.hold(socket) ?? false;
    if (!isHeld && body !== null) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(text, 'latin1');
    if (body === null) return;
    if (Buffer.isBuffer(body)) {
      socket.write(body);
      inFlight.handler.onBodySent?.(body);
    } else this.#sendBody(socket, inFlight, body, length);
  }

  /** Handles bytes from the app. */
  onRead(bytes: Buffer, length: number): void {
    // Bytes without a request.
    if (!this.#inFlight) return void this.#socket?.destroy();
    if (this.#held) this.#held = Buffer.concat([this.#held, bytes.subarray(0, length)]);
    else this.#feed(bytes, length);
  }

  #feed(bytes: Buffer, length: number): void {
    if (this.#parser.begun) this.#movedTick = this.#owner.tick;
    let at = 0;
    try {
      at = this.#parser.read(bytes, 0, length);
    } catch (error) {
      return void this.fail(error);
    }
    if (this.#inFlight) {
      if (at < length) this.#held = Buffer.from(bytes.subarray(at, length));
      return;
    }
    this.#settle(at === length);
  }

  /** After a complete response: makes the connection reusable, or closes it. */
  #settle(nothingMore: boolean): void {
    const socket = this.#socket;
    if (!socket || socket.destroyed) return;
    if (!nothingMore || !this.#parser.keepsAlive || this.#stopSending || !this.isUsable) {
      this.#stopSending?.();
      socket.destroy();
      return;
    }
    this.#movedTick = this.#owner.tick;
    this.#keepTicks = this.#owner.keepTicks(this.#parser.keepAliveMs);
    if (this.#keepTicks <= 0) return void socket.destroy();
    if (socket.isPaused()) socket.resume();
    this.#owner.free(this);
  }

  onHead(status: number, reason: string, headers: string[]): void {
    const inFlight = this.#inFlight;
    if (!inFlight) return;
    inFlight.rawHeaders = headers;
    if (status >= 200) {
      this.#movedTick = this.#owner.tick;
      const { compression } = this.#parser;
      if (compression) inFlight.handler = new TransferDecoder(inFlight.handler, compression, inFlight);
    }
    inFlight.handler.onResponseStart?.(inFlight, status, NO_FIELDS, reason);
  }

  onBody(part: Buffer): void {
    const inFlight = this.#inFlight;
    if (inFlight) inFlight.handler.onResponseData?.(inFlight, part);
  }

  onComplete(trailers: string[]): void {
    const inFlight = this.#inFlight;
    if (!inFlight) return;
    this.#inFlight = undefined;
    inFlight.connection = undefined;
    inFlight.rawTrailers = trailers;
    inFlight.handler.onResponseEnd?.(inFlight, NO_FIELDS);
  }

  pause(): void {
    this.#parser.stopped = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#parser.stopped = false;
    this.#movedTick = this.#owner.tick;
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#feed(held, held.length);
    if (this.#held || !this.#inFlight || this.#inFlight.paused) return;
    if (this.#ended) this.#end();
    else this.#socket?.resume();
  }

  /** Closes the connection without calling the handler. */
  drop(): void {
    this.#detach();
    this.#socket?.destroy();
  }

  fail(error: unknown): void {
    const inFlight = this.#detach();
    this.#socket?.destroy();
    inFlight?.handler.onResponseError?.(inFlight, error instanceof Error ? error : new Error('unknown'));
  }

  /** Checks the timeouts. */
  check(): void {
    const { tick, answerTicks, idleTicks } = this.#owner;
    const silent = tick - this.#movedTick;
    const inFlight = this.#inFlight;
    const socket = this.#socket;
    if (!socket) return;
    if (!inFlight) {
      if (silent > this.#keepTicks) socket.destroy();
    } else if (inFlight.paused) return;
    else if (!this.#parser.begun) {
      // While the caller's body is awaited, a separate timeout applies.
      if (silent > (inFlight.answerTicks ?? answerTicks) && (!this.#stopSending || socket.writableNeedDrain))
        this.fail(new errors.HeadersTimeoutError());
    } else if (silent > idleTicks && !inFlight.request.mayBeQuiet) this.fail(new errors.BodyTimeoutError());
  }

  #detach(): InFlight | undefined {
    const inFlight = this.#inFlight;
    this.#inFlight = undefined;
    this.#held = undefined;
    this.#stopSending?.();
    if (inFlight) inFlight.connection = undefined;
    return inFlight;
  }

  #moved(): void {
    if (!this.#parser.begun) this.#movedTick = this.#owner.tick;
  }

  #end(): void {
    this.#ended = true;
    if (this.#held || !this.#inFlight) return;
    if (!this.#parser.endsWithConnection) return void this.fail(new errors.SocketError('other side closed'));
    this.#parser.finish();
    this.#settle(true);
  }

  #closed(): void {
    this.#owner.gone(this);
    // Bytes held before the end are still to be passed on.
    if (this.#inFlight && !(this.#held && this.#ended)) this.fail(new errors.SocketError('closed'));
  }

  /** Sends the caller's body with the backpressure of the app. */
  #sendBody(socket: Socket, inFlight: InFlight, body: IncomingMessage | Readable, length: number): void {
    let sent = 0;
    const onData = (chunk: Buffer) => {
      sent += chunk.length;
      inFlight.handler.onBodySent?.(chunk);
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
      if (length < 0) this.#endChunks(socket, inFlight, body);
      else if (sent !== length) this.fail(new errors.RequestContentLengthMismatchError());
    };
    // The caller's connection has closed.
    const onClose = () => this.drop();
    const stop = () => {
      this.#stopSending = undefined;
      body.off('data', onData).off('end', onEnd).off('close', onClose);
      socket.off('drain', onDrain);
      // Discard unread data.
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
