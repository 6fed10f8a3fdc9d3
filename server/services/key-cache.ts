/**
 * Keys seen lately, so that a call doesn't cost a query. A change is forgotten at once (`forgetKey`, after its commit):
 * on this node, and on the others as soon as they hear of it, at the latest within TTL_MS. Lookups that are still going
 * on are shared, and one that began before a change is forgotten with the rest, so it can't bring a revoked key back.
 */
import * as store from '../store/api-keys.ts';
import type { ApiKeysTable, Db } from '../store/schema.ts';
import { tell } from './neighbours.ts';

const TTL_MS = 5_000;
const MAX_KEYS = 10_000;

type Entry = { found: Promise<ApiKeysTable | undefined>; known?: ApiKeysTable; atMs: number };
/** By database, as each service of a process has its own. */
const caches = new WeakMap<Db, Map<string, Entry>>();

/** A key that was seen lately, without waiting. */
export function knownKey(db: Db, hash: string): ApiKeysTable | undefined {
  const entry = caches.get(db)?.get(hash);
  return entry?.known && performance.now() - entry.atMs < TTL_MS ? entry.known : undefined;
}

export async function findKey(db: Db, hash: string): Promise<ApiKeysTable | undefined> {
  const cache = cacheOf(db);
  const entry = cache.get(hash);
  if (entry && performance.now() - entry.atMs < TTL_MS) return entry.found;
  const found = store.withHash(db, hash);
  cache.delete(hash);
  const made: Entry = { found, atMs: performance.now() };
  cache.set(hash, made);
  const oldest = cache.size > MAX_KEYS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  const dropIfMine = () => cache.get(hash)?.found === found && cache.delete(hash);
  // Wrong keys are not remembered: they would push the right ones out, and a key just made elsewhere must work.
  found.then((key) => {
    if (key) made.known = key;
    else dropIfMine();
  }, dropIfMine);
  return found;
}

/** To be called after the commit of whatever changed the key. */
export function forgetKey(db: Db, hash: string): void {
  dropKey(db, hash);
  tell(db, { forget: 'key', id: hash });
}

/** On this node only: another one said so. */
export function dropKey(db: Db, hash: string): void {
  cacheOf(db).delete(hash);
}

export function dropAllKeys(db: Db): void {
  cacheOf(db).clear();
}

function cacheOf(db: Db): Map<string, Entry> {
  const cache = caches.get(db) ?? new Map<string, Entry>();
  caches.set(db, cache);
  return cache;
}
