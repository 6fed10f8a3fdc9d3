/** The program: environment → config → app → run until a signal. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type App, startApp } from './app.ts';
import { ConfigError, readConfig, removeSecrets } from './config.ts';
import { Refusal } from './platform/database/refusal.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  const config = readConfig();
  removeSecrets();
  const log = pino({
    level: config.logLevel,
    redact: ['*.authorization', '*.cookie', '*.password', '*.token', '*.key', '*.signing_secret', 'req.headers'],
  });
  const { version } = JSON.parse(readFileSync(here('../package.json'), 'utf8')) as { version: string };
  const startedAt = performance.now();
  const app = await startApp(config, { log, version, consoleFolder: here('../dist') });
  runUntilSignal(app);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const open = app.welcomeUrl ?? config.addresses.console_url;
  process.stdout.write(`\nSluice is ready after ${seconds} s. Open ${open}\n`);
  if (app.welcomeUrl) process.stdout.write('The link works once: it lets you set a password.\n');
  const { mode, isFallback, advice } = app.services.runtime;
  process.stdout.write(`Functions run in the sandbox mode ${mode}.\n`);
  if (isFallback) process.stdout.write(`Warning: this mode is weaker than a container. ${advice}.\n`);
  process.stdout.write('\n');
}

/** Ctrl+C reaches this process twice: from the terminal, and from the program that started it. */
const SAME_SIGNAL_MS = 500;
const FORCED_EXIT_MS = 10_000;

/** Drains at the first signal and stops at once at a later one. */
function runUntilSignal(app: App): void {
  let firstMs: number | undefined;
  const onSignal = () => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs <= SAME_SIGNAL_MS) return;
      void app.stopNow();
      // A hanging database would block the stop. The watchdog stops an embedded one.
      setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
      return;
    }
    firstMs = performance.now();
    app.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

/** Describes errors that the operator can fix in a sentence, others with their stack. */
function explain(error: unknown): string {
  if (error instanceof Refusal) return `${error.message}\n${error.hint}`;
  if (error instanceof ConfigError) return `${error.message}\nSettings are described in docs/operating.md.`;
  if (
    error instanceof Error &&
    'port' in error &&
    'code' in error &&
    (error.code === 'EADDRINUSE' || error.code === 'EACCES')
  ) {
    const { port } = error;
    const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : 'can’t be opened by this user';
    return `Port ${port} ${why}.\nSet SLUICE_PORT to another one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// The reader of stdout may close the pipe; the service continues.
process.stdout.on('error', () => {});

main().catch((error: unknown) => {
  process.stderr.write(`\nSluice could not start: ${explain(error)}\n\n`);
  process.exit(1);
});
