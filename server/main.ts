/** The program: environment → config → app → run until a signal. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type App, startApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { Refusal } from './store/refusal.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function main(): Promise<void> {
  const config = readConfig();
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
  process.stdout.write('\n');
}

function runUntilSignal(app: App): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      app.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

/** What can be mended by the person at the terminal is said in words, without a stack. */
function explain(error: unknown): string {
  if (error instanceof Refusal) return `${error.message}\n${error.hint}`;
  if (error instanceof ConfigError) return `${error.message}\nSettings are described in docs/operating.md.`;
  if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')) {
    const port = 'port' in error ? error.port : '';
    const why = error.code === 'EADDRINUSE' ? 'is in use by another program' : 'may not be opened by this user';
    return `Port ${port} ${why}.\nSet SLUICE_PORT to another one.`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// Whoever read our output may go away; that is no reason to stop.
process.stdout.on('error', () => {});

main().catch((error: unknown) => {
  process.stderr.write(`\nSluice can't start: ${explain(error)}\n\n`);
  process.exit(1);
});
