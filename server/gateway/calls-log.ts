/**
 * What went through the gateway: one row for each call that a connection was found for, never its query, headers or
 * bodies. Calls don't wait for it. Rows gather in memory and leave a second later, or as soon as there are many, in one
 * statement at a time. While the database can't keep up they wait, up to MAX_WAITING; from then on calls are counted
 * instead of kept, and every reply about calls says how many. What waits at a stop is written; a crash loses a second.
 */

import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import { CallBatch, type NewCall } from './store/call-batch.ts';

export type NotedCall = NewCall;

export type CallsLog = {
  note(call: NotedCall): void;
  /** Calls of this account that could not be kept, since this process started. */
  dropped(account_id: string): number;
  /** Writes what waits. */
  close(): Promise<void>;
};

const FLUSH_AFTER_MS = 1_000;
const BATCH = 1_000;
const MAX_WAITING = 20_000;
/** A batch that fails this often is not going to get through. */
const TRIES = 20;

export function createCallsLog({ db, log, changed }: Pick<Services, 'db' | 'log' | 'changed'>): CallsLog {
  const droppedOf = new Map<string, number>();
  let filling = new CallBatch();
  const full: CallBatch[] = [];
  /** The last one that was written. */
  let spare: CallBatch | undefined;
  /** Calls in all of these. */
  let waiting = 0;
  let tries = 0;
  let unsaid = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  function drop(account_id: string, calls: number) {
    droppedOf.set(account_id, (droppedOf.get(account_id) ?? 0) + calls);
    unsaid += calls;
  }

  function close() {
    if (filling.count === 0) return;
    full.push(filling);
    filling = spare ?? new CallBatch();
    spare = undefined;
  }

  /** Writes every batch that is full; false when the database didn't take one. */
  async function write(): Promise<boolean> {
    for (let batch = full[0]; batch; batch = full[0]) {
      try {
        await batch.insertInto(db);
        // Subscribers of a connection are notified of its calls once a batch.
        for (const { connection_id, account_id } of batch.connections)
          changed(account_id, { noun: 'call', connection_id });
      } catch (error) {
        log.warn({ ...errorFields(error), calls: waiting }, 'gateway calls could not be stored, retrying');
        if (++tries < TRIES) return false;
        for (const { account_id, calls } of batch.connections) drop(account_id, calls);
      }
      full.shift();
      waiting -= batch.count;
      tries = 0;
      batch.clear();
      spare = batch;
    }
    return true;
  }

  /** One at a time; what comes meanwhile gathers for the next. */
  function flush(): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      if (unsaid > 0) log.warn({ dropped: unsaid }, 'gateway calls dropped: the database cannot keep up');
      unsaid = 0;
      if (waiting > 0) later();
    });
    return writing;
  }
  const later = () => {
    timer ??= setTimeout(() => {
      close();
      void flush();
    }, FLUSH_AFTER_MS).unref();
  };

  return {
    note(call) {
      if (waiting >= MAX_WAITING) return drop(call.account_id, 1);
      filling.add(call);
      waiting++;
      if (filling.count < BATCH) return later();
      close();
      // While the database refuses, the timer is patient enough.
      if (tries === 0) void flush();
      else later();
    },
    dropped: (account_id) => droppedOf.get(account_id) ?? 0,
    async close() {
      await writing;
      close();
      const kept = await flush();
      clearTimeout(timer);
      if (!kept) log.error({ lost: waiting }, 'gateway calls lost at shutdown');
    },
  };
}
