/**
 * Results of lookups, kept for a few seconds so that a request costs no query. Concurrent lookups of one key share one
 * promise. A drop also covers pending lookups, so that one that began before a change can't bring back the old value.
 * Missing values and errors are not kept: they would evict real ones, and what was just created must be found.
 */
export type LookupCache<T> = {
  /** The value if it was looked up less than the TTL ago and is at hand. */
  recent(key: string): T | undefined;
  /** The cached value, else what `look` returns. */
  find(key: string, look: () => Promise<T | undefined>): Promise<T | undefined>;
  drop(key: string): void;
  /** Drops what `test` selects, and all pending lookups, whose values aren't known yet. */
  dropWhere(test: (value: T) => boolean): void;
  clear(): void;
};

export type LookupCacheOptions = {
  /** Beyond this many entries the one that was looked up first goes. */
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
