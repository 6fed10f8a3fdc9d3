/**
 * One sandboxed Deno process: started, given its function by stdin, heard by stdout, reached by one connection for small
 * requests and by HTTP for the others, ended by SIGKILL. It knows of runs only by id, to hand on what is reported of them.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { LogLevel } from '../../contract/states.ts';
import { Going } from '../lib/going.ts';
import { CallsTo } from './calls-to.ts';
import { HEAP_MB, launch } from './command.ts';
import type { Assignment, Order, Report, Thrown } from './frames.ts';
import type { Home } from './home.ts';
import type { Language, Needs } from './network-policy.ts';
import { readReports } from './reports.ts';
import type { Watchdog } from './watchdog.ts';
import { WiresTo } from './wires-to.ts';

/** A process that has no function for so long gets ready for functions that use Node. */
const UNUSED_MS = 500;
const BOOT_MS = { javascript: 10_000, python: 60_000 };
const OUT_OF_TURN: Ending = { name: 'ProcessKilled', message: 'The process broke its connection to the service' };
const NOT_STARTED: Ending = { name: 'SandboxFailed', message: "The sandbox did not start; the service's log says why" };

/** Why a process ended, in words for the function's author. */
export type Ending = { name: string; message: string };

/** What a run wants to hear of itself. */
export type RunListener = {
  onLog(line: { timestamp: number; level: LogLevel; message: string }): void;
  onLoaded(): void;
  onThrow(thrown: Thrown): void;
  onEnd(): void;
  onClosed(ending: Ending): void;
};

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
  runs: Going<string, RunListener>;
  assign(assignment: Assignment): void;
  /** Resolves once everything said before was handed on (by a turn through the process, or its end): is that run going on? */
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
  const { child, socketPath, callsPath } = launch(home, needs, String(count));
  const { pid } = child;
  const ready = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<Ending>();
  const runs = new Going<string, RunListener>();
  const pings = new Map<number, (live: boolean) => void>();
  let turns = 0;
  let booted = false;
  let isAssigned = false;
  let killedBecause: Ending | undefined;
  let isOver = false;
  let lastWords = '';
  let unused: NodeJS.Timeout | undefined;

  if (pid !== undefined) watchdog.add(pid);
  const boot = setTimeout(() => isolate.kill(NOT_STARTED), BOOT_MS[needs.language]);
  void ready.promise.then(() => clearTimeout(boot));

  const hear = (report: Report) => {
    switch (report[0]) {
      case 'ready':
        booted = true;
        if (!isAssigned) unused = setTimeout(send, UNUSED_MS, ['prepare']).unref();
        return ready.resolve();
      case 'pong':
        pings.get(report[2])?.(report[1]);
        return void pings.delete(report[2]);
      case 'log':
        return listenerOf(report[1])?.onLog({ timestamp: report[2], level: report[3], message: report[4] });
      case 'throw':
        return runs.get(report[1])?.onThrow(report[2]);
      case 'loaded':
        return runs.get(report[1])?.onLoaded();
      case 'end':
        return runs.get(report[1])?.onEnd();
      case 'answer':
        isolate.calls.answered(report);
        return report[5] ? runs.get(report[1])?.onEnd() : undefined;
      case 'stream':
        return isolate.calls.flows(report[1]);
    }
  };
  /** What was said outside of any run belongs to the only one in flight; among several it can't be told. */
  const listenerOf = (runId: string) => (runId || runs.size !== 1 ? runs.get(runId) : [...runs.values()][0]);
  const hearText = (level: LogLevel) => (message: string) =>
    listenerOf('')?.onLog({ timestamp: Date.now(), level, message });

  readReports(child.stdout, hear, hearText('info'));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-4000);
  });
  child.stdin.on('error', () => undefined);
  child.once('error', (error) => {
    lastWords += error.message;
  });
  child.once('close', (code, signal) => {
    clearTimeout(boot);
    clearTimeout(unused);
    if (pid !== undefined) watchdog.remove(pid);
    const ending = killedBecause ?? (booted ? endingOf(code, signal, lastWords) : NOT_STARTED);
    if (!booted && !killedBecause)
      log.error({ pid, code, signal, stderr: lastWords }, 'runtime: a sandbox did not start');
    for (const run of runs.values()) run.onClosed(ending);
    for (const done of pings.values()) done(false);
    pings.clear();
    isolate.calls.close();
    // Not destroy(): of an answer that came before the end some may not be read yet.
    isolate.wires.close();
    for (const left of home.bwrap ? [path.dirname(socketPath)] : [socketPath, callsPath])
      void rm(left, { recursive: true, force: true }).catch(() => undefined);
    ready.resolve();
    isOver = true;
    closed.resolve(ending);
  });

  /** It leads a group of its own; in a container the processes inside are of that group too. */
  const signalAll = (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): boolean => {
    try {
      return pid !== undefined && !isOver && process.kill(-pid, signal);
    } catch {
      return false;
    }
  };
  const send = (order: Order) => void child.stdin.write(`${JSON.stringify(order)}\n`);
  const isolate: Isolate = {
    pid,
    language: needs.language,
    socketPath,
    wires: new WiresTo(socketPath),
    calls: new CallsTo(callsPath, () => isolate.kill(OUT_OF_TURN)),
    ready: ready.promise,
    closed: closed.promise,
    runs,
    assign: (assignment) => {
      isAssigned = true;
      clearTimeout(unused);
      send(['assign', assignment]);
    },
    flushed: (runId = '') => {
      const turn = Promise.withResolvers<boolean>();
      const ping: Order = ['ping', runId, ++turns];
      pings.set(turns, turn.resolve);
      // Behind what it asks about.
      if (!isolate.calls.ping(ping)) send(ping);
      return Promise.race([turn.promise, closed.promise.then(() => false)]);
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => void signalAll('SIGCONT'),
    kill: (because) => {
      killedBecause ??= because;
      // All of the group: a container that just starts isn't bound to its parent yet, and would hold the pipes.
      if (!signalAll('SIGKILL')) child.kill('SIGKILL');
    },
  };
  return isolate;
}

function endingOf(code: number | null, signal: NodeJS.Signals | null, lastWords: string): Ending {
  if (/out of memory|heap limit|Array buffer allocation failed|memory allocation of \d+ bytes failed/i.test(lastWords))
    return { name: 'OutOfMemory', message: `The function used more than its ${HEAP_MB} MB of memory` };
  if (code !== null)
    return { name: 'ProcessExited', message: `The function ended its own process with exit code ${code}` };
  return { name: 'ProcessKilled', message: `The function's process was ended by ${signal ?? 'an unknown cause'}` };
}
