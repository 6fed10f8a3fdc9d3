import type { Writable } from 'node:stream';

const SIZE = 65_536;
/** Smaller buffers are cheaper to allocate than to pool. */
const WORTH_BYTES = 8_192;
const MAX_FREE = 64;

/** Pool of written buffers. A new buffer per part would make large bodies expensive for the garbage collector. */
const free: Buffer[] = [];

/** Writes a copy of bytes whose buffer will be reused; false if the caller should wait for `drain`. */
export function writeCopy(to: Writable, lent: Buffer): boolean {
  if (lent.length < WORTH_BYTES || lent.length > SIZE) return to.write(Buffer.from(lent));
  const whole = free.pop() ?? Buffer.allocUnsafeSlow(SIZE);
  lent.copy(whole);
  // The callback may run more than once, but a buffer must be returned to the pool only once.
  let mine = true;
  return to.write(whole.subarray(0, lent.length), () => {
    if (mine && free.length < MAX_FREE) free.push(whole);
    mine = false;
  });
}
