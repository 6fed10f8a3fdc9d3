/**
 * A service of several processes, for the cores of one machine.
 *
 * Parts. The *main process* starts the embedded database, if it is used, and the *service processes*. Each of them is a
 * node of a cluster: a whole service, with the same data folder, on the same port, among which the kernel distributes
 * connections. The first one starts alone, as it migrates the database and stores the first account; then the others.
 *
 * A service process that ends is replaced, after a growing pause if each ends soon after its start. If the
 * main process ends, in whatever way, so do the others; the watchdog then stops the embedded database.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startEmbedded } from '../platform/database/embedded/start.ts';
import type { Ready, Start, ToMain, ToService } from './messages.ts';
import { createMetricsPages, type MetricsPages } from './metrics-pages.ts';
import { type Program, StartFailure } from './program.ts';

const PROGRAM = fileURLToPath(new URL('./service-process.ts', import.meta.url));
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this time did not fail at its start. */
const SETTLED_MS = 60_000;

type Parts = {
  log: Logger;
  version: string;
  /** The environment with all settings. */
  env: Record<string, string | undefined>;
};
type Child = {
  process: ChildProcess;
  ready: Promise<Ready>;
  ended: Promise<void>;
  send(message: ToService): void;
};

/** Resolves when the first process is ready; rejects if it can't start. */
export async function startProcesses(config: Config, { log, version, env }: Parts): Promise<Program> {
  if (config.port !== 0) await checkFree(config);
  const embedded = config.databaseUrl === undefined ? await startEmbedded({ ...config, log }) : undefined;
  const running = new Set<Child>();
  const pages = createMetricsPages();
  let stopping: Promise<void> | undefined;

  function begin(port: number | undefined): Child {
    const service = startService({ env, connection: embedded?.connection, port, version, isFirst: !port }, pages);
    running.add(service);
    void service.ended.then(() => running.delete(service));
    return service;
  }

  /** Keeps a process running on the port. */
  async function keep(port: number, first?: Child): Promise<void> {
    let soonEnds = 0;
    for (let service = first ?? begin(port); ; service = begin(port)) {
      const startedMs = performance.now();
      service.ready.catch((error: Error) => log.error({ cause: error.message }, 'a service process could not start'));
      await service.ended;
      if (stopping !== undefined) return;
      soonEnds = performance.now() - startedMs > SETTLED_MS ? 0 : soonEnds + 1;
      // At once, unless it ends again and again.
      const pauseMs = soonEnds < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (soonEnds - 2), LONGEST_PAUSE_MS);
      const { pid, exitCode, signalCode } = service.process;
      log.error({ ended: pid, exitCode, signalCode, pauseMs }, 'a service process ended; another one replaces it');
      await new Promise((ok) => setTimeout(ok, pauseMs));
      if (stopping !== undefined) return;
    }
  }

  const stop = (type: 'stop' | 'stop now') => {
    for (const { send } of running) send({ type });
    stopping ??= Promise.all([...running].map(({ ended }) => ended)).then(() => embedded?.stop());
    return stopping;
  };

  const first = begin(undefined);
  const ready = await first.ready.catch(async (error: unknown) => {
    await embedded?.stop();
    throw error;
  });
  void keep(ready.port, first);
  for (let n = 1; n < config.processes; n++) void keep(ready.port);
  return { ...ready, stop: () => stop('stop'), stopNow: () => stop('stop now') };
}

function startService(start: Start, pages: MetricsPages): Child {
  const child = fork(PROGRAM, { serialization: 'advanced' });
  const ready = Promise.withResolvers<Ready>();
  const send = (message: ToService) => {
    // A process that has ended gets nothing.
    if (child.connected) child.send(message, () => {});
  };
  const member = { send };
  child.on('message', (message: ToMain) => {
    if (message.type === 'ready') {
      pages.add(member);
      ready.resolve(message);
    } else if (message.type === 'failed') ready.reject(new StartFailure(message.why));
    else if (message.type === 'metrics') pages.receive(member, message);
    else void pages.make().then((page) => send({ type: 'page', asked: message.asked, page }));
  });
  const ended = new Promise<void>((ok) => {
    const end = (why: string) => {
      pages.remove(member);
      ready.reject(new StartFailure(why));
      ok();
    };
    child.once('exit', (code, signal) => end(`a service process ended with ${signal ?? `exit code ${code}`}`));
    // It could not be started at all.
    child.once('error', ({ message }) => end(message));
  });
  ready.promise.catch(() => {});
  send({ type: 'start', ...start });
  return { process: child, ready: ready.promise, ended, send };
}

/** With `reusePort` the processes would share the port of a Sluice that runs already. */
function checkFree({ host, port }: Config): Promise<void> {
  const server = createServer();
  return new Promise((ok, refuse) => {
    server.once('error', refuse).listen({ host, port, exclusive: true }, () => server.close(() => ok()));
  });
}
