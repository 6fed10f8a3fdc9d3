/**
 * Builds versions and reads code in separate processes (worker.ts), because any text can be uploaded: a file nested
 * 300,000 deep overflows the compiler's stack, and one that doubles a constant forty times uses all memory. Such a
 * process has memory and time limits, low priority, an empty environment, and esbuild as its child. The kernel kills it
 * first when memory is short. Code that crashes it is rejected with the name of the file, and the next build starts a
 * new process. One idle process is kept between builds, so that a deploy does not wait for its start.
 *
 * At most two builds run at once, one per account, and accounts take turns (turns.ts).
 */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { FactPlace, Facts } from '../facts/facts.ts';
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
   * Compiles a version in JavaScript or TypeScript. Throws a BuildError with file, line and column (1-based) of every
   * problem, or TooManyBuilds.
   */
  build(account_id: string, source: Source): Promise<Build>;
  /** Reports what the code of these files accesses outside the function. Throws Exhausted or TooManyBuilds. */
  readReach(account_id: string, files: Record<string, string>): Promise<Reach>;
  /** Reads definitions and uses in these files for search. Throws Exhausted or TooManyBuilds. */
  readFacts(account_id: string, files: Record<string, string>): Promise<Facts>;
  /** Finds the lines that have a name as an identifier; none where the code is too much to read. Throws TooManyBuilds. */
  findReferences(account_id: string, files: Record<string, string>, name: string): Promise<FactPlace[]>;
  /** Runs other work of a build in the account's turn. Throws TooManyBuilds. */
  inTurn<T>(account_id: string, work: () => Promise<T>): Promise<T>;
  /** Kills every process. */
  close(): Promise<void>;
};

export type BuilderOptions = {
  log: Logger;
  /** The source of packages. */
  registry: Registry;
  /** The time limit of a build, excluding waits for the registry. */
  buildMs?: number | undefined;
  /** Builds of one account that may wait for their turn. */
  waitingMax?: number | undefined;
};

const BUILD_MS = 30_000;
/** The time limit for finding the file that exhausted a build. */
const INSPECT_MS = 10_000;
const REACH_MS = 20_000;
/** A process is replaced after this many tasks. */
const TASKS_MAX = 200;
/** An idle process is stopped after this time. */
const IDLE_MS = 60_000;
const WAITING_MAX = 32;
const WAIT_MS = 60_000;

export function createBuilder({
  log,
  registry,
  buildMs = BUILD_MS,
  waitingMax = WAITING_MAX,
}: BuilderOptions): Builder {
  const turns = createTurns({ total: Math.min(2, availableParallelism()), waiting: waitingMax, waitMs: WAIT_MS });
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

  /** Returns the error to report, with the name of the file if one alone exhausts a build. */
  const explained = async (error: Exhausted, { files }: Source): Promise<BuildError> => {
    const found = await perform({ kind: 'inspect', files }, INSPECT_MS).catch((thrown: unknown) => thrown);
    if (found instanceof Exhausted && found.file) {
      // If this search times out, the reason of the build itself is reported.
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
    readFacts: (account_id, files) =>
      turns.run(account_id, async () => {
        const result = await perform({ kind: 'facts', files }, REACH_MS);
        if (result.kind === 'facts') return result.facts;
        throw new Error(`Reading code ended with ${result.kind}`);
      }),
    findReferences: (account_id, files, name) =>
      turns.run(account_id, async () => {
        const result = await perform({ kind: 'references', files, name }, REACH_MS).catch((error: unknown) => {
          if (error instanceof Exhausted) return { kind: 'references' as const, references: [] };
          throw error;
        });
        if (result.kind === 'references') return result.references;
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
