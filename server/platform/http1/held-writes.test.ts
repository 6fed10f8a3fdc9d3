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

test('responses end together at the end of the turn, before what other sockets hold', async () => {
  const held = new HeldWrites(() => true);
  const { calls, writable } = socket();
  const ended: string[] = [];
  held.hold(writable);
  writable.write('request');
  held.end({ end: () => ended.push(`first after ${calls.length} calls`) });
  held.end({ end: () => ended.push('second') });
  await Promise.resolve();
  expect(ended).toEqual([]);
  await endOfTurn();
  expect(ended).toEqual(['first after 0 calls', 'second']);
  expect(calls).toEqual(['request']);
});

test('a single response ends at once, and a turn without sockets ends its responses', async () => {
  let isMany = false;
  const held = new HeldWrites(() => isMany);
  const ended: number[] = [];
  held.end({ end: () => ended.push(1) });
  expect(ended).toEqual([1]);
  isMany = true;
  held.end({ end: () => ended.push(2) });
  expect(ended).toEqual([1]);
  await endOfTurn();
  expect(ended).toEqual([1, 2]);
});
