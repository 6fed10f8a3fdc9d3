/**
 * What went through the gateway: one row for each call that a connection was found for, never its query, headers or
 * bodies. Calls don't wait for it. Rows gather in memory and leave a second later, or as soon as there are many, in one
 * statement at a time. While the database can't keep up they wait, up to MAX_WAITING; from then on calls are counted
 * instead of kept, and every reply about calls says how many. What waits at a stop is written; a crash loses a second.
 */
import { idsAt } from '../lib/ids.ts';
import * as store from '../store/gateway-calls.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';

/** `at_ms` is when it began. */
export type NotedCall = store.NewCall & { at_ms: number };

export type CallsLog = {
  note(call: NotedCall): void;
  /** Calls of this account that could not be kept, since this process started. */
  dropped(account_id: string): number;
  /** Writes what waits. */
  close(): Promise<void>;
};

const FLUSH_AFTER_MS = 1_000;
const BATCH = 2_000;
const MAX_WAITING = 20_000;
/** A batch that fails this often is not going to get through. */
const TRIES = 20;

const logs = new WeakMap<Db, CallsLog>();

/** The log of this service. */
export function callsLog(services: Pick<Services, 'db' | 'log' | 'live'>): CallsLog {
  const open = logs.get(services.db) ?? openCallsLog(services);
  logs.set(services.db, open);
  return open;
}

function openCallsLog({ db, log, live }: Pick<Services, 'db' | 'log' | 'live'>): CallsLog {
  const droppedOf = new Map<string, number>();
  let waiting: NotedCall[] = [];
  let batch: NotedCall[] = [];
  let ids: string[] = [];
  let tries = 0;
  let unsaid = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;

  function drop(account_id: string) {
    droppedOf.set(account_id, (droppedOf.get(account_id) ?? 0) + 1);
    unsaid++;
  }

  /** Whoever watches a connection hears of its calls once a batch. */
  function tell(calls: readonly NotedCall[]) {
    const accountOf = new Map<string, string>();
    for (const { connection_id, account_id } of calls) accountOf.set(connection_id, account_id);
    for (const [connection_id, account_id] of accountOf) live.publish(account_id, { noun: 'call', connection_id });
  }

  /** Writes batches while there are whole ones, or all that waits; false when the database didn't take one. */
  async function write(all: boolean): Promise<boolean> {
    while (batch.length > 0 || waiting.length >= (all ? 1 : BATCH)) {
      if (batch.length === 0) {
        batch = waiting.slice(0, BATCH);
        waiting = waiting.slice(BATCH);
        // Kept for another try, so that a batch that got through unnoticed is known again.
        ids = idsAt(batch.map(({ at_ms }) => at_ms));
      }
      try {
        await store.insert(db, ids, batch);
        tell(batch);
        batch = [];
        tries = 0;
      } catch (error) {
        log.warn({ err: error, calls: batch.length + waiting.length }, 'gateway calls wait: they could not be stored');
        if (++tries < TRIES) return false;
        for (const { account_id } of batch) drop(account_id);
        batch = [];
        tries = 0;
      }
    }
    return true;
  }

  /** One at a time; what comes meanwhile gathers for the next. */
  function flush(all: boolean): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write(all).finally(() => {
      writing = undefined;
      if (unsaid > 0) log.warn({ dropped: unsaid }, 'gateway calls were not kept: the database can not keep up');
      unsaid = 0;
      if (batch.length + waiting.length > 0) later();
    });
    return writing;
  }
  const later = () => {
    timer ??= setTimeout(() => void flush(true), FLUSH_AFTER_MS).unref();
  };

  return {
    note(call) {
      if (batch.length + waiting.length >= MAX_WAITING) return drop(call.account_id);
      waiting.push(call);
      // While the database refuses, the timer is patient enough.
      if (waiting.length >= BATCH && tries === 0 && !writing) void flush(false);
      else later();
    },
    dropped: (account_id) => droppedOf.get(account_id) ?? 0,
    async close() {
      await writing;
      const kept = await flush(true);
      clearTimeout(timer);
      if (!kept) log.error({ lost: batch.length + waiting.length }, 'gateway calls were lost at the stop');
    },
  };
}
