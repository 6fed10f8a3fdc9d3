import { expect, it } from 'vitest';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

/** A task that the test completes. */
function job() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let began = false;
  const work = () => {
    began = true;
    return promise;
  };
  return { work, end: resolve, break: reject, began: () => began };
}
const settled = () => new Promise((ok) => setImmediate(ok));

it('limits tasks per key and globally, in FIFO order', async () => {
  const lanes = createKeyedSemaphore({ total: 3, each: 2 });
  const [slow, other] = [
    [job(), job(), job()],
    [job(), job()],
  ] as const;
  const ends = [
    ...slow.map(({ work }) => lanes.run('slow', work)),
    ...other.map(({ work }) => lanes.run('other', work)),
  ];
  expect([...slow, ...other].map(({ began }) => began())).toEqual([true, true, false, true, false]);
  other[0].end('one');
  expect(await ends[3]).toBe('one');
  await settled();
  expect([slow[2].began(), other[1].began()]).toEqual([false, true]);
  slow[0].break(new Error('no'));
  await expect(ends[0]).rejects.toThrow('no');
  await settled();
  expect(slow[2].began()).toBe(true);
});
