import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import type { Upstream } from '../../connections/upstream/upstream.ts';
import { codeOf, toUpstreamFailure } from '../../connections/upstream/upstream-failure.ts';
import { nativePath, requestHeaders, requestTrailers } from '../../connections/upstream/upstream-request.ts';
import { keepConnectionOpen } from '../../lib/bodies/drain-request.ts';
import { Failure } from '../../lib/failure.ts';
import { InFlight } from '../../platform/http1/connection.ts';
import type { ConnectionPool } from '../../platform/http1/connection-pool.ts';
import type { Ending, HeldWrites } from '../../platform/http1/held-writes.ts';
import { replaceTrace } from '../../platform/tracing/trace.ts';
import type { AddressedCall } from './addressed-call.ts';
import { type Body, canBeKept } from './body.ts';
import type { Call } from './call.ts';
import type { ConcurrencyLimit, Waiter } from './concurrency-limit.ts';
import { cutCall } from './cut-call.ts';
import { hasJsonLinks, JsonLinks } from './json-links.ts';
import { OpenCall } from './open-calls.ts';
import { refuse } from './refuse.ts';
import { answerHeaders, flatten } from './response.ts';
import { join, type Tunnel } from './tunnel.ts';
import { writeCopy } from './write-copy.ts';

type Controller = Dispatcher.DispatchController;
/** The clients for requests and for WebSocket upgrades, and the held writes of both sides. */
type Carriers = { pool: ConnectionPool; agent: Agent; writes: HeldWrites };
type Waits = { lost?: Error; ended?: boolean };

/** Size limit for draining a 401 that is not forwarded, so that its connection can be reused. */
const DROPPED_MAX_BYTES = 64 * 1024;
/** Responses up to this size are written as a string. */
const SHORT_BYTES = 16_384;
/** WebSocket peers send pings, so a connection without traffic for this long is dead. */
const TUNNEL_IDLE_MS = 600_000;

/**
 * Streams one request and its response. Each part of the response is forwarded at once, and reading pauses while the
 * caller is slower than the app. If the caller disconnects, the request to the app is aborted.
 *
 * If the connection's token can be refreshed, a 401 is held until the refresh completes; then a second exchange with
 * the new token replaces this one. Without a new token, or if the body was too large to buffer, the 401 is forwarded
 * unchanged.
 */
export class Exchange extends OpenCall implements Dispatcher.DispatchHandler, Waiter, Ending {
  readonly #carriers: Carriers;
  readonly #req: IncomingMessage;
  readonly #rest: string;
  /** Set if the caller requests a WebSocket. */
  readonly #tunnel: Tunnel | undefined;
  readonly #upstream: Upstream;
  readonly #addressed: AddressedCall;
  /** The body to send once a slot is free. */
  #body: Body = null;
  /** The limiter whose slot this exchange has; undefined while it waits. */
  #limiter: ConcurrencyLimit | undefined;
  #controller: Controller | undefined;
  /** The sent parts of a body that may have to be sent again. */
  #kept: Buffer[] | undefined;
  /** Remaining bytes of a response with Content-Length; otherwise -1. */
  #left = -1;
  #answered = false;
  /** The last part of a response, until it is sent. */
  #last: string | Buffer | undefined;
  #over = false;
  #resumes = false;
  /** While a 401 is held: the state of its connection. */
  #waits: Waits | undefined;
  #next: Exchange | undefined;
  /** A response whose links are rewritten, until it is complete. */
  #json: JsonLinks | undefined;
  #dropped = 0;

  constructor(
    carriers: Carriers,
    req: IncomingMessage,
    res: ServerResponse,
    call: Call,
    addressed: AddressedCall,
    tunnel: Tunnel | undefined,
  ) {
    super(call, res);
    this.#carriers = carriers;
    this.#req = req;
    this.#addressed = addressed;
    this.#upstream = addressed.upstream;
    this.#rest = addressed.rest;
    this.#tunnel = tunnel;
  }

