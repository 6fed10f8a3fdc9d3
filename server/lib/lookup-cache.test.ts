import { expect, it, vi } from 'vitest';
import { createLookupCache } from './lookup-cache.ts';

const later = <T>() => Promise.withResolvers<T | undefined>();

it('shares one lookup among concurrent callers, and caches the value until the TTL', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const cache = createLookupCache<string>({ maxEntries: 10, ttlMs: 1000 });
  let lookups = 0;
  const look = async () => `value ${++lookups}`;
  expect(cache.recent('a')).toBeUndefined();
  expect(await Promise.all([cache.find('a', look), cache.find('a', look)])).toEqual(['value 1', 'value 1']);
  expect(cache.recent('a')).toBe('value 1');
  vi.advanceTimersByTime(1000);
  expect(cache.recent('a')).toBeUndefined();
  expect(await cache.find('a', look)).toBe('value 2');
  vi.useRealTimers();
});

it('caches neither missing values nor errors', async () => {
  const cache = createLookupCache<string>({ maxEntries: 10 });
  expect(await cache.find('a', async () => undefined)).toBeUndefined();
  await expect(cache.find('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await cache.find('a', async () => 'now')).toBe('now');
});

it('a lookup that began before an eviction does not restore the value', async () => {
  for (const drop of [
    (cache: ReturnType<typeof createLookupCache<string>>) => cache.drop('a'),
    (cache: ReturnType<typeof createLookupCache<string>>) => cache.dropWhere(() => false),
    (cache: ReturnType<typeof createLookupCache<string>>) => cache.clear(),
  ]) {
    const cache = createLookupCache<string>({ maxEntries: 10 });
    const old = later<string>();
    const first = cache.find('a', () => old.promise);
    drop(cache);
    old.resolve('old');
    expect(await first).toBe('old');
    expect(cache.recent('a')).toBeUndefined();
    expect(await cache.find('a', async () => 'new')).toBe('new');
  }
});

it('evicts selected entries, and the oldest beyond its limit', async () => {
  const cache = createLookupCache<string>({ maxEntries: 2 });
  for (const key of ['a', 'b']) await cache.find(key, async () => key);
  cache.dropWhere((value) => value === 'a');
  expect([cache.recent('a'), cache.recent('b')]).toEqual([undefined, 'b']);
  for (const key of ['c', 'd']) await cache.find(key, async () => key);
  expect([cache.recent('b'), cache.recent('c'), cache.recent('d')]).toEqual([undefined, 'c', 'd']);
});
