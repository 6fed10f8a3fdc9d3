/**
 * Opens Python in a sandboxed process. Pyodide's engine is opened directly, because its loader needs a file system and
 * Node's modules. A memory snapshot contains host.py and the modules it imports; without one, they are imported now,
 * which takes seconds. The bundle of this file is the INTERPRETER_FILE of the language's folder.
 */
import type { LogLevel } from '../../../../contract/states.ts';
import { type RequestHead, requestEvent } from '../../event.ts';
import type { Assignment } from '../../fleet/frames.ts';
import { deno } from '../../sandbox/deno.ts';
import type { Context, Handler, Incoming } from '../../sandbox/handler.ts';
import type { OpenInterpreter, Tools } from '../../sandbox/interpreter.ts';

type PyFunction = { callPromising(...values: unknown[]): Promise<unknown> } & ((...values: unknown[]) => unknown);
type Pyodide = {
  FS: { mkdirTree(path: string): void; writeFile(path: string, data: Uint8Array | string): void };
  pyimport(name: string): Record<'begin' | 'load' | 'run' | 'settle' | 'next_piece' | 'close_body', PyFunction>;
  makeMemorySnapshot(): Uint8Array;
};
type Engine = {
  FS: Pyodide['FS'] & { chdir(path: string): void };
  ENV: Record<string, string>;
  API: Api;
};
type Api = {
  config: object;
  lockFilePromise: Promise<object>;
  sitePackages?: string;
  packageIndexReady?: Promise<void>;
  on_fatal?: (error: unknown) => void;
  _pyodide?: { set_excepthook(): void };
  restoreSnapshot?(bytes: Uint8Array): unknown;
  finalizeBootstrap?(state: unknown): Pyodide;
  initializeStreams?(stdin: () => null, stdout: (text: string) => void, stderr: (text: string) => void): void;
};

/** The used part of WebAssembly, which the service's types do not include. */
const { Memory, compile, instantiate } = (
  globalThis as unknown as {
    WebAssembly: {
      Memory: new (size: { initial: number; maximum: number }) => object;
      compile(bytes: Uint8Array): Promise<object>;
      instantiate(module: object, imports: object): Promise<object>;
    };
  }
).WebAssembly;

const SITE_PACKAGES = '/lib/python3.12/site-packages';
const FOLDER = '/function';
const LONG_TEXT = 16_384;
const PAGE_BYTES = 65_536;
const BEGINNING_BYTES = 20 * 1024 * 1024;
/** About 128 MB more than the interpreter needs. Above it, Python raises a MemoryError. */
const MEMORY_BYTES = 160 * 1024 * 1024;

/** `folder` was filled by interpreter.ts of the service. */
export const open: OpenInterpreter = async (folder, tools, isMaking) => {
  const read = (name: string) => deno.readFileSync(`${folder}/${name}`);
  const text = (name: string) => new TextDecoder().decode(read(name));
  const host: Record<string, string> = JSON.parse(text('host.json'));
  const { default: createEngine }: { default(settings: object): Promise<Engine> } = await import(
    String(`file://${folder}/engine.mjs`)
  );
  const snapshot = isMaking ? undefined : found(() => read('snapshot'));
  const api: Api = {
    config: {
      jsglobals: globalThis,
      env: {},
      packages: [],
      indexURL: '/',
      packageCacheDir: '/',
      enableRunUntilComplete: true,
      BUILD_ID: text('build-id'),
      _makeSnapshot: isMaking,
    },
    // Packages available for download: none.
    lockFilePromise: Promise.resolve({
      info: { arch: 'wasm32', platform: 'emscripten', version: text('version'), python: '3.12' },
      packages: {},
    }),
  };
  const module = await compile(read('pyodide.asm.wasm'));
  const library = read('python_stdlib.zip');
  const prepare = (engine: Engine) => {
    engine.API.sitePackages = SITE_PACKAGES;
    engine.FS.mkdirTree(`${SITE_PACKAGES}/_sluice`);
    engine.FS.writeFile('/lib/python312.zip', library);
    for (const [name, source] of Object.entries(host)) engine.FS.writeFile(`${SITE_PACKAGES}/_sluice/${name}`, source);
    engine.FS.mkdirTree(FOLDER);
    engine.FS.chdir(FOLDER);
    // Without the last one, Python's main() would end the process.
    Object.assign(engine.ENV, { HOME: FOLDER, LANG: 'C.UTF-8', PYTHONINSPECT: '1' });
  };
  const refused = Promise.withResolvers<never>();
  const opened = createEngine({
    API: api,
    noImageDecoding: true,
    noAudioDecoding: true,
    noInitialRun: snapshot !== undefined,
    preRun: [prepare],
    arguments: [],
    print: (text: string) => tools.say('info', text),
    printErr: (text: string) => tools.say('error', text),
    quit: (status: number) => tools.exit(status),
    locateFile: (name: string) => name,
    wasmMemory: new Memory({
      initial: Math.ceil((snapshot?.length ?? BEGINNING_BYTES) / PAGE_BYTES),
      maximum: MEMORY_BYTES / PAGE_BYTES,
    }),
    instantiateWasm(imports: object, done: (instance: object, module: object) => void) {
      void instantiate(module, imports).then((instance) => done(instance, module), refused.reject);
      return {};
    },
  });
  await Promise.race([opened, refused.promise]);
  const python = api.finalizeBootstrap?.(snapshot && api.restoreSnapshot?.(snapshot));
  if (!python) throw new Error('The engine did not open');
  api._pyodide?.set_excepthook();
  await api.packageIndexReady;
  api.initializeStreams?.(
    () => null,
    (text) => tools.say('info', text),
    (text) => tools.say('error', text),
  );
  const main = python.pyimport('_sluice.host');
  if (isMaking) return { load: () => Promise.reject(), makeSnapshot: () => python.makeMemorySnapshot() };
  main.begin((level: LogLevel, text: string) => tools.say(level, text), fetchWhole);
  // After a fault of the interpreter, its state is undefined.
  api.on_fatal = (error) => {
    tools.say('error', `The interpreter failed: ${error}`);
    tools.exit(70);
  };
  return {
    load: (assignment) => loadHandler(main, tools, assignment),
    makeSnapshot: () => new Uint8Array(),
  };
};

