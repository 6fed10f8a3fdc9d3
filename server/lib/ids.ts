import { randomFillSync } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/** Random bytes for many ids: one call per id would dominate the cost. Each byte is used once. */
const pool = Buffer.alloc(4096);
let poolUsed = pool.length;

/** A UUIDv7: sortable by time, and by order of creation within this process. */
export function newId(atMs = Date.now()): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const bytes = pool.subarray(poolUsed, poolUsed + 16);
  poolUsed += 16;
  // Never decrease, so that rows created one after the other keep their order.
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

/** The parts of a millisecond that an id can express. */
const MS_PARTS = 4096;

let lastNowMs = 0;
let nowsOfMs = 0;

/** The time in milliseconds since 1970. Its fraction counts the calls of one millisecond, which keeps their order. */
export function orderedNow(): number {
  const ms = Date.now();
  if (ms !== lastNowMs) {
    lastNowMs = ms;
    nowsOfMs = 0;
  }
  return ms + Math.min(nowsOfMs++, MS_PARTS - 1) / MS_PARTS;
}

/** The part of its millisecond, for the 12 bits that follow the time of a UUIDv7 (RFC 9562, section 6.2, method 3). */
export const msPart = (atMs: number): number => Math.floor((atMs - Math.floor(atMs)) * MS_PARTS);

/** A UUIDv7 of this time, with the fraction of its millisecond. */
export function idAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  randomFillSync(bytes, 8);
  bytes.writeUIntBE(Math.floor(atMs), 0, 6);
  bytes.writeUInt16BE(0x7000 | msPart(atMs), 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidOf(bytes);
}

/** The creation time in an id, in milliseconds. */
export function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The smallest id for this time: the edge of a partition or of a time filter. */
export function firstIdAt(atMs: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(atMs, 0, 6);
  return uuidOf(bytes);
}

function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Whether a text is accepted as an X-Request-Id. */
export const isRequestId = (text: string): boolean => /^[\w.:/+=@-]{1,128}$/.test(text);
