/**
 * The call log of the gateway: one row for each call with a connection, without query, headers and bodies. Calls don't
 * wait for it. Rows are buffered and flushed after one second or when a batch is full, one statement at a time. While
 * the database can't keep up, up to MAX_WAITING rows are buffered. Further calls are dropped and counted, and every
 * response about calls contains that count. Shutdown flushes the buffer; a crash loses one second.
 */

import { DENIED_CALLS_MIN } from '../../contract/limits.ts';
import { appLabel } from '../connections/apps/app-label.ts';
import { countDenied } from '../connections/store/connection-checks.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import { statusClass } from '../platform/measures.ts';
import { CallBatch, type NewCall } from './store/call-batch.ts';

export type NotedCall = NewCall;

export type CallsLog = {
  note(call: NotedCall): void;
  /** The number of dropped calls of this account since this process started. */
  dropped(account_id: string): number;
  /** Flushes the buffer. */
  close(): Promise<void>;
};

const FLUSH_AFTER_MS = 1_000;
const BATCH = 1_000;
const MAX_WAITING = 20_000;
/** A batch is dropped after this number of failed attempts. */
const TRIES = 20;

type Parts = Pick<Services, 'db' | 'log' | 'changed' | 'measures'>;

export function createCallsLog({ db, log, changed, measures }: Parts): CallsLog {
  const droppedOf = new Map<string, number>();
  let filling = new CallBatch();
  const full: CallBatch[] = [];
  /** The last flushed batch, for reuse. */
  let spare: CallBatch | undefined;
  /** Calls in all batches. */
  let waiting = 0;
  let tries = 0;
  let unreported = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  function drop(account_id: string, calls: number) {
    droppedOf.set(account_id, (droppedOf.get(account_id) ?? 0) + calls);
    unreported += calls;
  }

  function close() {
    if (filling.count === 0) return;
    full.push(filling);
    filling = spare ?? new CallBatch();
    spare = undefined;
  }

  /** Writes all full batches; false if the database rejected one. */
  async function write(): Promise<boolean> {
    for (let batch = full[0]; batch; batch = full[0]) {
      try {
        await batch.insertInto(db);
        for (const { account_id, connection_id, status } of await countDenied(db, batch.denied, DENIED_CALLS_MIN))
          changed(account_id, { noun: 'connection', connection_id, status });
        // Subscribers of a connection are notified once per batch.
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

  /** Runs one flush at a time; calls that arrive meanwhile are part of the next. */
  function flush(): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      if (unreported > 0) log.warn({ dropped: unreported }, 'gateway calls dropped: the database cannot keep up');
      unreported = 0;
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
      measures.count('gateway_calls', { app: appLabel(call.app), status: statusClass(call.status) });
      measures.observe('gateway_call_seconds', {}, call.duration_ms / 1000);
      if (waiting >= MAX_WAITING) return drop(call.account_id, 1);
      filling.add(call);
      waiting++;
      if (filling.count < BATCH) return later();
      close();
      // While the database fails, flush by timer only.
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
