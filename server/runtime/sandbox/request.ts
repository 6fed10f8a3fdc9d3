/**
 * The request that a web handler is given, where it didn't come by HTTP. A genuine one is made when somebody asks for
 * more than its method and address: with all that it is made of it is the dearest part of a short run, and many a
 * handler has no use for it.
 */
import { neverTap } from './answer.ts';

// Taken before a function's code can replace them.
const GenuineRequest = Request;
const GenuineController = AbortController;
const GenuineUrl = URL;

type Input = ConstructorParameters<typeof Request>[0];
type Init = ConstructorParameters<typeof Request>[1];
type Sent = { headers: Iterable<readonly [string, string]>; body: Uint8Array<ArrayBuffer> | null };

/** Whether no caller waits for an answer any more. */
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
  /** What a genuine one is made of, until there is one. */
  #sent: Sent;
  #genuine: Request | undefined;

  /** `method` is one that HTTP knows, in upper case; `headers` are such as can be sent. Throws what is no address. */
  constructor(address: string, method: string, sent: Sent, leave: Leave) {
    this.#url = new GenuineUrl(address).href;
    this.#method = method;
    this.#sent = sent;
    this.#leave = leave;
  }

  /** What Deno itself doesn't know of a request of ours, for whatever is made of it. */
  static withSignal(input: unknown, init: Init): Init {
    const isOurs = typeof input === 'object' && input !== null && #leave in input;
    return isOurs && init?.signal === undefined ? { ...init, signal: input.#leave.signal } : init;
  }

  /** What the genuine one keeps for itself is found here too: then all of its members work on ours. */
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

/** What is made of a request is notified of its caller's leaving, too. */
export function followRequests(): void {
  RunRequest.takeAfter(new GenuineRequest('http://localhost/'));
  globalThis.Request = new Proxy(GenuineRequest, {
    construct: (target, [input, init]: [Input, Init], newTarget) =>
      Reflect.construct(target, [input, RunRequest.withSignal(input, init)], newTarget),
  });
  for (const { prototype } of [GenuineRequest, RunRequest])
    Object.defineProperty(prototype, 'constructor', { value: globalThis.Request, writable: true, configurable: true });
}
