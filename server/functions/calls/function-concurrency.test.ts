import { expect, it } from 'vitest';
import { RUNS_AT_ONCE, TRANSFORMS_AT_ONCE } from '../../../contract/limits.ts';
import { createFunctionConcurrency } from './function-concurrency.ts';

const ONE = { account_id: 'a', function_id: 'one' };

it('a function has a fixed number of slots, each released once', () => {
  const { acquireSlot } = createFunctionConcurrency(1_000);
  const slots = Array.from({ length: RUNS_AT_ONCE }, () => acquireSlot(ONE));
  expect(() => acquireSlot(ONE)).toThrow(/runs in progress/);
  acquireSlot({ account_id: 'a', function_id: 'another' }).close();
  slots[0]?.release();
  slots[0]?.release();
  slots[0]?.close();
  acquireSlot(ONE);
  expect(() => acquireSlot(ONE)).toThrow(/runs in progress/);
});

it('the transformations of a function leave its slots to its other callers', () => {
  const { acquireSlot } = createFunctionConcurrency(1_000);
  const slots = Array.from({ length: TRANSFORMS_AT_ONCE }, () => acquireSlot(ONE, true));
  expect(() => acquireSlot(ONE, true)).toThrow(`${TRANSFORMS_AT_ONCE} runs in progress`);
  for (let i = 0; i < RUNS_AT_ONCE; i++) acquireSlot(ONE);
  expect(() => acquireSlot(ONE)).toThrow(`${RUNS_AT_ONCE} runs in progress`);
  slots[0]?.release();
  expect(() => acquireSlot(ONE)).toThrow(/runs in progress/);
  acquireSlot(ONE, true);
});

it('calls are settled when each is recorded, including one whose slot was released earlier', async () => {
  const { acquireSlot, settled } = createFunctionConcurrency(1_000);
  await settled();
  const [first, second] = [acquireSlot(ONE), acquireSlot(ONE)];
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

it('an account has a share of all runs, and another account its own', () => {
  const { acquireSlot } = createFunctionConcurrency(2);
  const of = (account_id: string, function_id: string) => acquireSlot({ account_id, function_id });
  const first = of('a', 'one');
  of('a', 'two');
  expect(() => of('a', 'three')).toThrow(
    expect.objectContaining({ status: 429, message: "The account's share is used up: at most 2 runs in progress." }),
  );
  of('b', 'four');
  first.release();
  first.close();
  of('a', 'three');
  expect(() => of('a', 'one')).toThrow(/share/);
});
