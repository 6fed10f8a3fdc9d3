/**
 * When each connection was last used, to the minute: written in batches, one second after the first use, and then at
 * most once a minute. Shutdown writes the remaining ones; after a crash the times are at most a minute behind.
 */
import { now } from '../lib/clock.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import * as store from './store/connections.ts';

const BATCH_MS = 1_000;
const REST_MS = 60_000;

export type ConnectionUses = {
  note(account_id: string, connection_id: string): void;
  /** Writes all pending uses. */
  flush(): Promise<void>;
};

export function createConnectionUses({ db, log, changed }: Pick<Services, 'db' | 'log' | 'changed'>): ConnectionUses {
  const waiting = new Map<string, store.Use>();
  const notedMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<store.Used[]> {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...waiting.values()];
    waiting.clear();
    const nowMs = performance.now();
    for (const [id, atMs] of notedMs) if (nowMs - atMs >= REST_MS) notedMs.delete(id);
    return batch.length > 0 ? store.noteUses(db, batch) : [];
  }

  async function flushAndPublish(): Promise<void> {
    try {
      for (const { account_id, connection_id, status } of await flush())
        changed(account_id, { noun: 'connection_use', connection_id, status });
    } catch (error) {
      log.warn(errorFields(error), 'last use of connections could not be stored');
    }
  }

  return {
    note(account_id, connection_id) {
      const nowMs = performance.now();
      if (nowMs - (notedMs.get(connection_id) ?? Number.NEGATIVE_INFINITY) < REST_MS) return;
      notedMs.set(connection_id, nowMs);
      waiting.set(connection_id, { account_id, connection_id, at: now() });
      timer ??= setTimeout(() => void flushAndPublish(), BATCH_MS).unref();
    },
    async flush() {
      await flush();
    },
  };
}
