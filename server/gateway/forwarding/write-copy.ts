import type { Writable } from 'node:stream';

const SIZE = 65_536;
/** Smaller parts are cheaper to make than to keep. */
const WORTH_BYTES = 8_192;
const MAX_FREE = 64;

/** Memory that is written and free again: new for every part, large bodies would keep the collector busy. */
const free: Buffer[] = [];

/** Writes bytes that are only lent; false when the other side is to be waited for. */
export function writeCopy(to: Writable, lent: Buffer): boolean {
  if (lent.length < WORTH_BYTES || lent.length > SIZE) return to.write(Buffer.from(lent));
  const whole = free.pop() ?? Buffer.allocUnsafeSlow(SIZE);
  lent.copy(whole);
  // Whatever calls back, and how often: two may never have the same memory.
  let mine = true;
  return to.write(whole.subarray(0, lent.length), () => {
    if (mine && free.length < MAX_FREE) free.push(whole);
    mine = false;
  });
}
