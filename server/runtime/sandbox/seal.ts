/**
 * Removes capabilities from a function's code that Deno's permissions cannot deny. `--allow-net` for all addresses
 * includes abstract unix sockets and vsock, on which other programs and functions listen; WebGPU loads the machine's
 * graphics driver, a compiler of native code, into the process. Called when the sandbox has what it needs.
 */
import { deno } from './deno.ts';
import { changeNode } from './node.ts';

const { assign, create, getPrototypeOf, getOwnPropertyNames } = Object;
const { deleteProperty } = Reflect;
const NOT_PERMITTED = -1;
const PROXIES = new Set<unknown>(['http', 'https', 'socks5', 'tcp']);
const GRAPHICS = /^(GPU|OffscreenCanvas$|ImageBitmapRenderingContext$)/;
const PIPE_METHODS = ['connect', 'connect2', 'bind', 'bind2', 'listen', 'open'];

class NotAvailable extends Error {
  override name = 'NotCapable';
}
const refuse = (what: string): never => {
  throw new NotAvailable(`${what} is not available to a function`);
};

/** A copy that does not change afterwards, whatever getters or Object.prototype do. */
const copied = (options: unknown): Record<string, unknown> => assign(create(null), options);

export function seal(): void {
  const { connect, createHttpClient } = deno;
  const closed = (name: string) => () => refuse(`Deno.${name}`);
  assign(deno, {
    connect: async (options: unknown) => {
      const own = copied(options);
      if (own['transport'] !== undefined && own['transport'] !== 'tcp') return refuse('A socket other than TCP');
      own['transport'] = 'tcp';
      return connect(own);
    },
    createHttpClient: (options: unknown) => {
      const own = copied(options);
      own['proxy'] ??= undefined;
      if (own['proxy'] !== undefined) {
        const proxy = copied(own['proxy']);
        // Always set, so that none is inherited.
        proxy['transport'] ??= undefined;
        if (proxy['transport'] !== undefined && !PROXIES.has(proxy['transport'])) refuse('A proxy other than by TCP');
        own['proxy'] = proxy;
      }
      return createHttpClient(own as unknown as Parameters<typeof createHttpClient>[0]);
    },
    ...Object.fromEntries(
      ['listen', 'listenTls', 'listenDatagram', 'serve', 'UnsafeWindowSurface'].map((name) => [name, closed(name)]),
    ),
  });
  // Deno's internals would restore access to all of it.
  deleteProperty(deno, deno.internal);
  for (const name of getOwnPropertyNames(globalThis)) if (GRAPHICS.test(name)) deleteProperty(globalThis, name);
  deleteProperty(getPrototypeOf(navigator), 'gpu');
  changeNode((_, process) => {
    sealPipes(process as unknown as Bindings);
    sealThreads(process as unknown as Builtins);
    sealFlags(process as unknown as Builtins);
  });
}

type Builtins = {
  getBuiltinModule(name: 'node:worker_threads'): { Worker: object };
  getBuiltinModule(name: 'node:v8'): object;
};

/**
 * A thread would start without these restrictions. Its class cannot be removed from a module, which code may import by
 * a computed name, but its constructor first calls that of its superclass.
 */
function sealThreads(process: Builtins): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  Object.setPrototypeOf(Worker, function Unavailable() {
    return refuse('A worker thread');
  });
  Object.preventExtensions(Worker);
}

/**
 * V8's flags would change the engine, such as its checks and limits. As in Node, where a flag may have no effect, the
 * call does nothing. node:v8 exports what this object has when a function first imports it.
 */
function sealFlags(process: Builtins): void {
  const nothing = () => undefined;
  assign(process.getBuiltinModule('node:v8'), { setFlagsFromString: nothing, setHeapSnapshotNearHeapLimit: nothing });
}

type Bindings = { binding(name: 'pipe_wrap'): { Pipe: { prototype: object } } };

/** The pipes of node:net and everything built on it. A number as result means an error. */
function sealPipes(process: Bindings): void {
  let prototype: object | null = process.binding('pipe_wrap').Pipe.prototype;
  for (; prototype && prototype !== Object.prototype; prototype = getPrototypeOf(prototype))
    for (const name of PIPE_METHODS)
      if (Object.hasOwn(prototype, name))
        Object.defineProperty(prototype, name, { value: () => NOT_PERMITTED, configurable: false, writable: false });
}
