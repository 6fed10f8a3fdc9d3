/** The program of a service process: one of several on a machine. The main process starts and stops it by messages. */
import { readConfig } from '../config.ts';
import { dividedShares } from '../lib/shares/divide.ts';
import { withinTime } from '../lib/time-limit.ts';
import type { Start, ToMain, ToService } from './messages.ts';
import { startHere } from './one-process.ts';
import { createLog, explain, FORCED_EXIT_MS, type Program } from './program.ts';

const PAGE_MS = 2_000;

const send = (message: ToMain) => void process.send?.(message);

const pages = new Map<number, PromiseWithResolvers<string>>();
let lastAsked = 0;
let ownMetrics: () => Promise<object[]> = async () => [];

/** Asks the main process for the metrics of all processes. */
async function metricsPage(): Promise<string> {
  const asked = ++lastAsked;
  const page = Promise.withResolvers<string>();
  pages.set(asked, page);
  send({ type: 'page', asked });
  const late = () => new Error('the main process did not answer in time');
  return withinTime(page.promise, PAGE_MS, late).finally(() => pages.delete(asked));
}

async function start({ env, connection, port, version, isFirst }: Start): Promise<Program> {
  const config = readConfig(env);
  const allMetrics = (own: () => Promise<object[]>) => {
    ownMetrics = own;
    return metricsPage;
  };
  return startHere(
    { ...config, port: port ?? config.port, shares: dividedShares(config.shares, config.processes) },
    { log: createLog(config.logLevel), version, process: { connection, isFirst, allMetrics } },
  );
}

let program: Promise<Program> | undefined;

/** Stops the service, then ends this process. */
async function end(how: 'stop' | 'stopNow'): Promise<void> {
  const code = await (program ?? Promise.resolve(undefined))
    .then((running) => running?.[how]())
    .then(
      () => 0,
      () => 1,
    );
  process.exit(code);
}

function endNow(): void {
  setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
  void end('stopNow');
}

process.on('message', (message: ToService) => {
  if (message.type === 'start') {
    program = start(message);
    program.then(
      ({ port, welcomeUrl, sandbox }) => send({ type: 'ready', port, welcomeUrl, sandbox }),
      (error: unknown) => {
        send({ type: 'failed', why: explain(error) });
        process.disconnect();
      },
    );
  } else if (message.type === 'stop') void end('stop');
  else if (message.type === 'stop now') endNow();
  else if (message.type === 'page') pages.get(message.asked)?.resolve(message.page);
  else
    void ownMetrics().then((metrics) => {
      send({ type: 'metrics', asked: message.asked, metrics });
    });
});
// The main process has ended, in whatever way.
process.once('disconnect', endNow);
// The terminal sends it to all processes; the main process says when to stop. A service manager that ends all
// processes sends SIGTERM.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void end('stop'));
process.stdout.on('error', () => {});
