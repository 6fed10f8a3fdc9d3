/**
 * A cache of lookups for a few seconds, so that a request costs no query. Concurrent lookups of a key share one
 * promise. An eviction includes pending lookups, so that a lookup from before a change cannot restore the old value.
 * Missing values and errors are not cached: they would evict real entries, and new rows must be found at once.
 */
export type LookupCache<T> = {
  /** The cached value, if present and not expired. */
  recent(key: string): T | undefined;
  /** The cached value, else what `look` returns. */
  find(key: string, look: () => Promise<T | undefined>): Promise<T | undefined>;
  drop(key: string): void;
  /** Evicts the values that `test` selects, and all pending lookups, whose values are unknown. */
  dropWhere(test: (value: T) => boolean): void;
  clear(): void;
};

export type LookupCacheOptions = {
  /** Beyond this many entries the oldest lookup is evicted. */
  maxEntries: number;
  ttlMs?: number;
};

const TTL_MS = 5_000;

/** `value` is missing while the lookup is pending. */
type Entry<T> = { found: Promise<T | undefined>; value?: T; atMs: number };

export function createLookupCache<T>({ maxEntries, ttlMs = TTL_MS }: LookupCacheOptions): LookupCache<T> {
  const entries = new Map<string, Entry<T>>();
  return {
    recent(key) {
      const entry = entries.get(key);
      return entry?.value !== undefined && performance.now() - entry.atMs < ttlMs ? entry.value : undefined;
    },
    find(key, look) {
      const known = entries.get(key);
      if (known && performance.now() - known.atMs < ttlMs) return known.found;
      const found = look();
      entries.delete(key);
      const entry: Entry<T> = { found, atMs: performance.now() };
      entries.set(key, entry);
      const oldest = entries.size > maxEntries ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
      const dropThis = () => entries.get(key) === entry && entries.delete(key);
      found.then((value) => {
        if (value === undefined) dropThis();
        else entry.value = value;
      }, dropThis);
      return found;
    },
    drop(key) {
      entries.delete(key);
    },
    dropWhere(test) {
      for (const [key, { value }] of entries) if (value === undefined || test(value)) entries.delete(key);
    },
    clear() {
      entries.clear();
    },
  };
}
