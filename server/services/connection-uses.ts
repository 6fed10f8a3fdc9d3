/**
 * When each connection was last used, to the minute: written in batches, a second after the first use, and not again
 * for a minute. What a service has not written yet it writes when it stops; after a crash it is at most a minute behind.
 */
import { now } from '../lib/clock.ts';
import * as store from '../store/connections.ts';
import type { Db } from '../store/schema.ts';
import type { Services } from './context.ts';

const BATCH_MS = 1_000;
const REST_MS = 60_000;

type Uses = { waiting: Map<string, store.Use>; notedMs: Map<string, number>; timer: NodeJS.Timeout | undefined };
const usesOf = new WeakMap<Db, Uses>();

export function noteUse({ db, log, live }: Services, account_id: string, connection_id: string): void {
  let uses = usesOf.get(db);
  if (!uses) {
    uses = { waiting: new Map(), notedMs: new Map(), timer: undefined };
    usesOf.set(db, uses);
  }
  const nowMs = performance.now();
  if (nowMs - (uses.notedMs.get(connection_id) ?? Number.NEGATIVE_INFINITY) < REST_MS) return;
  uses.notedMs.set(connection_id, nowMs);
  uses.waiting.set(connection_id, { account_id, connection_id, at: now() });
  uses.timer ??= setTimeout(() => {
    flushUses(db)
      .then((written) => {
        for (const use of written)
          live.publish(use.account_id, { noun: 'connection', connection_id: use.connection_id, status: 'ACTIVE' });
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of connections could not be noted'));
  }, BATCH_MS).unref();
}

/** Writes every use not written yet, and answers them. */
export async function flushUses(db: Db): Promise<store.Use[]> {
  const uses = usesOf.get(db);
  if (!uses) return [];
  clearTimeout(uses.timer);
  uses.timer = undefined;
  const batch = [...uses.waiting.values()];
  uses.waiting.clear();
  const nowMs = performance.now();
  for (const [id, atMs] of uses.notedMs) if (nowMs - atMs >= REST_MS) uses.notedMs.delete(id);
  if (batch.length > 0) await store.noteUses(db, batch);
  return batch;
}
