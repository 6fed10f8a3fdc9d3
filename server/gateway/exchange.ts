import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Agent, Dispatcher } from 'undici';
import type { Caller } from './gateway.ts';
import { refuse, toUpstreamFailure } from './refuse.ts';
import { answerHeaders, flatten } from './response.ts';

export type Call = Caller & { log: Logger };
type Controller = Dispatcher.DispatchController;

/**
 * One request and its answer, flowing. undici tells of the answer part by part; each part goes on at once, and reading
 * stops while the caller is slower than the app. A caller who leaves ends the request at the app as well.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #call: Call;
  #controller: Controller | undefined;
  /** Bytes still to come when the app announced how many; -1 when it didn't. */
  #left = -1;
  #answered = false;
  #over = false;
  #resumes = false;

  constructor(req: IncomingMessage, res: ServerResponse, call: Call) {
    this.#req = req;
    this.#res = res;
    this.#call = call;
  }

  start(agent: Agent, options: Dispatcher.DispatchOptions): void {
    this.#res.once('close', () => {
      if (this.#over) return;
      this.#over = true;
      this.#controller?.abort(new Error('the caller left'));
    });
    try {
      agent.dispatch(options, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the caller left'));
  }

  onResponseStart(controller: Controller, status: number, _headers: unknown, reason = ''): void {
    const { flat, length } = answerHeaders(controller.rawHeaders);
    if (status < 200) {
      this.#inform(status, reason, flat);
      return;
    }
    const res = this.#res;
    res.sendDate = false;
    res.writeHead(status, reason, flat);
    this.#left = this.#req.method === 'HEAD' ? -1 : length;
    // Without a length the first byte may be long in coming, as in an event stream: the headers go ahead of it.
    if (this.#left < 0) res.flushHeaders();
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const res = this.#res;
    if (this.#left >= 0) {
      this.#left -= chunk.length;
      if (this.#left === 0) {
        this.#answered = true;
        res.end(chunk);
        return;
      }
    }
    if (res.write(chunk)) return;
    controller.pause();
    if (this.#resumes) return;
    this.#resumes = true;
    res.on('drain', () => controller.resume());
  }

  onResponseEnd(controller: Controller): void {
    this.#over = true;
    if (this.#answered) return;
    const flat = flatten(controller.rawTrailers);
    const trailers: [string, string][] = [];
    for (let i = 0; i < flat.length; i += 2) trailers.push([flat[i] ?? '', flat[i + 1] ?? '']);
    if (trailers.length > 0) this.#res.addTrailers(trailers);
    this.#res.end();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    refuse(this.#req, this.#res, this.#call, toUpstreamFailure(error));
  }

  /** 102, 103 and the like; a 100 is the server's own business, a 101 would change the protocol. */
  #inform(status: number, reason: string, flat: string[]): void {
    if (status <= 101 || this.#req.httpVersion === '1.0') return;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    for (let i = 0; i < flat.length; i += 2) head += `${flat[i]}: ${flat[i + 1]}\r\n`;
    // Null while an earlier answer of the same connection is still going out; information may be left out.
    this.#res.socket?.write(`${head}\r\n`, 'latin1');
  }
}