/** fetch for fetching.py: returns the complete response, or 0 with the name and message of the error. Never rejects. */
async function fetchWhole(address: string, wanted: string, body?: Uint8Array<ArrayBuffer>): Promise<unknown[]> {
  const { method, headers, timeout }: { method: string; headers: [string, string][]; timeout: number | null } =
    JSON.parse(wanted);
  try {
    const response = await fetch(address, {
      method,
      headers,
      redirect: 'manual',
      ...(body ? { body } : {}),
      ...(timeout === null ? {} : { signal: AbortSignal.timeout(timeout) }),
    });
    return [response.status, response.statusText, [...response.headers], new Uint8Array(await response.arrayBuffer())];
  } catch (error) {
    return error instanceof Error ? [0, error.name, `${error.message}${reasonOf(error)}`, null] : [0, '', '', null];
  }
}

const reasonOf = ({ cause }: Error) => (cause instanceof Error ? `: ${cause.message}` : '');

function found<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

async function loadHandler(
  main: ReturnType<Pyodide['pyimport']>,
  tools: Tools,
  { code, handler, env, label }: Assignment,
): Promise<Handler> {
  /** Input and output handles of a run. */
  const own = () => {
    const scope = tools.currentScope();
    const say = (level: LogLevel, text: string) => tools.within(scope, () => tools.say(level, text));
    return [scope.runId, scope.gatewayToken, say] as const;
  };
  settled(await main.load.callPromising(...own(), code, handler, JSON.stringify(env)));
  return async (incoming: Incoming, head: RequestHead, context: Context) => {
    const body = incoming.body ? new Uint8Array(await incoming.arrayBuffer()) : new Uint8Array();
    const event = crossing(JSON.stringify(requestEvent(head, label, body)));
    const [runId, token, say] = own();
    const keep = () => context.waitUntil(Promise.resolve().then(() => main.settle.callPromising(runId)));
    const [status, headers, whole, isBase64, isMade] = settled(
      await main.run.callPromising(runId, token, say, keep, event, label),
    );
    const answer = isMade ? bodyInPieces(main, runId) : whole;
    let response: Response | undefined;
    try {
      response = tools.responseOf({
        status,
        headers: JSON.parse(String(headers)),
        body: answer,
        is_base64_encoded: isBase64,
      });
      return response;
    } finally {
      // A status without a body, or an invalid one: no chunk will be requested.
      if (isMade && !response?.body) await main.close_body.callPromising(runId);
    }
  };
}

/** Converting a long text to Python takes many times its size; its bytes do not. */
const crossing = (text: string) => (text.length > LONG_TEXT ? new TextEncoder().encode(text) : text);

/** The chunks of a generator, each requested after the previous one was consumed. */
function bodyInPieces(main: ReturnType<Pyodide['pyimport']>, runId: string): ReadableStream<Uint8Array> {
  let asked: Promise<unknown> = Promise.resolve();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const [piece] = settled(await main.next_piece.callPromising(runId));
    if (piece instanceof Uint8Array) controller.enqueue(piece);
    else controller.close();
  };
  return new ReadableStream(
    {
      pull: (controller) => {
        const pulled = pull(controller);
        asked = pulled.catch(() => undefined);
        return pulled;
      },
      // A generator cannot be closed while it produces a chunk.
      cancel: async () => {
        await asked;
        await main.close_body.callPromising(runId);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Converts a result; an exception becomes an error of the sandbox. */
function settled(outcome: unknown): unknown[] {
  const [kind, ...rest] = Array.isArray(outcome) ? (outcome as unknown[]) : [];
  if (kind !== 'throw') return rest;
  const [name, message, stack] = rest.map(String);
  throw Object.assign(new Error(message), { name, stack });
}
