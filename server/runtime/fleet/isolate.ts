/**
 * One sandboxed Deno process: started, given its function by stdin, read by stdout, reached by one connection for small
 * requests and by HTTP for the others, ended by SIGKILL. It knows of runs only by id, to hand on what is reported of
 * them.
 */
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ChurnMap } from '../../lib/churn-map.ts';
import type { Language } from '../languages/language.ts';
import { CallsTo } from './calls-to.ts';
import { HEAP_MB, launch } from './command.ts';
import type { Assignment, Order, Report } from './frames.ts';
import type { Needs } from './needs.ts';
import { readReports } from './reports.ts';
import { type Ending, type RunListener, RunListeners } from './run-listeners.ts';
import type { Home } from './sandbox-home.ts';
import type { Watchdog } from './watchdog.ts';
import { WiresTo } from './wires-to.ts';

/** A process that has no function for so long gets ready for functions that use Node. */
const UNUSED_MS = 500;
const OUT_OF_TURN: Ending = { name: 'ProcessKilled', message: 'The process lost its connection to the service' };
const NOT_STARTED: Ending = { name: 'SandboxFailed', message: "The sandbox did not start; the service's log says why" };

export type Isolate = {
  pid: number | undefined;
  language: Language;
  socketPath: string;
  wires: WiresTo;
  calls: CallsTo;
  /** Resolves when it serves; never rejects, for a process that fails closes. */
  ready: Promise<void>;
  /** Resolves when the process is gone and everything it said was handed on. */
  closed: Promise<Ending>;
  runs: ChurnMap<string, RunListener>;
  assign(assignment: Assignment): void;
  /** Resolves once all earlier output was passed on (after a ping, or the process ended): is that run in progress? */
  flushed(runId?: string): Promise<boolean>;
  /** Stops it where it is, until thaw(); answers whether there is something to stop. */
  freeze(): boolean;
  thaw(): void;
  /** `because` becomes the Ending of runs still in flight. */
  kill(because?: Ending): void;
};

let count = 0;

export function startIsolate(home: Home, needs: Needs, watchdog: Watchdog, log: Logger): Isolate {
  count += 1;
  const { child, ...paths } = launch(home, needs, String(count));
  const { pid } = child;
  const closed = Promise.withResolvers<Ending>();
  const listeners = new RunListeners();
  const group = new ProcessGroup(child);
  const send = (order: Order) => void child.stdin.write(`${JSON.stringify(order)}\n`);
  const boot = new Boot(needs.language.limits.bootMs, {
    onLate: () => isolate.kill(NOT_STARTED),
    onUnused: () => send(['prepare']),
  });
  let killedBecause: Ending | undefined;
  let lastWords = '';

  if (pid !== undefined) watchdog.add(pid);
  const onReport = (report: Report) => {
    switch (report[0]) {
      case 'ready':
        return boot.serves();
      case 'answer':
        isolate.calls.answered(report);
        return report[5] ? listeners.runs.get(report[1])?.onEnd() : undefined;
      case 'stream':
        return isolate.calls.flows(report[1]);
      default:
        return listeners.onReport(report);
    }
  };
  readReports(child.stdout, onReport, (message) => listeners.onText('info', message));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-4000);
  });
  child.stdin.on('error', () => undefined);
  child.once('error', (error) => {
    lastWords += error.message;
  });
  child.once('close', (code, signal) => {
    if (pid !== undefined) watchdog.remove(pid);
    const ending = killedBecause ?? (boot.isOver ? endingOf(code, signal, lastWords) : NOT_STARTED);
    if (!boot.isOver && !killedBecause)
      log.error({ pid, code, signal, stderr: lastWords }, 'runtime: a sandbox did not start');
    listeners.close(ending);
    isolate.calls.close();
    // Not destroy(): of an answer that came before the end some may not be read yet.
    isolate.wires.close();
    removeSockets(home, paths);
    boot.close();
    closed.resolve(ending);
  });

  const isolate: Isolate = {
    pid,
    language: needs.language,
    socketPath: paths.socketPath,
    wires: new WiresTo(paths.socketPath),
    calls: new CallsTo(paths.callsPath, () => isolate.kill(OUT_OF_TURN)),
    ready: boot.ready,
    closed: closed.promise,
    runs: listeners.runs,
    assign: (assignment) => {
      boot.isUsed();
      send(['assign', assignment]);
    },
    flushed: (runId = '') => {
      const { ping, answer } = listeners.ask(runId);
      // Behind what it asks about.
      if (!isolate.calls.ping(ping)) send(ping);
      return Promise.race([answer, closed.promise.then(() => false)]);
    },
    freeze: () => group.signal('SIGSTOP'),
    thaw: () => void group.signal('SIGCONT'),
    kill: (because) => {
      killedBecause ??= because;
      // All of the group: a container that just starts isn't bound to its parent yet, and would hold the pipes.
      if (!group.signal('SIGKILL')) child.kill('SIGKILL');
    },
  };
  return isolate;
}

/** A process on its way to its first run. */
class Boot {
  readonly #ready = Promise.withResolvers<void>();
  readonly #late: NodeJS.Timeout;
  readonly #onUnused: () => void;
  #unused: NodeJS.Timeout | undefined;
  #isAssigned = false;
  /** Whether it has served. */
  isOver = false;

  constructor(bootMs: number, { onLate, onUnused }: { onLate: () => void; onUnused: () => void }) {
    this.#late = setTimeout(onLate, bootMs);
    this.#onUnused = onUnused;
  }

  /** Resolves when it serves, or is gone. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  serves(): void {
    this.isOver = true;
    clearTimeout(this.#late);
    if (!this.#isAssigned) this.#unused = setTimeout(this.#onUnused, UNUSED_MS).unref();
    this.#ready.resolve();
  }

  isUsed(): void {
    this.#isAssigned = true;
    clearTimeout(this.#unused);
  }

  close(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#unused);
    this.#ready.resolve();
  }
}

/** It leads a process group; in a container the processes inside belong to it too. */
class ProcessGroup {
  readonly #pid: number | undefined;
  #isOver = false;

  constructor(child: ChildProcess) {
    this.#pid = child.pid;
    child.once('close', () => {
      this.#isOver = true;
    });
  }

  /** Whether there was something to signal. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean {
    try {
      return this.#pid !== undefined && !this.#isOver && process.kill(-this.#pid, signal);
    } catch {
      return false;
    }
  }
}

function removeSockets(home: Home, { socketPath, callsPath }: { socketPath: string; callsPath: string }): void {
  for (const left of home.bwrap ? [path.dirname(socketPath)] : [socketPath, callsPath])
    void rm(left, { recursive: true, force: true }).catch(() => undefined);
}

function endingOf(code: number | null, signal: NodeJS.Signals | null, lastWords: string): Ending {
  if (/out of memory|heap limit|Array buffer allocation failed|memory allocation of \d+ bytes failed/i.test(lastWords))
    return { name: 'OutOfMemory', message: `The function used more than its ${HEAP_MB} MB of memory` };
  if (code !== null)
    return { name: 'ProcessExited', message: `The function ended its own process with exit code ${code}` };
  return { name: 'ProcessKilled', message: `The function's process was ended by ${signal ?? 'an unknown cause'}` };
}
