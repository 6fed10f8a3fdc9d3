/**
 * When each key was last used, to the minute: written in batches, a second after the first use, and not again for a
 * minute. What a service has not written yet it writes when it stops; after a crash it is at most a minute behind.
 */
import type { Logger } from 'pino';
import { timestampAt } from '../lib/clock.ts';
import * as store from '../store/api-keys.ts';
import type { Db } from '../store/schema.ts';

const BATCH_MS = 1_000;
const REST_MS = 60_000;

type Use = { account_id: string; key_id: string; atMs: number };
type Uses = { waiting: Map<string, Use>; writtenMs: Map<string, number>; timer: NodeJS.Timeout | undefined };
const usesOf = new WeakMap<Db, Uses>();

export function noteUse(db: Db, log: Pick<Logger, 'warn'>, { account_id, key_id }: Omit<Use, 'atMs'>): void {
  let uses = usesOf.get(db);
  if (!uses) {
    uses = { waiting: new Map(), writtenMs: new Map(), timer: undefined };
    usesOf.set(db, uses);
  }
  const waiting = uses.waiting.get(key_id);
  if (waiting) waiting.atMs = Date.now();
  else uses.waiting.set(key_id, { account_id, key_id, atMs: Date.now() });
  if (uses.timer) return;
  const writtenMs = uses.writtenMs.get(key_id);
  if (writtenMs !== undefined && performance.now() - writtenMs < REST_MS) return;
  uses.timer = setTimeout(() => {
    flushUses(db).catch((error: unknown) => log.warn({ err: error }, 'the last use of keys could not be noted'));
  }, BATCH_MS).unref();
}

/** Writes every use not written yet. */
export async function flushUses(db: Db): Promise<void> {
  const uses = usesOf.get(db);
  if (!uses) return;
  clearTimeout(uses.timer);
  uses.timer = undefined;
  if (uses.waiting.size === 0) return;
  const batch = [...uses.waiting.values()].map(({ atMs, ...use }) => ({ ...use, at: timestampAt(atMs) }));
  uses.waiting.clear();
  const nowMs = performance.now();
  for (const [key_id, atMs] of uses.writtenMs) if (nowMs - atMs >= REST_MS) uses.writtenMs.delete(key_id);
  for (const { key_id } of batch) uses.writtenMs.set(key_id, nowMs);
  await store.noteUses(db, batch);
}
