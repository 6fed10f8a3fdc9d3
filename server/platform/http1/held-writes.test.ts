import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { HeldWrites } from './held-writes.ts';

/** A socket that records the bytes of each call to the system. */
function socket() {
  const calls: string[] = [];
  const writable = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      calls.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { calls, writable };
}

const endOfTurn = () => new Promise<void>((done) => setImmediate(done));

test('writes of a turn leave together at its end, those of each socket in one call', async () => {
  const held = new HeldWrites(() => true);
  const first = socket();
  const second = socket();
  held.hold(first.writable);
  first.writable.write('head ');
  held.hold(second.writable);
  second.writable.write('other');
  held.hold(first.writable);
  first.writable.write('body');
  await Promise.resolve();
  expect([first.calls, second.calls]).toEqual([[], []]);
  await endOfTurn();
  expect([first.calls, second.calls]).toEqual([['head body'], ['other']]);
  first.writable.write('later');
  expect(first.calls).toEqual(['head body', 'later']);
});

test('a single socket writes at once', () => {
  let count = 1;
  const held = new HeldWrites(() => count > 1);
  const { calls, writable } = socket();
  expect(held.hold(writable)).toBe(false);
  writable.write('now');
  expect(calls).toEqual(['now']);
  count = 2;
  expect(held.hold(writable)).toBe(true);
  writable.write('held');
  expect(calls).toEqual(['now']);
});

test('a socket that was closed meanwhile does not keep the others from writing', async () => {
  const held = new HeldWrites(() => true);
  const closed = socket();
  const open = socket();
  for (const { writable } of [closed, open]) {
    held.hold(writable);
    writable.on('error', () => {});
    writable.write('x');
  }
  closed.writable.destroy();
  await endOfTurn();
  expect([closed.calls, open.calls]).toEqual([[], ['x']]);
});
