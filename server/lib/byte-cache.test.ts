import { expect, it } from 'vitest';
import { createByteCache } from './byte-cache.ts';

it('keeps the most recently used values within its size', () => {
  const cache = createByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect(cache.get('b')).toBeUndefined();
  expect(cache.get('a')).toBe('A');
  cache.set('a', 'A2', 9);
  expect(cache.get('c')).toBeUndefined();
  expect(cache.get('a')).toBe('A2');
});

it('never stores a value larger than the cache', () => {
  const cache = createByteCache<string>(10);
  cache.set('small', 's', 1);
  cache.set('large', 'l', 11);
  expect(cache.get('large')).toBeUndefined();
  expect(cache.get('small')).toBe('s');
});
