/**
 * The request that a web handler is given, where it didn't come by HTTP. Its signal is made when somebody asks for it:
 * hardly any function does, and it is the dearest part of a request.
 */

// Taken before a function's code can replace them.
const GenuineRequest = Request;
const GenuineController = AbortController;

const genuineClone = Request.prototype.clone;

type Input = ConstructorParameters<typeof Request>[0];
type Init = ConstructorParameters<typeof Request>[1];
/** Its members are accessors and methods of its prototype. */
const Base = GenuineRequest as new (input: Input, init: Init) => Omit<Request, 'signal' | 'clone'>;

/** Whether nobody waits for an answer any more. */
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

export class RunRequest extends Base {
  readonly #leave: Leave;

  constructor(input: Input, init: Init, leave: Leave) {
    super(input, init);
    this.#leave = leave;
  }

  /** What Deno itself doesn't know of a request of ours, for whatever is made of it. */
  static heard(input: unknown, init: Init): Init {
    const isOurs = typeof input === 'object' && input !== null && #leave in input;
    return isOurs && init?.signal === undefined ? { ...init, signal: input.#leave.signal } : init;
  }

  get signal(): AbortSignal {
    return this.#leave.signal;
  }

  clone(): Request {
    return new RunRequest(genuineClone.call(this), {}, this.#leave);
  }
}

/** What is made of a request hears of its caller's leaving, too. */
export function followRequests(): void {
  globalThis.Request = new Proxy(GenuineRequest, {
    construct: (target, [input, init]: [Input, Init], newTarget) =>
      Reflect.construct(target, [input, RunRequest.heard(input, init)], newTarget),
  });
  for (const { prototype } of [GenuineRequest, RunRequest])
    Object.defineProperty(prototype, 'constructor', { value: globalThis.Request, writable: true, configurable: true });
}
