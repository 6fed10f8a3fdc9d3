/**
 * Builds versions and reads code in processes apart from the service (worker.ts), because any text can be uploaded: one
 * nested 300,000 deep overflows the stack of the compiler, one that doubles a constant forty times takes all memory.
 * Such a process has limits of memory and time, a low priority, an empty environment and esbuild as its child; the
 * kernel takes it first when memory is short. Code that ends it is refused with the name of the file, and the next
 * build starts a new one. Between builds one process is kept, so that a deploy does not wait for its start.
 *
 * At most two builds run at once, one for each account, and accounts take turns (turns.ts).
 */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { startWatchdog, type Watchdog } from '../fleet/watchdog.ts';
import { LOCK_FILE } from '../packages/packages.ts';
import type { Registry } from '../packages/registry.ts';
import type { Reach } from '../reach/findings.ts';
import type { Build, Source } from './build.ts';
import { BuildError, inFile } from './build-error.ts';
import { type BuildProcess, Exhausted, startBuildProcess } from './build-process.ts';
import type { Result, Task } from './messages.ts';
import { createTurns } from './turns.ts';

export type Builder = {
  /**
   * Compiles a version in JavaScript or TypeScript. Throws a BuildError with every problem's file, line and column
   * (1-based), or TooManyBuilds.
   */
  build(account_id: string, source: Source): Promise<Build>;
  /** What the code of these files asks of the outside. Throws Exhausted or TooManyBuilds. */
  readReach(account_id: string, files: Record<string, string>): Promise<Reach>;
  /** Runs other work of a build in the account's turn. Throws TooManyBuilds. */
  inTurn<T>(account_id: string, work: () => Promise<T>): Promise<T>;
  /** Ends every process. */
  close(): Promise<void>;
};

export type BuilderOptions = {
  log: Logger;
  /** Where packages come from. */
  registry: Registry;
  /** The longest build, without what the registry takes. */
  buildMs?: number | undefined;
};

const BUILD_MS = 30_000;
/** After a build that exhausted its process: to find the file. */
const INSPECT_MS = 10_000;
const REACH_MS = 20_000;
/** A process is replaced after this many tasks. */
const TASKS_MAX = 200;
/** An idle process ends after this long. */
const IDLE_MS = 15 * 60_000;
const WAITING_MAX = 32;
const WAIT_MS = 60_000;

export function createBuilder({ log, registry, buildMs = BUILD_MS }: BuilderOptions): Builder {
  const turns = createTurns({ total: Math.min(2, availableParallelism()), waiting: WAITING_MAX, waitMs: WAIT_MS });
  let watchdog: Watchdog | undefined;
  const all = new Set<BuildProcess>();
  const taskCounts = new Map<BuildProcess, number>();
  let kept: { process: BuildProcess; timer: NodeJS.Timeout } | undefined;
  let closed = false;

  const take = (): BuildProcess => {
    if (closed) throw new Error('The service is stopping');
    const ready = kept?.process;
    clearTimeout(kept?.timer);
    kept = undefined;
    if (ready?.isAlive()) return ready;
    watchdog ??= startWatchdog(log);
    const started = startBuildProcess(watchdog);
    all.add(started);
    return started;
  };
  const end = async (process: BuildProcess) => {
    taskCounts.delete(process);
    await process.kill();
    all.delete(process);
  };
  const giveBack = (process: BuildProcess) => {
    const count = (taskCounts.get(process) ?? 0) + 1;
    taskCounts.set(process, count);
    if (closed || kept || count >= TASKS_MAX) return void end(process);
    const timer = setTimeout(() => {
      if (kept?.process !== process) return;
      kept = undefined;
      void end(process);
    }, IDLE_MS);
    kept = { process, timer: timer.unref() };
  };

  const perform = async (task: Task, timeoutMs: number): Promise<Result> => {
    const process = take();
    try {
      const result = await process.perform(task, timeoutMs, registry);
      giveBack(process);
      return result;
    } catch (error) {
      await end(process);
      throw error;
    }
  };

  const build = async (source: Source): Promise<Build> => {
    try {
      const result = await perform({ kind: 'build', source }, buildMs);
      if (result.kind === 'problems') throw new BuildError(result.problems);
      if (result.kind === 'build') return result.build;
      throw new Error(`A build ended with ${result.kind}`);
    } catch (error) {
      if (!(error instanceof Exhausted) || closed) throw error;
      log.warn({ reason: error.reason, file: error.file }, 'build process ended by the code it compiled');
      throw await explained(error, source);
    }
  };

  /** Which file it was. None of them alone: the whole did it. */
  const explained = async (error: Exhausted, { files }: Source): Promise<BuildError> => {
    const found = await perform({ kind: 'inspect', files }, INSPECT_MS).catch((thrown: unknown) => thrown);
    if (found instanceof Exhausted && found.file) {
      // the time of this look is not the build's: out of it, the build's own reason is the one to name
      const reason = found.reason === 'TIME' ? error.reason : found.reason;
      return inFile(found.file, TEXT[reason]('The code', buildMs));
    }
    const whole = LOCK_FILE in files ? 'The code, with its packages,' : 'The code';
    return inFile(error.file ?? Object.keys(files)[0] ?? '', TEXT[error.reason](whole, buildMs));
  };

  return {
    build: (account_id, source) => turns.run(account_id, () => build(source)),
    readReach: (account_id, files) =>
      turns.run(account_id, async () => {
        const result = await perform({ kind: 'reach', files }, REACH_MS);
        if (result.kind === 'reach') return result.reach;
        throw new Error(`Reading code ended with ${result.kind}`);
      }),
    inTurn: turns.run,
    async close() {
      closed = true;
      clearTimeout(kept?.timer);
      await Promise.all([...all].map(end));
      watchdog?.close();
    },
  };
}

const TEXT: Record<Exhausted['reason'], (what: string, buildMs: number) => string> = {
  NESTED: (what) => `${what} is nested too deeply to be built`,
  MEMORY: (what) => `${what} needs too much memory to be built`,
  TIME: (what, buildMs) => `${what} takes longer than ${buildMs / 1000} seconds to be built`,
};
