/**
 * Last use of each API key, to the minute, with its IP address; and its uses, counted by day, operation and IP address.
 * Both are written in batches, a second after the first use and at most once a minute per key. The buffer is flushed
 * when the service stops. After a crash at most a minute is lost.
 */
import { timestampAt } from '../lib/clock.ts';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import * as store from './store/api-keys.ts';

const BATCH_MS = 1_000;
const REST_MS = 60_000;
/** Beyond this many counters, further IP addresses are counted together, as ''. */
const COUNTERS_MAX = 5_000;

type Use = { account_id: string; key_id: string; ip: string | null; atMs: number };
/** `operation` is one of the API, `gateway` for a call of an app, or `function` for a function's URL. */
export type KeyUse = { operation: string; function_id?: string | undefined; ip: string | null };

export type KeyUses = {
  note(key: Pick<Use, 'account_id' | 'key_id'>, ip: string | null): void;
  count(account_id: string, key_id: string, use: KeyUse): void;
  /** Writes all buffered uses. */
  flush(): Promise<void>;
};

export function createKeyUses({ db, log }: Pick<Services, 'db' | 'log'>): KeyUses {
  const waiting = new Map<string, Use>();
  let counts = new Map<string, store.CountedUse>();
  const writtenMs = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let timerAtMs = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    timerAtMs = Number.POSITIVE_INFINITY;
    if (waiting.size === 0 && counts.size === 0) return;
    const batch = [...waiting.values()].map(({ atMs, ...use }) => ({ ...use, at: timestampAt(atMs) }));
    const counted = [...counts.values()];
    waiting.clear();
    counts = new Map();
    const nowMs = performance.now();
    for (const [key_id, atMs] of writtenMs) if (nowMs - atMs >= REST_MS) writtenMs.delete(key_id);
    for (const { key_id } of batch) writtenMs.set(key_id, nowMs);
    await store.noteUses(db, batch);
    await store.addUses(db, counted);
  }

  function flushIn(ms: number): void {
    const atMs = performance.now() + ms;
    if (timerAtMs <= atMs) return;
    clearTimeout(timer);
    timerAtMs = atMs;
    timer = setTimeout(() => {
      flush().catch((error: unknown) => log.warn(errorFields(error), 'use of API keys could not be stored'));
    }, ms).unref();
  }

  return {
    note({ account_id, key_id }, ip) {
      const use = waiting.get(key_id);
      if (use) {
        use.atMs = Date.now();
        use.ip = ip;
        return;
      }
      waiting.set(key_id, { account_id, key_id, ip, atMs: Date.now() });
      const atMs = writtenMs.get(key_id);
      flushIn(Math.max(BATCH_MS, atMs === undefined ? 0 : atMs + REST_MS - performance.now()));
    },
    count(account_id, key_id, { operation, function_id = null, ip }) {
      const full = counts.size >= COUNTERS_MAX;
      const key = `${key_id} ${operation} ${function_id ?? ''} ${full ? '' : ip}`;
      const counted = counts.get(key);
      if (counted) counted.calls++;
      else counts.set(key, { account_id, key_id, operation, function_id, ip: full ? '' : (ip ?? ''), calls: 1 });
    },
    flush,
  };
}
