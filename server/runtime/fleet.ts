/**
 * The processes: one a function version and environment, at most `maxProcesses`. A new key takes a spare that has
 * booted ahead, or boots one. A process that is not wanted any more (its version was replaced, a run of it timed out)
 * takes no new runs and is killed when its last one is over; where room is needed, the one idle for longest goes. One
 * that has had nothing to do for a while is stopped by the kernel (SIGSTOP) until its next run, so that timers and loops
 * which a run left behind cost nothing and see nothing.
 */
import type { Logger } from 'pino';
import type { RunStart } from '../../contract/states.ts';
import type { Home } from './home.ts';
import { type Ending, type Isolate, startIsolate } from './isolate.ts';
import { type Language, type Needs, needsKey } from './network-policy.ts';
import type { FunctionSpec } from './runtime.ts';
import { createMapper, type Mapper } from './stack.ts';
import type { Watchdog } from './watchdog.ts';

/** Every process is busy: the run can't start now. */
export class AtCapacity extends Error {
  override name = 'AtCapacity';
}

export type Slot = {
  key: string;
  language: Language;
  isolate: Isolate;
  mapper: Mapper;
  /** Where the process came from for its first run; WARM from then on. */
  start: RunStart;
  inFlight: number;
  startedAt: number;
  retired: boolean;
  /** Stopped until its next run. */
  frozen: boolean;
};

export type Fleet = {
  /** Reserves a place in the process of `spec`; release() gives it back. Throws AtCapacity. */
  acquire(spec: FunctionSpec): Slot;
  release(slot: Slot): void;
  /** No new runs for this process; it is killed once idle. */
  retire(slot: Slot): void;
  retireAll(keyPrefix: string): void;
  slots(): Slot[];
  spares(): number;
  close(because: Ending): Promise<void>;
};

const REFILL_AFTER_MS = 50;
const OPEN: Needs = { policy: 'ALLOW_ALL', allowedHosts: [], language: 'javascript' };

export function createFleet(
  home: Home,
  watchdog: Watchdog,
  log: Logger,
  limits: { spares: number; maxProcesses: number; freezeAfterMs: number },
): Fleet {
  /** The one asked for longest ago comes first. */
  const serving = new Map<string, Slot>();
  let latest: Slot | undefined;
  const retired = new Set<Slot>();
  const idle = new Map<Slot, NodeJS.Timeout>();
  const spares = new Map<string, Set<Isolate>>();
  const all = new Set<Isolate>();
  let closing = false;

  const start = (needs: Needs): Isolate => {
    const isolate = startIsolate(home, needs, watchdog, log);
    all.add(isolate);
    void isolate.closed.then((ending) => {
      all.delete(isolate);
      for (const pool of spares.values()) pool.delete(isolate);
      if (!closing) log.debug({ pid: isolate.pid, ending }, 'runtime: process ended');
    });
    return isolate;
  };

  /** A list of hosts is one function's own; the other policies are worth keeping spares for, once asked for. */
  const fill = (needs: Needs) => {
    if (closing || needs.policy === 'ALLOW_LIST') return;
    const pool = spares.get(needsKey(needs)) ?? new Set();
    spares.set(needsKey(needs), pool);
    // An interpreter takes ten times the memory.
    const enough = needs.language === 'python' ? Math.min(limits.spares, 1) : limits.spares;
    while (pool.size < enough) pool.add(start(needs));
  };

  const take = (needs: Needs): { isolate: Isolate; start: RunStart } => {
    const [spare] = spares.get(needsKey(needs)) ?? [];
    if (spare) spares.get(needsKey(needs))?.delete(spare);
    // Not at once: the next spare's boot would compete with the run that took this one.
    setTimeout(fill, REFILL_AFTER_MS, needs).unref();
    return spare ? { isolate: spare, start: 'SPARE' } : { isolate: start(needs), start: 'COLD' };
  };

  const freezeLater = (slot: Slot) => {
    const timer = setTimeout(() => {
      slot.frozen = slot.isolate.freeze();
    }, limits.freezeAfterMs);
    idle.set(slot, timer.unref());
  };
  const thaw = (slot: Slot) => {
    clearTimeout(idle.get(slot));
    idle.delete(slot);
    if (slot.frozen) slot.isolate.thaw();
    slot.frozen = false;
  };

  const retire = (slot: Slot) => {
    if (slot.retired) return;
    slot.retired = true;
    if (serving.get(slot.key) === slot) serving.delete(slot.key);
    if (slot.inFlight === 0) slot.isolate.kill();
    else retired.add(slot);
  };

  const makeRoom = (language: Language) => {
    const isTight = serving.size + retired.size >= limits.maxProcesses;
    const interpreters = [...serving.values(), ...retired].filter((slot) => slot.language === 'python').length;
    const most = Math.max(1, Math.floor(limits.maxProcesses / 5));
    if (!isTight && !(language === 'python' && interpreters >= most)) return;
    for (const slot of serving.values())
      if (slot.inFlight === 0 && (isTight || slot.language === 'python')) return retire(slot);
    throw new AtCapacity(`All ${isTight ? limits.maxProcesses : most} function processes are busy`);
  };

  const open = (spec: FunctionSpec): Slot => {
    makeRoom(spec.language);
    const { isolate, start } = take({
      policy: spec.networkPolicy,
      allowedHosts: spec.allowedHosts,
      language: spec.language,
    });
    isolate.assign({
      code: spec.code,
      exportName: spec.handler.slice(spec.handler.lastIndexOf('.') + 1),
      handler: spec.handler,
      label: spec.label,
      env: spec.env,
    });
    const slot = {
      key: spec.key,
      language: spec.language,
      isolate,
      mapper: createMapper(spec.map),
      start,
      inFlight: 0,
      startedAt: Date.now(),
      retired: false,
      frozen: false,
    };
    void isolate.closed.then(() => {
      slot.retired = true;
      clearTimeout(idle.get(slot));
      idle.delete(slot);
      if (serving.get(slot.key) === slot) serving.delete(slot.key);
      retired.delete(slot);
    });
    return slot;
  };

  fill(OPEN);
  return {
    acquire(spec) {
      if (closing) throw new AtCapacity('The service is stopping');
      const slot = serving.get(spec.key) ?? open(spec);
      if (slot !== latest) {
        serving.delete(spec.key);
        serving.set(spec.key, slot);
        latest = slot;
      }
      slot.inFlight += 1;
      thaw(slot);
      return slot;
    },
    release(slot) {
      slot.inFlight -= 1;
      if (slot.inFlight > 0) return;
      if (!slot.retired) return freezeLater(slot);
      retired.delete(slot);
      slot.isolate.kill();
    },
    retire,
    retireAll(keyPrefix) {
      for (const slot of [...serving.values()]) if (slot.key.startsWith(keyPrefix)) retire(slot);
    },
    slots: () => [...serving.values(), ...retired],
    spares: () => [...spares.values()].reduce((sum, pool) => sum + pool.size, 0),
    async close(because) {
      closing = true;
      const ends = [...all].map((isolate) => isolate.closed);
      for (const isolate of all) isolate.kill(because);
      await Promise.all(ends);
    },
  };
}
