import { expect, it } from 'vitest';
import { RUNS_AT_ONCE } from '../../../contract/limits.ts';
import { createFunctionConcurrency } from './function-concurrency.ts';

it('a function has a fixed number of slots, each released once', () => {
  const { acquireSlot } = createFunctionConcurrency();
  const slots = Array.from({ length: RUNS_AT_ONCE }, () => acquireSlot('one'));
  expect(() => acquireSlot('one')).toThrow(/runs in progress/);
  acquireSlot('another').close();
  slots[0]?.release();
  slots[0]?.release();
  slots[0]?.close();
  acquireSlot('one');
  expect(() => acquireSlot('one')).toThrow(/runs in progress/);
});

it('calls are settled when each is recorded, including one whose slot was released earlier', async () => {
  const { acquireSlot, settled } = createFunctionConcurrency();
  await settled();
  const [first, second] = [acquireSlot('one'), acquireSlot('one')];
  let isSettled = false;
  const done = settled().then(() => {
    isSettled = true;
  });
  first.close();
  first.close();
  second.release();
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  second.close();
  await done;
});
