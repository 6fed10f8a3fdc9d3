/**
 * The processes: one per function version and environment, at most `maxProcesses`. A new key uses a spare process,
 * which has booted in advance, or boots one. A retired process (its version was replaced, or a run timed out) accepts
 * no new runs and is killed after its last one. When the limit is reached, the process idle for longest is killed. A
 * process that has been idle for a while is stopped (SIGSTOP) until its next run, so that timers and loops of earlier
 * runs use no CPU and observe nothing.
 */
import type { Logger } from 'pino';
import type { RunStart } from '../../../contract/states.ts';
import type { FunctionSpec } from '../function-spec.ts';
import type { Language } from '../languages/language.ts';
import { FIRST_LANGUAGE } from '../languages/languages.ts';
import { Freezer } from './freezer.ts';
import type { Isolate } from './isolate.ts';
import { createProcesses } from './processes.ts';
import type { Ending } from './run-listeners.ts';
import type { Home } from './sandbox-home.ts';
import { createMapper, type Mapper } from './stack.ts';
import type { Watchdog } from './watchdog.ts';

/** Every process is busy: the run cannot start now. */
export class AtCapacity extends Error {
  override name = 'AtCapacity';
}

export type Slot = {
  key: string;
  language: Language;
  isolate: Isolate;
  mapper: Mapper;
  /** Where the process of the first run came from; WARM from then on. */
  start: RunStart;
  inFlight: number;
  startedAt: number;
  retired: boolean;
  /** Stopped until its next run. */
  frozen: boolean;
};

export type Fleet = {
  /** Reserves a slot in the process of `spec`; `release` frees it. Throws AtCapacity. */
  acquire(spec: FunctionSpec): Slot;
  release(slot: Slot): void;
  /** Accepts no new runs for this process; it is killed once idle. */
  retire(slot: Slot): void;
  retireAll(keyPrefix: string): void;
  slots(): Slot[];
  spares(): number;
  close(because: Ending): Promise<void>;
};

export function createFleet(
  home: Home,
  watchdog: Watchdog,
  log: Logger,
  limits: { spares: number; maxProcesses: number; freezeAfterMs: number },
): Fleet {
  /** In the order of last use. */
  const serving = new Map<string, Slot>();
  let latest: Slot | undefined;
  const retired = new Set<Slot>();
  const processes = createProcesses(home, watchdog, log, limits.spares);
  const freezer = new Freezer(limits.freezeAfterMs);
  let closing = false;

  const slots = () => [...serving.values(), ...retired];

  const retire = (slot: Slot) => {
    if (slot.retired) return;
    slot.retired = true;
    if (serving.get(slot.key) === slot) serving.delete(slot.key);
    if (slot.inFlight === 0) slot.isolate.kill();
    else retired.add(slot);
  };

  const makeRoom = (language: Language) => {
    const isTight = serving.size + retired.size >= limits.maxProcesses;
    const most = language.limits.processes(limits.maxProcesses);
    if (!isTight && slots().filter((slot) => slot.language === language).length < most) return;
    for (const slot of serving.values())
      if (slot.inFlight === 0 && (isTight || slot.language === language)) return retire(slot);
    throw new AtCapacity(`All ${isTight ? limits.maxProcesses : most} function processes are busy`);
  };

  const open = (spec: FunctionSpec): Slot => {
    makeRoom(spec.language);
    const { isolate, start } = processes.take({
      policy: spec.networkPolicy,
      allowedHosts: spec.allowedHosts,
      language: spec.language,
    });
    const slot = slotFor(spec, isolate, start);
    void isolate.closed.then(() => {
      slot.retired = true;
      freezer.forget(slot);
      if (serving.get(slot.key) === slot) serving.delete(slot.key);
      retired.delete(slot);
    });
    return slot;
  };

  processes.fill({ policy: 'ALLOW_ALL', allowedHosts: [], language: FIRST_LANGUAGE });
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
      freezer.thaw(slot);
      return slot;
    },
    release(slot) {
      slot.inFlight -= 1;
      if (slot.inFlight > 0) return;
      if (!slot.retired) return freezer.freezeLater(slot);
      retired.delete(slot);
      slot.isolate.kill();
    },
    retire,
    retireAll(keyPrefix) {
      for (const slot of [...serving.values()]) if (slot.key.startsWith(keyPrefix)) retire(slot);
    },
    slots,
    spares: processes.spares,
    close(because) {
      closing = true;
      return processes.close(because);
    },
  };
}

/** Assigns a function to a process. */
function slotFor(spec: FunctionSpec, isolate: Isolate, start: RunStart): Slot {
  isolate.assign({
    code: spec.code,
    exportName: spec.handler.slice(spec.handler.lastIndexOf('.') + 1),
    handler: spec.handler,
    label: spec.label,
    env: spec.env,
  });
  return {
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
}
