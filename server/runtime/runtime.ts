/**
 * Runs hosted functions. build.ts turns the files of a version into one module; everything else here runs it.
 *
 * Parts. The fleet keeps one sandboxed Deno process per function version and environment (fleet.ts). Each process is an
 * isolate (isolate.ts) that runs sandbox/main.ts, and each call is a run (run.ts). Small requests are sent on one
 * connection per process that its runs share (small-call.ts); large ones, and all streams, by HTTP over another unix
 * socket. A run's log, errors, short text responses and end are reported on stdout (frames.ts), which can still be read
 * after the process is killed. All reports come from a hostile process: reports.ts checks their form, and they affect
 * only the runs of that process. A loop, a crash or excessive memory use of one function ends only its process.
 *
 * A process: spare → assigned (serves many runs at once) → retired (finishes its runs) → killed.
 *
 * Isolation: Deno's permissions (no files, no programs, no host environment, network by policy), a heap limit, kernel
 * limits on data and open files, a filter of system calls, a separate user when the service is root, a time limit per
 * run. If the machine supports it, each process is also in a container without a network, made by bubblewrap or by Linux
 * namespaces (namespaces.ts), and connections that its policy allows use a proxy of the service (egress-proxy.ts).
 * `mode` says which applies.
 *
 * A crash of the service needs no manual cleanup: processes end with it (watchdog.ts), the next start removes its
 * temporary folder (home.ts), and the caller marks runs that were in flight.
 */

import path from 'node:path';
import type { Logger } from 'pino';
import { createFleet, type Fleet, type FleetShares, type Slot } from './fleet/fleet.ts';
import type { RunRequest } from './fleet/forward.ts';
import { type KnownHomes, openHome } from './fleet/home.ts';
import { type Home, modeOf, type Sandbox, type SandboxMode } from './fleet/sandbox-home.ts';
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
  /** The isolation of functions: by Deno's permissions alone, or also in a container. */
  mode: SandboxMode;
  /** The mode is `permissions` because no container works here; no setting chose it. */
  isFallback: boolean;
  /** What would make the sandbox strong; undefined when it is. */
  advice: string | undefined;
  /** The socket of the gateway server for calls by functions. */
  gatewaySocket: string;
  /** The mode in words, for the console, /readyz and the log. */
  explanation: string;
  /**
   * Calls a function. Resolves when its response begins; errors of the function are part of the response, never thrown.
   * Throws AtCapacity when every process is busy, ShareUsed when the account has used a share.
   */
  invoke(spec: FunctionSpec, request: RunRequest, options: RunOptions): Promise<RunAnswer>;
  /**
   * Retires processes whose key has this prefix, as their version or environment was replaced: they finish their runs.
   */
  retire(keyPrefix: string): void;
  stats(): RuntimeStats;
  /** Prepares what functions on this machine have used before. Never rejects. */
  prepare(): Promise<void>;
  /** Ends every run as ERROR with `ServiceStopped`, and accepts no more. Resolves when all processes have ended. */
  stopRuns(): Promise<void>;
  /** Kills every process; runs in flight become ERROR. Resolves when all have ended. */
  close(): Promise<void>;
};

export type RuntimeOptions = {
  log: Logger;
  /** Processes booted in advance. */
  spares?: number | undefined;
  /** How much of this one account may use; by default all of it. */
  shares?: Partial<FleetShares>;
  /** A process without a run for this long is stopped until its next one. */
  freezeAfterMs?: number;
  /** 'auto', the default: the strongest container that works here. 'bwrap', 'namespaces': no functions without that one. */
  sandbox?: Sandbox;
  /** For tests: the folders in which bubblewrap and util-linux are looked up, instead of the system's. */
  programFolders?: string[] | undefined;
  /** For tests: what functions in a container can connect to. */
  outside?: Outside;
  /**
   * The folder in which each language caches files that are expensive to create. By default each runtime creates them.
   */
  languageCache?: string;
  /** The parent of the runtime's temporary folder; the system's temporary folder by default. */
  tempDir?: string;
  /** For tests: what the runtimes of this process remember of the machine. */
  knownHomes?: KnownHomes | undefined;
};

