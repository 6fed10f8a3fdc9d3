import { expect, it } from 'vitest';
import { ChurnMap } from './churn-map.ts';

it('keeps entries in order of insertion', () => {
  const going = new ChurnMap<string, { n: number }>();
  for (const [n, name] of ['a', 'b', 'c'].entries()) going.set(name, { n });
  going.set('a', { n: 3 });
  expect([...going.values()].map(({ n }) => n)).toEqual([3, 1, 2]);
  expect([going.size, going.has('b'), going.get('b')]).toEqual([3, true, { n: 1 }]);
});

it('removes entries, also during iteration', () => {
  const going = new ChurnMap<number, { n: number }>();
  for (let n = 0; n < 4; n++) going.set(n, { n });
  const seen: number[] = [];
  for (const { n } of going.values()) {
    seen.push(n);
    going.delete(n);
    going.delete(n + 1);
    if (n === 0) going.set(9, { n: 9 });
  }
  expect(seen).toEqual([0, 2, 9]);
  expect([going.size, going.has(1), going.get(1)]).toEqual([0, false, undefined]);
});
