/**
 * Measures what functions use, by account, and keeps each account to its share.
 *
 * CPU: functions of an account that uses more than its share get a lower priority, the lower the more processes the
 * account has at work, so that all of them together weigh about as much as one of another account. On an idle machine
 * this costs nothing. The priority returns once they have been calm for a while.
 *
 * Memory: a process above its limit is ended. If the processes of an account together exceed its share, idle ones are
 * ended first, then the largest.
 */
import { availableParallelism } from 'node:os';
import type { Shares } from '../../lib/shares/shares.ts';
import { ShareUsed } from '../at-capacity.ts';
import type { Ending } from '../fleet/run-listeners.ts';
import { groupsOf, setNiceness, usageOf } from './process-usage.ts';

/** A process with a function. */
export type Measured = {
  account_id: string;
  isolate: { pid: number | undefined; ready: Promise<void>; kill(because?: Ending): void };
  inFlight: number;
  /** Stopped until its next run. */
  frozen: boolean;
};

export type UsageMonitor = {
  /** Begins to measure a process, and continues until it is forgotten. */
  watch(slot: Measured): void;
  forget(slot: Measured): void;
  /** Measures again: the process is in use. */
  wake(): void;
  /** Throws ShareUsed if the account has no memory left for one more process. */
  admit(account_id: string): void;
  /** Whether the process has a low priority that cannot be raised again. */
  isWorn(slot: Measured): boolean;
  close(): void;
};

export type UsageLimits = Pick<Shares, 'processBytes' | 'accountBytes' | 'accountCpu'>;

const EVERY_MS = 200;
/** The weight of the last interval in the average of the CPU use. */
const WEIGHT = 0.3;
/** Below this part of a core a process is not at work. */
const AT_WORK = 0.05;
const LOW = 10;
const LOWEST = 19;
/** A step of niceness changes the weight of a process by this factor. */
const STEP = 1.25;
/** Intervals of less than half of the share until the priority returns. */
const CALM_TICKS = 10;
/** What a new process uses, until it is measured. */
const NEW_BYTES = 40 * 1024 * 1024;

type State = {
  pids: readonly number[];
  /** Whether the process serves. Before that, it may start others. */
  isReady: boolean;
  /** Whether `pids` are all of them. */
  isComplete: boolean;
  cpuMs: number;
  bytes: number;
  /** Average number of cores in use. */
  cores: number;
  isRunnable: boolean;
  /** NaN if its processes differ. */
  niceness: number;
  isWorn: boolean;
};

