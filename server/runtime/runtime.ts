/**
 * Hosted functions, run. build.ts turns a version's files into one module; everything else here runs it.
 *
 * The players: the fleet keeps one sandboxed Deno process a function version and environment (fleet.ts), each process
 * is an isolate (isolate.ts) that runs sandbox/main.ts, and each call is a run (run.ts). Small requests go in by one
 * connection that the runs of a process share (small-call.ts); large ones, and whatever flows, by HTTP over another
 * unix socket. What a run logs, throws and answers in a short text, and when it is over, comes by stdout (frames.ts),
 * which outlasts a kill. All of it is the word of a hostile process: reports.ts looks at its form, and it counts for
 * the runs of that process only. One function's loop, crash or memory hunger ends its own process and no other.
 *
 * A process: spare → assigned (serves runs, many at once) → retired (finishes the runs it has) → killed.
 *
 * What holds it: Deno's permissions (no files, no programs, no host environment, network by policy), a heap limit, the
 * kernel's limits on data and open files, a separate user when the service is root, a wall clock a run. Where the
 * machine allows it, a bubblewrap container is around each as well, without a network: what its policy allows goes out
 * by a proxy of the service (egress-proxy.ts). `mode` says which it is.
 *
 * A crash of the service leaves nothing to clean up by hand: processes end with it (watchdog.ts), their folder under
 * the temporary one is removed by the next start (home.ts), runs that were in flight are the caller's to mark.
 */

import path from 'node:path';
import type { Logger } from 'pino';
import { createFleet, type Fleet, type Slot } from './fleet/fleet.ts';
import type { RunRequest } from './fleet/forward.ts';
import { openHome } from './fleet/home.ts';
import type { Home, Sandbox } from './fleet/sandbox-home.ts';
import { startWatchdog } from './fleet/watchdog.ts';
import type { FunctionSpec } from './function-spec.ts';
import { openInterpreters } from './languages/languages.ts';
import type { Outside } from './network/egress-proxy.ts';
import { performRun, type RunAnswer } from './run.ts';
import { type RunOptions, SERVICE_STOPPED, watchRun } from './watch-run.ts';

export type RuntimeStats = {
  mode: Runtime['mode'];
  /** Processes that have a function. */
  processes: {
    key: string;
    pid: number | undefined;
    in_flight: number;
    started_at: number;
    retired: boolean;
    frozen: boolean;
  }[];
  spares: number;
  max_processes: number;
};

export type Runtime = {
  /** How far functions are held: by Deno's permissions alone, or in a bubblewrap container as well. */
  mode: 'permissions' | 'bwrap';
  /** The socket by which functions call the gateway; the gateway server listens there. */
  gatewaySocket: string;
  /** The mode in plain words, for the console, /readyz and the log. */
  explanation: string;
  /**
   * Calls a function. Resolves when its answer begins; whatever the function does is reported by the answer, never
   * thrown. Throws AtCapacity when every process is busy.
   */
  invoke(spec: FunctionSpec, request: RunRequest, options: RunOptions): Promise<RunAnswer>;
  /** Lets processes whose key begins so finish their runs and exit: for a version or environment that was replaced. */
  retire(keyPrefix: string): void;
  stats(): RuntimeStats;
  /** Makes ready ahead of need what functions of this machine have used before. Never rejects. */
  prepare(): Promise<void>;
  /** Ends every run as ERROR with `ServiceStopped` and takes no more. Resolves when all processes are gone. */
  stopRuns(): Promise<void>;
  /** Kills every process; runs in flight become ERROR. Resolves when all are gone. */
  close(): Promise<void>;
};

export type RuntimeOptions = {
  log: Logger;
  /** Processes booted ahead of need. */
  spares?: number;
  maxProcesses?: number;
  /** After so long without a run a process is stopped until its next one. */
  freezeAfterMs?: number;
  /** 'auto', the default: a container where the machine allows one. 'bwrap': rather no functions than none. */
  sandbox?: Sandbox;
  /** For tests: what functions in a container may reach. */
  outside?: Outside;
  /** Where each language stores, in a folder of its name, what is expensive to make. Without it each runtime does. */
  languageCache?: string;
  /** Where the runtime's own short-lived folder goes; the system's temporary folder by default. */
  tempDir?: string;
};

const FREEZE_AFTER_MS = 5_000;
const STOPPED = { name: SERVICE_STOPPED, message: 'The service was stopped before the run ended' };

/** Tries the sandbox once and boots the spares. Rejects when functions can't run on this machine, and says why. */
export async function createRuntime({
  log,
  spares = 2,
  maxProcesses = 100,
  freezeAfterMs = FREEZE_AFTER_MS,
  sandbox = 'auto',
  outside,
  tempDir,
  languageCache,
}: RuntimeOptions): Promise<Runtime> {
  const home = await openHome(sandbox, tempDir, outside);
  const mode = home.bwrap ? 'bwrap' : 'permissions';
  const watchdog = startWatchdog(log);
  const interpreters = openInterpreters(home, languageCache ?? path.join(home.dir, 'kept'), log);
  const fleet = createFleet(home, watchdog, log, { spares, maxProcesses, freezeAfterMs });
  return {
    mode,
    gatewaySocket: home.gateway,
    explanation: explanationOf(home),
    invoke(spec, request, options) {
      const interpreter = interpreters.get(spec.language);
      return interpreter
        ? interpreter.ready().then(() => begin(fleet, spec, request, options))
        : begin(fleet, spec, request, options);
    },
    retire: fleet.retireAll,
    async prepare() {
      await Promise.all([...interpreters.values()].map((interpreter) => interpreter.prepare()));
    },
    stats: () => ({
      mode,
      processes: fleet.slots().map(({ key, isolate, inFlight, startedAt, retired, frozen }) => ({
        key,
        pid: isolate.pid,
        in_flight: inFlight,
        started_at: startedAt,
        retired,
        frozen,
      })),
      spares: fleet.spares(),
      max_processes: maxProcesses,
    }),
    stopRuns: () => fleet.close(STOPPED),
    async close() {
      await Promise.all([...interpreters.values()].map((interpreter) => interpreter.close()));
      await fleet.close(STOPPED);
      watchdog.close();
      await home.remove();
    },
  };
}

/** Not by `async`: another promise around that of the run would keep each answer waiting for three turns. */
function begin(fleet: Fleet, spec: FunctionSpec, request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  let slot: Slot;
  try {
    slot = fleet.acquire(spec);
  } catch (error) {
    return Promise.reject(error);
  }
  const watch = watchRun(slot, options, () => fleet.retire(slot));
  slot.start = 'WARM';
  return performRun(slot.isolate, watch, request, options, () => fleet.release(slot));
}

function explanationOf(home: Home): string {
  const user = home.user
    ? `as user ${home.user.uid}`
    : process.getuid?.() === 0
      ? 'as root, because no other user can reach the Deno program'
      : 'as the user of the service';
  const common = `Each function version runs in its own Deno process, ${user}, without access to files, programs or the service's environment`;
  if (home.bwrap)
    return (
      `${common}, in a bubblewrap container with no network, files or processes but its own; what its network policy ` +
      'allows goes out by a filtering proxy of the service.'
    );
  return (
    `${common}; the network is filtered by Deno (IPv6 ranges only in part). There is no container around it, because ` +
    `${home.bareBecause}: run code you would trust with an ordinary account on this machine.`
  );
}
