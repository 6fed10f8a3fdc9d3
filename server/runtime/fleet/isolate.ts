/**
 * One sandboxed Deno process: assigned a function by stdin, reporting on stdout, reached through one connection for
 * small requests and by HTTP for others, killed by SIGKILL. It knows runs only by id, to pass on reports.
 */
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { ChurnMap } from '../../lib/churn-map.ts';
import type { Language } from '../languages/language.ts';
import { OutputPace, type OutputShare } from '../shares/output-shares.ts';
import { HEAP_MB, launch } from './command.ts';
import type { Assignment, Order, Report } from './frames.ts';
import { forgetMounts } from './namespaces.ts';
import type { Needs } from './needs.ts';
import { ProcessConnections } from './process-connections.ts';
import { readReports } from './reports.ts';
import { type Ending, type RunListener, RunListeners } from './run-listeners.ts';
import type { Home } from './sandbox-home.ts';
import { SmallCallConnection } from './small-call-connection.ts';
import type { Watchdog } from './watchdog.ts';

/** A process without a function for this long prepares for functions that use Node. */
const UNUSED_MS = 500;
const OUT_OF_TURN: Ending = { name: 'ProcessKilled', message: 'The process lost its connection to the service' };
const NOT_STARTED: Ending = { name: 'SandboxFailed', message: "The sandbox did not start; the service's log says why" };

export type Isolate = {
  pid: number | undefined;
  language: Language;
  socketPath: string;
  wires: ProcessConnections;
  calls: SmallCallConnection;
  /** Resolves when the process serves, or has ended; never rejects. */
  ready: Promise<void>;
  /** Resolves when the process has ended, and its output was passed on. */
  closed: Promise<Ending>;
  runs: ChurnMap<string, RunListener>;
  assign(assignment: Assignment): void;
  /** Reads output at the pace of this share from now on. */
  pace(share: OutputShare): void;
  /**
   * Resolves when all earlier output was passed on, after a ping or the end of the process: whether that run is in
   * progress.
   */
  flushed(runId?: string): Promise<boolean>;
  /** Stops the process until thaw(); returns whether it is running. */
  freeze(): boolean;
  thaw(): void;
  /** `because` becomes the Ending of the runs in flight. */
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
  const pace = new OutputPace(child.stdout, child.stderr);
  const onReport = (report: Report): boolean => {
    if (report[0] === 'log') pace.count(report[4].length);
    switch (report[0]) {
      case 'ready':
        boot.serves();
        return false;
      case 'answer': {
        const isAwaited = isolate.calls.answered(report);
        if (report[5]) listeners.runs.get(report[1])?.onEnd();
        return isAwaited;
      }
      case 'stream':
        return isolate.calls.flows(report[1]);
      default:
        return listeners.onReport(report);
    }
  };
  readReports(
    child.stdout,
    onReport,
    (message) => {
      pace.count(message.length);
      return listeners.onText('info', message);
    },
    (chars) => pace.countUseless(chars),
  );
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    pace.count(text.length);
    lastWords = (lastWords + text).slice(-4000);
    pace.countUseless(text.length);
  });
  child.stdin.on('error', () => undefined);
  child.once('error', (error) => {
    lastWords += error.message;
  });
  child.once('exit', () => pace.close());
  child.once('close', (code, signal) => {
    if (pid !== undefined) watchdog.remove(pid);
    const ending = killedBecause ?? (boot.isOver ? endingOf(code, signal, lastWords) : NOT_STARTED);
    if (!boot.isOver && !killedBecause)
      log.error({ pid, code, signal, stderr: lastWords }, 'runtime: sandbox did not start');
    listeners.close(ending);
    isolate.calls.close();
    // Connections are not destroyed: a response sent before the end may still be unread.
    isolate.wires.close();
    removeSockets(home, paths);
    boot.close();
    closed.resolve(ending);
  });

  const isolate: Isolate = {
    pid,
    language: needs.language,
    socketPath: paths.socketPath,
    wires: new ProcessConnections(paths.socketPath),
    calls: new SmallCallConnection(paths.callsPath, () => isolate.kill(OUT_OF_TURN)),
    ready: boot.ready,
    closed: closed.promise,
    runs: listeners.runs,
    assign: (assignment) => {
      boot.isUsed();
      send(['assign', assignment]);
    },
    pace: (share) => pace.use(share),
    flushed: (runId = '') => {
      const { ping, answer } = listeners.ask(runId);
      // On the same connection as the requests, so that it follows them.
      if (!isolate.calls.ping(ping)) send(ping);
      return Promise.race([answer, closed.promise.then(() => false)]);
    },
    freeze: () => group.signal('SIGSTOP'),
    thaw: () => void group.signal('SIGCONT'),
    kill: (because) => {
      killedBecause ??= because;
      // The whole group: a container that is starting is not yet bound to its parent, and would keep the pipes open.
      if (!group.signal('SIGKILL')) child.kill('SIGKILL');
    },
  };
  return isolate;
}

/** The start of a process, until its first run. */
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

  /** Resolves when the process serves, or has ended. */
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

/** The process leads a group, which includes the processes in its container. */
class ProcessGroup {
  readonly #pid: number | undefined;
  #isOver = false;

  constructor(child: ChildProcess) {
    this.#pid = child.pid;
    child.once('close', () => {
      this.#isOver = true;
    });
  }

  /** Sends a signal; returns whether a process received it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean {
    try {
      return this.#pid !== undefined && !this.#isOver && process.kill(-this.#pid, signal);
    } catch {
      return false;
    }
  }
}

function removeSockets(home: Home, { socketPath, callsPath }: { socketPath: string; callsPath: string }): void {
  const own = path.dirname(socketPath);
  if (home.namespaces) forgetMounts(home.namespaces, own);
  for (const left of home.egress ? [own] : [socketPath, callsPath])
    void rm(left, { recursive: true, force: true }).catch(() => undefined);
}

function endingOf(code: number | null, signal: NodeJS.Signals | null, lastWords: string): Ending {
  if (/out of memory|heap limit|Array buffer allocation failed|memory allocation of \d+ bytes failed/i.test(lastWords))
    return { name: 'OutOfMemory', message: `The function used more than its ${HEAP_MB} MB of memory` };
  if (code !== null)
    return { name: 'ProcessExited', message: `The function ended its own process with exit code ${code}` };
  return { name: 'ProcessKilled', message: `The function's process was ended by ${signal ?? 'an unknown cause'}` };
}
