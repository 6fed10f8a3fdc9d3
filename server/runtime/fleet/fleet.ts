/**
 * The processes: one per function version and environment, at most `shares.processes`, of which an account may keep a
 * share busy (shares/process-shares.ts). A new key uses a spare process,
 * which has booted in advance, or boots one. A retired process (its version was replaced, or a run timed out) accepts
 * no new runs and is killed after its last one. When the limit is reached, the process idle for longest is killed. A
 * process that has been idle for a while is stopped (SIGSTOP) until its next run, so that timers and loops of earlier
 * runs use no CPU and observe nothing.
 */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { RunStart } from '../../../contract/states.ts';
import type { Shares } from '../../lib/shares/shares.ts';
import { AtCapacity } from '../at-capacity.ts';
import type { FunctionSpec } from '../function-spec.ts';
import type { Language } from '../languages/language.ts';
import { FIRST_LANGUAGE } from '../languages/languages.ts';
import { createBootTurns } from '../shares/boot-turns.ts';
import { createOutputShares } from '../shares/output-shares.ts';
import { createAdmission } from '../shares/process-shares.ts';
import { createUsageMonitor } from '../shares/usage-monitor.ts';
import { Freezer } from './freezer.ts';
import type { Isolate } from './isolate.ts';
import { createProcesses } from './processes.ts';
import type { Ending } from './run-listeners.ts';
import type { Home } from './sandbox-home.ts';
import { createMapper, type Mapper } from './stack.ts';
import type { Watchdog } from './watchdog.ts';

export type Slot = {
  account_id: string;
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
  /**
   * Reserves a slot in the process of `spec`; `release` frees it. A promise if the process has to wait for its start.
   * Throws AtCapacity or ShareUsed.
   */
  acquire(spec: FunctionSpec): Slot | Promise<Slot>;
  release(slot: Slot): void;
  /** Accepts no new runs for this process; it is killed once idle. */
  retire(slot: Slot): void;
  retireAll(keyPrefix: string): void;
  slots(): Slot[];
  spares(): number;
  close(because: Ending): Promise<void>;
};

export type FleetShares = Pick<
  Shares,
  'processes' | 'accountProcesses' | 'processBytes' | 'accountBytes' | 'accountCpu' | 'accountOutput'
>;

export function createFleet(
  home: Home,
  watchdog: Watchdog,
  log: Logger,
  limits: { spares: number; freezeAfterMs: number; shares: FleetShares },
): Fleet {
  const { processes: maxProcesses } = limits.shares;
  const { enter, leave } = createAdmission(limits.shares);
  /** In the order of last use. */
  const serving = new Map<string, Slot>();
  let latest: Slot | undefined;
  const retired = new Set<Slot>();
  const processes = createProcesses(home, watchdog, log, limits.spares);
  const freezer = new Freezer(limits.freezeAfterMs);
  const outputs = createOutputShares(limits.shares.accountOutput);
  const monitor = createUsageMonitor(limits.shares, (idle) => {
    for (const slot of serving.values()) if (slot === idle) retire(slot);
  });
  const turns = createBootTurns(availableParallelism());
  /** Processes that wait for their turn to start. */
  const opened = new Map<string, Promise<Slot>>();
  let closing = false;

  const slots = () => [...serving.values(), ...retired];

  const retire = (slot: Slot) => {
    if (slot.retired) return;
    slot.retired = true;
    if (serving.get(slot.key) === slot) serving.delete(slot.key);
    if (slot.inFlight === 0) slot.isolate.kill();
    else retired.add(slot);
  };

  const makeRoom = ({ language, account_id }: FunctionSpec) => {
    monitor.admit(account_id);
    const isTight = serving.size + retired.size >= maxProcesses;
    const most = language.limits.processes(maxProcesses);
    if (!isTight && slots().filter((slot) => slot.language === language).length < most) return;
    for (const slot of serving.values())
      if (slot.inFlight === 0 && (isTight || slot.language === language)) return retire(slot);
    throw new AtCapacity(`All ${isTight ? maxProcesses : most} function processes are busy`);
  };

  const open = (spec: FunctionSpec): Slot => {
    makeRoom(spec);
    const { isolate, start } = processes.take({
      policy: spec.networkPolicy,
      allowedHosts: spec.allowedHosts,
      language: spec.language,
    });
    isolate.pace(outputs(spec.account_id));
    const slot = slotFor(spec, isolate, start);
    monitor.watch(slot);
    void isolate.closed.then(() => {
      monitor.forget(slot);
      slot.retired = true;
      freezer.forget(slot);
      if (serving.get(slot.key) === slot) serving.delete(slot.key);
      retired.delete(slot);
    });
    return slot;
  };

  /** Uses a process for one more run. */
  const use = (slot: Slot): Slot => {
    if (slot !== latest) {
      serving.delete(slot.key);
      serving.set(slot.key, slot);
      latest = slot;
    }
    slot.inFlight += 1;
    freezer.thaw(slot);
    monitor.wake();
    return slot;
  };

  /** Opens a process in its turn to start, which ends when the process is ready. It is already counted as busy. */
  const openInTurn = (spec: FunctionSpec): Slot => {
    try {
      if (closing) throw new AtCapacity('The service is stopping');
      const slot = open(spec);
      void slot.isolate.ready.then(() => turns.end(spec.account_id));
      return use(slot);
    } catch (error) {
      turns.end(spec.account_id);
      leave(spec);
      throw error;
    }
  };

  processes.fill({ policy: 'ALLOW_ALL', allowedHosts: [], language: FIRST_LANGUAGE });
  return {
    acquire(spec) {
      if (closing) throw new AtCapacity('The service is stopping');
      const known = serving.get(spec.key);
      if (known) {
        if (known.inFlight === 0) enter(spec);
        return use(known);
      }
      const opening = opened.get(spec.key);
      if (opening) return opening.then(() => this.acquire(spec));
      enter(spec);
      const turn = turns.take(spec.account_id);
      if (!turn) return openInTurn(spec);
      const slot = turn.then(() => openInTurn(spec));
      opened.set(spec.key, slot);
      const done = () => void opened.delete(spec.key);
      slot.then(done, done);
      return slot;
    },
    release(slot) {
      slot.inFlight -= 1;
      if (slot.inFlight > 0) return;
      leave(slot);
      if (monitor.isWorn(slot)) retire(slot);
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
      monitor.close();
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
    account_id: spec.account_id,
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
