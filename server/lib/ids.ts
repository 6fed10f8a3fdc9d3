import { randomFillSync } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/** Asking for randomness costs more than the randomness: it is fetched for many ids at a time, and used once. */
const pool = Buffer.alloc(4096);
let poolUsed = pool.length;

/** A UUIDv7: sortable by time, and by order of making within this process. */
export function newId(atMs = Date.now()): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const bytes = pool.subarray(poolUsed, poolUsed + 16);
  poolUsed += 16;
  // Never step back, so that two rows made one after the other never change order.
  if (atMs > lastMs) {
    lastMs = atMs;
    counter = bytes.readUInt16BE(6) & 0x07ff;
  } else if (++counter > 0x0fff) {
    counter = 0;
    lastMs++;
  }
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidOf(bytes);
}

/** When the row of this id was made. */
export function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The smallest id a row made at this moment could have: the edge of a partition or of a time filter. */
export function firstIdAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(atMs, 0, 6);
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text is taken as the X-Request-Id of a request. */
export const isRequestId = (text: string): boolean => /^[\w.:/+=@-]{1,128}$/.test(text);
