/**
 * Last use of each API key, to the minute. Uses are written in batches, a second after the first use and at most once
 * a minute per key. The buffer is flushed when the service stops. After a crash the stored time is at most a minute
 * old.
 */
import { timestampAt } from '../lib/clock.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import * as store from './store/api-keys.ts';

const BATCH_MS = 1_000;
const REST_MS = 60_000;

type Use = { account_id: string; key_id: string; atMs: number };

export type KeyUses = {
  note(key: Omit<Use, 'atMs'>): void;
  /** Writes all buffered uses. */
  flush(): Promise<void>;
};

export function createKeyUses({ db, log }: Pick<Services, 'db' | 'log'>): KeyUses {
  const waiting = new Map<string, Use>();
  const writtenMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const batch = [...waiting.values()].map(({ atMs, ...use }) => ({ ...use, at: timestampAt(atMs) }));
    waiting.clear();
    const nowMs = performance.now();
    for (const [key_id, atMs] of writtenMs) if (nowMs - atMs >= REST_MS) writtenMs.delete(key_id);
    for (const { key_id } of batch) writtenMs.set(key_id, nowMs);
    await store.noteUses(db, batch);
  }

  return {
    note({ account_id, key_id }) {
      const use = waiting.get(key_id);
      if (use) use.atMs = Date.now();
      else waiting.set(key_id, { account_id, key_id, atMs: Date.now() });
      if (timer) return;
      const atMs = writtenMs.get(key_id);
      if (atMs !== undefined && performance.now() - atMs < REST_MS) return;
      timer = setTimeout(() => {
        flush().catch((error: unknown) => log.warn(errorFields(error), 'last use of API keys could not be stored'));
      }, BATCH_MS).unref();
    },
    flush,
  };
}
