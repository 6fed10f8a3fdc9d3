/**
 * Live changes of accounts. The change feed (changes.ts) publishes them after the commit; every open console tab
 * subscribes. Changes within 50 ms form a batch. Each batch has an id, and recent batches are kept, so a tab that
 * briefly lost its connection resumes without a gap. After a longer gap, or from another process, a tab has to read
 * everything again. Changes of other nodes arrive through `receive`; `onBatch` sends local changes to them.
 */
import { EventEmitter } from 'node:events';
import type { LiveChange } from '../../contract/live.ts';

/** `resync`: changes were missed, so the tab must read everything again. */
export type LiveBatch = { id: string; changes: LiveChange[]; resync?: true };
export type Live = {
  /** The id of the latest batch, from which a new stream resumes. */
  position(): string;
  publish(account_id: string, change: LiveChange): void;
  /** Publishes changes of another node. */
  receive(account_id: string, changes: LiveChange[]): void;
  /** Publishes to all accounts that changes may have been missed. */
  resync(): void;
  /**
   * Returns the batches after `lastId` (null: no longer kept, read everything again), then passes each later one to
   * `onBatch` until `stop`.
   */
  subscribe(account_id: string, lastId: string | undefined, onBatch: (batch: LiveBatch) => void): LiveSubscription;
};
export type LiveSubscription = { missed: LiveBatch[] | null; at: string; stop: () => void };

const COALESCE_MS = 50;
const KEPT_BATCHES = 500;
/**
 * Limit per kept batch. A tab that missed a larger one reads everything again, so that changes of thousands of runs are
 * not held.
 */
const KEPT_CHANGES = 100;

export function createLive(
  bootId: string,
  { onBatch }: { onBatch(account_id: string, changes: LiveChange[]): void },
): Live {
  const bus = new EventEmitter().setMaxListeners(0);
  const waiting = new Map<string, Map<string, LiveChange>>();
  const kept = new Map<string, LiveBatch[]>();
  let sequence = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    timer = undefined;
    const leaving = [...waiting].map(([account_id, changes]) => ({ account_id, changes: [...changes.values()] }));
    waiting.clear();
    for (const { account_id, changes } of leaving) {
      emit(account_id, changes);
      onBatch(account_id, changes);
    }
  }

  function emit(account_id: string, changes: LiveChange[], more: { resync?: true } = {}) {
    const batch = { id: `${bootId}.${++sequence}`, changes, ...more };
    const batches = kept.get(account_id) ?? [];
    batches.push(changes.length > KEPT_CHANGES ? { id: batch.id, changes: [], resync: true } : batch);
    if (batches.length > KEPT_BATCHES) batches.shift();
    kept.set(account_id, batches);
    bus.emit(account_id, batch);
  }

  const position = () => `${bootId}.${sequence}`;

  return {
    position,
    publish(account_id, change) {
      const changes = waiting.get(account_id) ?? new Map<string, LiveChange>();
      waiting.set(account_id, changes);
      const key = keyOf(change);
      changes.delete(key);
      changes.set(key, change);
      timer ??= setTimeout(flush, COALESCE_MS);
    },
    receive(account_id, changes) {
      emit(account_id, changes);
    },
    resync() {
      const accounts = new Set([...kept.keys(), ...bus.eventNames().map(String)]);
      for (const account_id of accounts) emit(account_id, [], { resync: true });
    },
    subscribe(account_id, lastId, onBatch) {
      bus.on(account_id, onBatch);
      const at = position();
      return {
        missed: missedSince(kept.get(account_id) ?? [], bootId, lastId),
        at,
        stop: () => bus.off(account_id, onBatch),
      };
    },
  };
}

/** The key under which a later change replaces an earlier one of the same resource. */
function keyOf(change: LiveChange): string {
  // Shortcuts for the most frequent nouns: JSON.stringify is slow.
  if (change.noun === 'run') return change.run_id;
  if (change.noun === 'delivery') return change.delivery_id;
  return JSON.stringify({ ...change, status: undefined });
}

function missedSince(batches: LiveBatch[], bootId: string, lastId: string | undefined): LiveBatch[] | null {
  if (lastId === undefined) return [];
  const [boot, number] = lastId.split('.');
  if (boot !== bootId || !/^\d+$/.test(number ?? '')) return null;
  const after = batches.filter((batch) => sequenceOf(batch) > Number(number));
  // The ring is full and its oldest batch is newer than the tab's last one: some may be lost.
  const first = batches[0];
  if (batches.length === KEPT_BATCHES && first && sequenceOf(first) > Number(number)) return null;
  return after.some(({ resync }) => resync) ? null : after;
}

const sequenceOf = (batch: LiveBatch) => Number(batch.id.split('.')[1]);
