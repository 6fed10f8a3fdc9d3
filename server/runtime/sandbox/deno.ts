/** Types for the part of Deno that the sandbox uses, so that it can be checked together with the service's code. */
type Stdio = { writeSync(bytes: Uint8Array): number; write(bytes: Uint8Array): Promise<number> };

export type UpgradeOptions = { protocol?: string; idleTimeout?: number };

export type Conn = {
  read(into: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  closeWrite(): Promise<void>;
  close(): void;
};
type Listener = AsyncIterable<Conn> & { addr: { port: number }; accept(): Promise<Conn>; close(): void };

type Deno = {
  args: string[];
  build: { arch: string };
  internal: symbol;
  [internals: symbol]: Internals | undefined;
  readFileSync(path: string): Uint8Array;
  env: {
    get(key: string): string | undefined;
    has(key: string): boolean;
    set(key: string, value: string): void;
    delete(key: string): void;
    toObject(): Record<string, string>;
  };
  createHttpClient(options: {
    proxy: { transport: 'unix'; path: string } | { transport: 'http'; url: string };
  }): object;
  connect(options: object): Promise<Conn>;
  connectTls(options: object): Promise<Conn>;
  resolveDns(name: string, ...more: unknown[]): Promise<unknown>;
  startTls(conn: Conn, options: object): Promise<Conn>;
  listen(options: { hostname: string; port: number } | { transport: 'unix'; path: string }): Listener;
  stdin: { readable: ReadableStream<Uint8Array> };
  stdout: Stdio;
  stderr: Stdio;
  exit(code: number): never;
  upgradeWebSocket(request: Request, options?: UpgradeOptions): { socket: WebSocket; response: Response };
  inspect(value: unknown, options?: Record<string, unknown>): string;
  permissions: {
    revokeSync(descriptor: { name: 'read' | 'write'; path: string } | { name: 'ffi' }): unknown;
    querySync(descriptor: { name: 'net'; host?: string }): { state: string };
  };
  dlopen(
    library: string,
    symbols: { syscall: { parameters: string[]; result: string } },
  ): { symbols: { syscall(...values: (bigint | Uint8Array | null)[]): number | bigint } };
  UnsafePointer: { of(bytes: Uint8Array): object | null; value(pointer: object | null): number | bigint };
  serve(
    options: { path: string; onListen(): void; onError(error: unknown): Response },
    handler: (request: Request, info: { completed: Promise<void> }) => Promise<Response> | Response,
  ): unknown;
};

/** Deno's internals, used if present, as none of them is guaranteed. */
type Internals = {
  /** From which node:process is made. */
  __nodeBootstrapArgs?: { argv0?: string; denoArgs?: string[] };
  core?: {
    AsyncVariable?: new <T>() => { get(): T | undefined; enter(value: T): object | undefined };
    setAsyncContext?: (context: object | undefined) => void;
  };
};

export const deno = (globalThis as unknown as { Deno: Deno }).Deno;

/** Uncaught errors: `reason` of a rejected promise, or the thrown `error`. */
type StrayEvent = { preventDefault(): void; reason?: unknown; error?: unknown };

export const onStray = (
  globalThis as unknown as {
    addEventListener(type: 'unhandledrejection' | 'error', listener: (event: StrayEvent) => void): void;
  }
).addEventListener.bind(globalThis);