const FREEZE_AFTER_MS = 5_000;
const WITHOUT_SHARES: FleetShares = {
  processes: 100,
  accountProcesses: Number.POSITIVE_INFINITY,
  processBytes: Number.POSITIVE_INFINITY,
  accountBytes: Number.POSITIVE_INFINITY,
  accountCpu: Number.POSITIVE_INFINITY,
  accountOutput: Number.POSITIVE_INFINITY,
};
const STOPPED = { name: SERVICE_STOPPED, message: 'The service was stopped before the run ended' };

/** Tests the sandbox and boots spare processes. Rejects with the reason when functions cannot run on this machine. */
export async function createRuntime({
  log,
  spares = 2,
  shares = {},
  freezeAfterMs = FREEZE_AFTER_MS,
  sandbox = 'auto',
  programFolders,
  outside,
  tempDir,
  languageCache,
  knownHomes,
}: RuntimeOptions): Promise<Runtime> {
  const home = await openHome(sandbox, { parent: tempDir, outside, programFolders, known: knownHomes });
  const mode = modeOf(home);
  const watchdog = startWatchdog(log);
  const interpreters = openInterpreters(home, languageCache ?? path.join(home.dir, 'kept'), log);
  const all = { ...WITHOUT_SHARES, ...shares };
  const fleet = createFleet(home, watchdog, log, { spares, freezeAfterMs, shares: all });
  return {
    mode,
    gatewaySocket: home.gateway,
    isFallback: mode === 'permissions' && sandbox === 'auto',
    advice: mode === 'permissions' ? REMEDY : undefined,
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
      max_processes: all.processes,
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

/** Not `async`: another promise would delay each response by three microtask turns. */
function begin(fleet: Fleet, spec: FunctionSpec, request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  let slot: Slot | Promise<Slot>;
  try {
    slot = fleet.acquire(spec);
  } catch (error) {
    return Promise.reject(error);
  }
  return slot instanceof Promise
    ? slot.then((opened) => beginIn(fleet, opened, request, options))
    : beginIn(fleet, slot, request, options);
}

function beginIn(fleet: Fleet, slot: Slot, request: RunRequest, options: RunOptions): Promise<RunAnswer> {
  const watch = watchRun(slot, options, () => fleet.retire(slot));
  slot.start = 'WARM';
  return performRun(slot.isolate, watch, request, options, () => fleet.release(slot));
}

const CONTAINERS = { bwrap: 'by bubblewrap', namespaces: 'of Linux namespaces' };
/** What to do on a machine without containers. The rest is in docs/reference/operating.md. */
const REMEDY =
  'To make it strong, allow user namespaces for the user of the service, or install bubblewrap, and restart the service';

function explanationOf(home: Home): string {
  const mode = modeOf(home);
  const user = home.user
    ? `as user ${home.user.uid}`
    : process.getuid?.() === 0
      ? 'as root, because no other user can reach the Deno program'
      : 'as the user of the service';
  const calls = home.unfilteredBecause
    ? `System calls are not filtered (${home.unfilteredBecause}).`
    : 'The kernel refuses system calls that a function does not need.';
  const common = `Each function version runs in its own Deno process, ${user}, without access to files, programs or the service's environment`;
  if (mode !== 'permissions')
    return (
      `${common}, in a container ${CONTAINERS[mode]} with no network, files or processes but its own; what its network ` +
      `policy allows goes out by a filtering proxy of the service. ${calls}`
    );
  return (
    `${common}; the network is filtered by Deno (IPv6 ranges only in part). ${calls} There is no container around it, ` +
    `because ${home.bareBecause}. ${REMEDY}. Until then, run code you would trust with an ordinary account on this ` +
    'machine.'
  );
}
