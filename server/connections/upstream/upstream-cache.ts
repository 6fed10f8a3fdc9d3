import { createLookupCache, type LookupCache } from '../../lib/lookup-cache.ts';
import type { Upstream } from './upstream.ts';

const MAX_ACCOUNTS = 2_000;
const MAX_PER_ACCOUNT = 500;

/**
 * Caches the upstreams of gateway calls per account. A change of an account's connections or apps evicts all entries of
 * the account. Failed lookups are not cached.
 */
export type UpstreamCache = {
  recent(account_id: string, key: string): Upstream | undefined;
  /** `look` throws if no upstream exists. */
  find(account_id: string, key: string, look: () => Promise<Upstream>): Promise<Upstream>;
  drop(account_id: string): void;
  clear(): void;
};

export function createUpstreamCache(): UpstreamCache {
  const accounts = new Map<string, LookupCache<Upstream>>();
  return {
    recent: (account_id, key) => accounts.get(account_id)?.recent(key),
    find(account_id, key, look) {
      const known = accounts.get(account_id);
      const cache = known ?? createLookupCache<Upstream>({ maxEntries: MAX_PER_ACCOUNT });
      if (!known) {
        accounts.set(account_id, cache);
        const oldest = accounts.size > MAX_ACCOUNTS ? accounts.keys().next().value : undefined;
        if (oldest !== undefined) accounts.delete(oldest);
      }
      return cache.find(key, look) as Promise<Upstream>;
    },
    drop: (account_id) => void accounts.delete(account_id),
    clear: () => accounts.clear(),
  };
}
