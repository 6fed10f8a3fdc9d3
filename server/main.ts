/** The program: environment → config → one or several processes → run until a signal. */
import { readConfig, removeSecrets } from './config.ts';
import { createLog, explain, FORCED_EXIT_MS, type Program, versionOfProgram } from './processes/program.ts';

async function main(): Promise<void> {
  const env = { ...process.env };
  const config = readConfig(env);
  removeSecrets();
  const options = { log: createLog(config.logLevel), version: versionOfProgram() };
  const startedAt = performance.now();
  const program = await start(config.processes === 1);
  runUntilSignal(program);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const open = program.welcomeUrl ?? config.addresses.console_url;
  process.stdout.write(`\nSluice is ready after ${seconds} s. Open ${open}\n`);
  if (program.welcomeUrl) process.stdout.write('The link works once: it lets you set a password.\n');
  const { mode, isFallback, advice } = program.sandbox;
  process.stdout.write(`Functions run in the sandbox mode ${mode}.\n`);
  if (isFallback) process.stdout.write(`Warning: this mode is weaker than a container. ${advice}.\n`);
  process.stdout.write('\n');

  // The main process of several needs little of the service: not to load it saves memory.
  async function start(isOne: boolean): Promise<Program> {
    if (isOne) return (await import('./processes/one-process.ts')).startHere(config, options);
    return (await import('./processes/several-processes.ts')).startProcesses(config, { ...options, env });
  }
}

/** Ctrl+C reaches this process twice: from the terminal, and from the program that started it. */
const SAME_SIGNAL_MS = 500;

/** Drains at the first signal and stops at once at a later one. */
function runUntilSignal(program: Program): void {
  let firstMs: number | undefined;
  const onSignal = () => {
    if (firstMs !== undefined) {
      if (performance.now() - firstMs <= SAME_SIGNAL_MS) return;
      void program.stopNow();
      // A hanging database would block the stop. The watchdog stops an embedded one.
      setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
      return;
    }
    firstMs = performance.now();
    program.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
}

// The reader of stdout may close the pipe; the service continues.
process.stdout.on('error', () => {});

main().catch((error: unknown) => {
  process.stderr.write(`\nSluice could not start: ${explain(error)}\n\n`);
  process.exit(1);
});