/** `endIdle` ends a process without runs. */
export function createUsageMonitor(limits: UsageLimits, endIdle: (slot: Measured) => void): UsageMonitor {
  const states = new Map<Measured, State>();
  /** Accounts above their share of CPU time, with the number of calm intervals since. */
  const hungry = new Map<string, number>();
  const mostCores = limits.accountCpu * availableParallelism();
  let timer: NodeJS.Timeout | undefined;
  let measuredMs = 0;

  const ofAccount = (account_id: string) => [...states].filter(([slot]) => slot.account_id === account_id);
  const bytesOf = (slots: [Measured, State][]) => slots.reduce((sum, [, { bytes }]) => sum + bytes, 0);

  /** Containers have several processes, that of the function last. */
  const findGroups = () => {
    const fresh = new Map<number, State>();
    for (const [{ isolate }, state] of states)
      if (!state.isComplete && isolate.pid !== undefined) fresh.set(isolate.pid, state);
    if (fresh.size === 0) return;
    for (const [leader, pids] of groupsOf(new Set(fresh.keys()))) {
      const state = fresh.get(leader);
      if (!state) continue;
      if (state.pids.length !== pids.length && state.niceness !== 0) state.niceness = Number.NaN;
      state.pids = pids;
      state.isComplete = state.isReady;
    }
  };

  const measure = (elapsedMs: number) => {
    findGroups();
    for (const [slot, state] of states) {
      if (slot.frozen) {
        state.cores = 0;
        state.isRunnable = false;
        continue;
      }
      const usage = usageOf(state.pids);
      if (!usage) continue;
      state.cores += WEIGHT * ((usage.cpuMs - state.cpuMs) / elapsedMs - state.cores);
      Object.assign(state, usage);
    }
  };

  const setPriorities = (account_id: string, slots: [Measured, State][]) => {
    const cores = slots.reduce((sum, [, state]) => sum + state.cores, 0);
    const isBusy = slots.some(([, { niceness, isRunnable }]) => niceness > 0 && isRunnable);
    if (cores > mostCores) hungry.set(account_id, 0);
    else if (hungry.has(account_id)) {
      // A process that waits for a CPU uses little because of its priority.
      const calmTicks = isBusy || cores > mostCores / 2 ? 0 : (hungry.get(account_id) ?? 0) + 1;
      if (calmTicks >= CALM_TICKS) hungry.delete(account_id);
      else hungry.set(account_id, calmTicks);
    }
    const atWork = slots.filter(([, each]) => each.cores > AT_WORK || (each.niceness > 0 && each.isRunnable));
    const niceness = hungry.has(account_id) ? nicenessFor(atWork.length) : 0;
    for (const [slot, state] of niceness > 0 ? atWork : slots) if (!slot.frozen) setPriority(state, niceness);
  };

  const limitMemory = (slots: [Measured, State][]) => {
    for (const [{ isolate }, { bytes }] of slots)
      if (bytes > limits.processBytes)
        isolate.kill({
          name: 'OutOfMemory',
          message: `The function used more than its ${mb(limits.processBytes)} MB of memory, heap and buffers together`,
        });
    if (bytesOf(slots) <= limits.accountBytes) return;
    for (const [slot] of slots.filter(([{ inFlight }]) => inFlight === 0)) endIdle(slot);
    const busy = slots.filter(([{ inFlight }]) => inFlight > 0).sort(([, one], [, other]) => other.bytes - one.bytes);
    const [largest] = busy;
    if (!largest || bytesOf(busy) <= limits.accountBytes) return;
    largest[0].isolate.kill({
      name: 'OutOfMemory',
      message: `The functions of this account used more than their ${mb(limits.accountBytes)} MB of memory together, and this process the most`,
    });
  };

  const tick = () => {
    const nowMs = performance.now();
    measure(Math.max(1, nowMs - measuredMs));
    measuredMs = nowMs;
    const accounts = new Map<string, [Measured, State][]>();
    for (const each of states) {
      const mine = accounts.get(each[0].account_id) ?? [];
      accounts.set(each[0].account_id, mine);
      mine.push(each);
    }
    for (const [account_id, slots] of accounts) {
      setPriorities(account_id, slots);
      limitMemory(slots);
    }
    for (const account_id of hungry.keys()) if (!accounts.has(account_id)) hungry.delete(account_id);
    if ([...states.keys()].some((slot) => !slot.frozen)) return;
    clearInterval(timer);
    timer = undefined;
  };

  const wake = () => {
    if (timer || process.platform !== 'linux') return;
    measuredMs = performance.now();
    timer = setInterval(tick, EVERY_MS).unref();
  };

  return {
    watch(slot) {
      const state: State = {
        pids: [],
        isReady: false,
        isComplete: false,
        cpuMs: 0,
        bytes: NEW_BYTES,
        cores: 0,
        isRunnable: false,
        niceness: 0,
        isWorn: false,
      };
      states.set(slot, state);
      void slot.isolate.ready.then(() => {
        state.isReady = true;
      });
      wake();
      // A process that starts now would have the full priority until it is measured.
      if (slot.isolate.pid === undefined || !hungry.has(slot.account_id)) return;
      setNiceness([slot.isolate.pid], LOWEST);
      state.niceness = Number.NaN;
    },
    forget: (slot) => void states.delete(slot),
    wake,
    admit(account_id) {
      const slots = ofAccount(account_id);
      if (bytesOf(slots) + NEW_BYTES <= limits.accountBytes) return;
      const busyBytes = bytesOf(slots.filter(([{ inFlight }]) => inFlight > 0));
      if (busyBytes > 0 && busyBytes + NEW_BYTES > limits.accountBytes)
        throw new ShareUsed(
          `The account's share is used up: its functions use ${mb(busyBytes)} of ${mb(limits.accountBytes)} MB of memory`,
        );
      for (const [slot] of slots.filter(([{ inFlight }]) => inFlight === 0)) endIdle(slot);
    },
    isWorn: (slot) => states.get(slot)?.isWorn === true,
    close: () => clearInterval(timer),
  };
}

/** With this niceness, the processes weigh about as much as one of another account, up to eight of them. */
const nicenessFor = (processes: number) =>
  Math.min(LOWEST, LOW + Math.ceil(Math.log(Math.max(1, processes)) / Math.log(STEP)));

function setPriority(state: State, niceness: number): void {
  if (state.niceness === niceness || (state.isWorn && niceness < state.niceness)) return;
  const isSet = setNiceness(state.pids, niceness);
  if (!isSet && niceness < state.niceness) state.isWorn = true;
  else state.niceness = niceness;
}

const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