  /** Requests a slot, and sends the request when it is free. */
  queue(limiter: ConcurrencyLimit, body: Body): void {
    if (this.#over) return;
    this.#body = body;
    limiter.acquire(this);
  }

  start(limiter: ConcurrencyLimit): void {
    this.#limiter = limiter;
    this.#send();
  }

  rejected(failure: Failure): void {
    this.fail(failure);
  }

  #send(): void {
    const req = this.#req;
    const upstream = this.#upstream;
    const body = this.#body;
    const method = req.method ?? 'GET';
    if (upstream.refresh && canBeKept(req)) this.#kept = [];
    try {
      const path = nativePath(upstream, this.#rest);
      const headers = requestHeaders(req.rawHeaders, req.headers.connection, upstream, body !== null);
      const { links, answerMs } = this.#addressed;
      // A body that is rewritten has to be read.
      if (links?.readsJson) setHeader(headers, 'Accept-Encoding', 'identity');
      if (this.call.span) replaceTrace(headers, this.call.span.trace);
      this.call.capture?.request(method, this.#rest, headers, upstream);
      if (upstream.sign) {
        const signable = body === null || body instanceof Buffer ? body : undefined;
        const form = signable && !upstream.signsBody ? signable.toString() : null;
        headers.push(...upstream.sign({ method, url: upstream.origin + path, form, headers, body: signable }));
      }
      const { origin } = upstream;
      const { pool, agent } = this.#carriers;
      const headersTimeout = answerMs === undefined ? {} : { headersTimeout: answerMs };
      if (this.#tunnel)
        agent.dispatch({ origin, path, method, headers, body, upgrade: 'websocket', ...headersTimeout }, this);
      else {
        const trailers = body === req ? (raw: readonly string[]) => requestTrailers(raw, upstream) : null;
        pool.dispatch({ origin, path, method, headers, body, trailers, mayBeQuiet: mayBeQuiet(req), answerMs }, this);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** The response is complete or the caller disconnected: releases the slot, and aborts the request for `cause`. */
  leave(limiter: ConcurrencyLimit, cause: string): void {
    if (this.#limiter) this.#limiter.release();
    else limiter.cancel(this);
    this.#abort(cause);
  }

  /** Ends the call with this failure, at shutdown. */
  cut(failure: Failure): void {
    if (this.#next) this.#next.cut(failure);
    else this.fail(failure);
  }

  #abort(cause: string): void {
    if (this.#next) this.#next.#abort(cause);
    if (this.#over) return;
    this.#over = true;
    this.call.noted.error ??= cause;
    this.#controller?.abort(new Error('the caller left'));
  }

  /** Ends the call with an error response of the service. */
  fail(cause: unknown): void {
    if (this.#over) return;
    this.#over = true;
    const controller = this.#controller;
    const isReached = controller instanceof InFlight && controller.isSent;
    const failure = cause instanceof Failure ? cause : toUpstreamFailure(cause);
    refuse(this.#req, this.res, this.call, cutCall(failure, cause, isReached, this.#req));
    this.#controller?.abort(new Error('call failed'));
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the caller left'));
  }

  onBodySent(chunk: Buffer): void {
    this.call.noted.request_bytes += chunk.length;
    this.#kept?.push(chunk);
    this.call.capture?.requestBody.add(chunk);
  }

  /** The app accepted the upgrade: forwards its response, then connects both sockets. */
  onRequestUpgrade(controller: Controller, status: number, _headers: unknown, app: Duplex): void {
    if (this.#over || !this.#tunnel) return void app.destroy();
    this.#over = true;
    const { socket, take } = this.#tunnel;
    const { noted } = this.call;
    const early = take();
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    const flat = flatten(controller.rawHeaders);
    for (let i = 0; i < flat.length; i += 2) head += `${flat[i]}: ${flat[i + 1]}\r\n`;
    socket.write(`${head}\r\n`, 'latin1');
    const before = { in: early.length - socket.bytesRead, out: -socket.bytesWritten };
    noted.status = status;
    // The byte counts are final on close. This listener runs before the one that logs the call.
    socket.prependOnceListener('close', () => {
      noted.request_bytes = socket.bytesRead + before.in;
      noted.response_bytes = socket.bytesWritten + before.out;
    });
    if (early.length > 0) app.write(early);
    join(socket, app, TUNNEL_IDLE_MS);
  }

  onResponseStart(controller: Controller, status: number, _headers: unknown, reason = ''): void {
    if (this.#over) return;
    if (status === 401 && this.#kept) {
      const body = this.#sentWhole();
      if (body !== undefined) {
        controller.pause();
        void this.#refresh(controller, reason, body);
        return;
      }
    }
    this.#answer(controller, status, reason);
  }

  #answer(controller: Controller, status: number, reason: string): void {
    const { flat, length } = answerHeaders(controller.rawHeaders);
    if (status < 200) {
      this.#inform(status, reason, flat);
      return;
    }
    const res = this.res;
    this.call.noted.status = status;
    this.call.capture?.response(status, reason, flat);
    this.#kept = undefined;
    keepConnectionOpen(this.#req, res);
    const { links } = this.#addressed;
    if (links) {
      links.headers(flat);
      const head = { status, reason, flat };
      if (hasJsonLinks(links, this.#req.method, head)) {
        this.#json = new JsonLinks(head, links);
        return;
      }
    }
    this.#begin(status, reason, flat, length);
  }

  #begin(status: number, reason: string, flat: string[], length: number): void {
    const res = this.res;
    res.sendDate = false;
    res.writeHead(status, reason, flat);
    this.#left = this.#req.method === 'HEAD' ? -1 : length;
    // Without a length the first byte may be delayed, as in an event stream: send the headers now.
    if (this.#left >= 0) return;
    this.#hold();
    res.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#over) {
      this.#dropped += chunk.length;
      if (this.#dropped > DROPPED_MAX_BYTES) controller.abort(new Error('drain limit reached'));
      return;
    }
    const res = this.res;
    this.call.noted.response_bytes += chunk.length;
    this.call.capture?.responseBody.add(chunk);
    if (this.#json) {
      if (this.#json.add(chunk)) return;
      this.#stream(controller, this.#json);
      return;
    }
    if (this.#left >= 0) {
      this.#left -= chunk.length;
      if (this.#left === 0) {
        this.#answered = true;
        if (chunk.length <= SHORT_BYTES) {
          // Node writes a string in one piece with the headers.
          this.#last = chunk.toString('latin1');
          this.#carriers.writes.end(this);
        } else res.end(Buffer.from(chunk));
        return;
      }
    }
    this.#write(controller, chunk);
  }

  /** A body that is too long to be rewritten is forwarded unchanged. */
  #stream(controller: Controller, json: JsonLinks): void {
    this.#json = undefined;
    const { status, reason, flat } = json.head;
    this.#begin(status, reason, flat, -1);
    this.#write(controller, json.bytes());
  }

  #write(controller: Controller, chunk: Buffer): void {
    const { res } = this;
    if (chunk.length <= SHORT_BYTES) this.#hold();
    if (writeCopy(res, chunk)) return;
    controller.pause();
    if (this.#resumes) return;
    this.#resumes = true;
    res.on('drain', () => controller.resume());
  }

  onResponseEnd(controller: Controller): void {
    if (this.#over) return;
    if (this.#waits) {
      this.#waits.ended = true;
      return;
    }
    this.#over = true;
    if (this.#answered) return;
    if (this.#json) {
      const { flat, body } = this.#json.whole();
      this.#begin(this.#json.head.status, this.#json.head.reason, flat, body.length);
      this.#last = body;
      this.#carriers.writes.end(this);
      return;
    }
    const flat = flatten(controller.rawTrailers);
    const trailers: [string, string][] = [];
    for (let i = 0; i < flat.length; i += 2) trailers.push([flat[i] ?? '', flat[i + 1] ?? '']);
    if (trailers.length > 0) this.res.addTrailers(trailers);
    this.#carriers.writes.end(this);
  }

  /** Ends the response to the caller, who may have left in the meantime. */
  end(): void {
    const { res } = this;
    if (!res.destroyed) res.end(this.#last, 'latin1');
  }

  /** Holds what is written to the caller in this turn. Without a socket an earlier response is still being sent. */
  #hold(): void {
    const { socket } = this.res;
    if (socket) this.#carriers.writes.hold(socket);
  }

  onResponseError(_controller: Controller, error: Error): void {
    const { noted } = this.call;
    if (this.#waits) this.#waits.lost = error;
    else {
      if (noted.status !== null && !this.#over) noted.error = `The app’s response was interrupted (${codeOf(error)}).`;
      this.fail(error);
    }
  }

  /** The complete body (null: no body); undefined if it was not fully sent. */
  #sentWhole(): Buffer | null | undefined {
    const body = Buffer.concat(this.#kept ?? []);
    if (body.length !== Number(this.#req.headers['content-length'] ?? 0)) return undefined;
    return body.length > 0 ? body : null;
  }

  async #refresh(controller: Controller, reason: string, body: Buffer | null): Promise<void> {
    const waits: Waits = {};
    this.#waits = waits;
    const fresh = await this.#upstream.refresh?.().catch(() => undefined);
    this.#waits = undefined;
    if (this.#over) return;
    if (fresh) {
      this.#over = true;
      this.call.noted.request_bytes = 0;
      // One repetition only: its response is forwarded, even if it is another 401.
      const { refresh: _, ...once } = fresh;
      const again = { ...this.#addressed, upstream: once };
      this.#next = new Exchange(this.#carriers, this.#req, this.res, this.call, again, this.#tunnel);
      this.#next.#body = body;
      this.#next.#send();
    } else if (waits.lost) {
      this.fail(waits.lost);
      return;
    } else {
      this.#answer(controller, 401, reason);
      if (waits.ended) this.onResponseEnd(controller);
    }
    if (!waits.lost && !waits.ended) controller.resume();
  }

  /** Forwards 102, 103 and similar responses. The HTTP server handles 100, and a 101 would change the protocol. */
  #inform(status: number, reason: string, flat: string[]): void {
    if (status <= 101 || this.#req.httpVersion === '1.0') return;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    for (let i = 0; i < flat.length; i += 2) head += `${flat[i]}: ${flat[i + 1]}\r\n`;
    // Null while an earlier response is being sent on this connection. Informational responses are optional.
    this.res.socket?.write(`${head}\r\n`, 'latin1');
  }
}

function setHeader(headers: string[], name: string, value: string): void {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  if (at < 0) headers.push(name, value);
  else headers[at + 1] = value;
}

/** Event streams have no idle timeout. */
function mayBeQuiet({ headers: { accept } }: IncomingMessage): boolean {
  return accept !== undefined && /\btext\/event-stream\b/i.test(accept);
}
