import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { writeCopy } from './write-copy.ts';

type Given = { bytes: Buffer; done: () => void };

/** A stream whose writes the test completes. */
function slow() {
  const given: Given[] = [];
  const stream = new Writable({ write: (bytes, _, done) => void given.push({ bytes, done }) });
  return { stream, given };
}

it('written bytes don’t change when the source buffer is reused', () => {
  const { stream, given } = slow();
  for (const size of [100, 20_000, 65_536, 300_000]) {
    const lent = Buffer.alloc(size, 'a');
    writeCopy(stream, lent);
    lent.fill('b');
    const { bytes, done } = given.shift() as Given;
    expect(bytes.equals(Buffer.alloc(size, 'a'))).toBe(true);
    done();
  }
});

it('a buffer is reused after its write, and never shared', async () => {
  const one = slow();
  const two = slow();
  writeCopy(one.stream, Buffer.alloc(65_536, 1));
  writeCopy(two.stream, Buffer.alloc(65_536, 2));
  const first = one.given.shift() as Given;
  const second = two.given.shift() as Given;
  expect(first.bytes.buffer).not.toBe(second.bytes.buffer);
  expect(first.bytes[0]).toBe(1);
  await new Promise<void>((written) => {
    first.done();
    one.stream.write('', () => written());
    one.given.shift()?.done();
    setImmediate(() => one.given.shift()?.done());
  });
  writeCopy(one.stream, Buffer.alloc(65_536, 3));
  const third = one.given.shift() as Given;
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect(second.bytes[0]).toBe(2);
});

it('a failed stream returns its buffer once', async () => {
  const { stream, given } = slow();
  stream.on('error', () => {});
  writeCopy(stream, Buffer.alloc(65_536, 1));
  writeCopy(stream, Buffer.alloc(65_536, 2));
  stream.destroy(new Error('gone'));
  await new Promise((closed) => stream.once('close', closed));
  given.shift()?.done();
  const others = [slow(), slow(), slow()];
  for (const [i, other] of others.entries()) writeCopy(other.stream, Buffer.alloc(65_536, 10 + i));
  expect(others.map((other) => other.given[0]?.bytes[0])).toEqual([10, 11, 12]);
});
