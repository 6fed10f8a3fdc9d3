/**
 * The request of a web handler when it was not sent by HTTP. A real Request is created only when more than its method
 * and URL is used: it is the most expensive part of a short run, and many handlers do not need it.
 */
import { neverTap } from './answer.ts';

// Saved before a function's code can replace them.
const GenuineRequest = Request;
const GenuineController = AbortController;
const GenuineUrl = URL;

type Input = ConstructorParameters<typeof Request>[0];
type Init = ConstructorParameters<typeof Request>[1];
type Sent = { headers: Iterable<readonly [string, string]>; body: Uint8Array<ArrayBuffer> | null };

/** Whether the caller still waits for the response; aborts the request's signal. */
export class Leave {
  isGone = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.#controller ??= new GenuineController();
    if (this.isGone) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.isGone = true;
    this.#controller?.abort();
  }
}

const NOTHING: Sent = { headers: [], body: null };

export class RunRequest {
  readonly #leave: Leave;
  readonly #url: string;
  readonly #method: string;
  /** The data for the real Request, until it is created. */
  #sent: Sent;
  #genuine: Request | undefined;

  /** `method` is a known HTTP method in upper case; `headers` are valid. Throws for an invalid URL. */
  constructor(address: string, method: string, sent: Sent, leave: Leave) {
    this.#url = new GenuineUrl(address).href;
    this.#method = method;
    this.#sent = sent;
    this.#leave = leave;
  }

  /** Adds the signal of our request, which Deno does not know, to a Request created from it. */
  static withSignal(input: unknown, init: Init): Init {
    const isOurs = typeof input === 'object' && input !== null && #leave in input;
    return isOurs && init?.signal === undefined ? { ...init, signal: input.#leave.signal } : init;
  }

  /** Exposes the internal symbols of a real Request, so that all of its members work on ours. */
  static takeAfter(sample: Request): void {
    Object.setPrototypeOf(RunRequest.prototype, GenuineRequest.prototype);
    for (const key of Reflect.ownKeys(sample))
      Object.defineProperty(RunRequest.prototype, key, {
        get(this: RunRequest) {
          return Reflect.get(this.#open(), key);
        },
        set(this: RunRequest, value: unknown) {
          Reflect.set(this.#open(), key, value);
        },
      });
  }

  get url(): string {
    return this.#url;
  }

  get method(): string {
    return this.#method;
  }

  get signal(): AbortSignal {
    return this.#leave.signal;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    const { body } = this.#open();
    neverTap(body);
    return body;
  }

  clone(): RunRequest {
    const clone = new RunRequest(this.#url, this.#method, NOTHING, this.#leave);
    clone.#genuine = this.#open().clone();
    return clone;
  }

  #open(): Request {
    if (this.#genuine) return this.#genuine;
    const { headers, body } = this.#sent;
    this.#sent = NOTHING;
    const init = {
      method: this.#method,
      body,
      redirect: 'manual' as const,
      headers: Array.from(headers, ([name, value]) => [name, value]),
    };
    this.#genuine = new GenuineRequest(this.#url, init as Init);
    return this.#genuine;
  }
}

/** Requests created from another one are aborted with it. */
export function followRequests(): void {
  RunRequest.takeAfter(new GenuineRequest('http://localhost/'));
  globalThis.Request = new Proxy(GenuineRequest, {
    construct: (target, [input, init]: [Input, Init], newTarget) =>
      Reflect.construct(target, [input, RunRequest.withSignal(input, init)], newTarget),
  });
  for (const { prototype } of [GenuineRequest, RunRequest])
    Object.defineProperty(prototype, 'constructor', { value: globalThis.Request, writable: true, configurable: true });
}
