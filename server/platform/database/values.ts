/** Encodes values in PostgreSQL's binary format, for arrays and COPY. */
import { randomFillSync } from 'node:crypto';
import { msPart } from '../../lib/ids.ts';

const FIRST_BYTES = 320;

/** Random bytes for ids, eight per id; one call per id would dominate the cost. */
const noise = Buffer.allocUnsafe(8 * 256);
let noiseLeft = 0;

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length);

const UUID_CHARS = 36;
/** The value of a hex digit, by character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
const DASH = 45;

/** Maximum size of a buffer that is reused. */
const KEPT_BYTES = 128 * 1024;
/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** A value is its length and its bytes, big-endian; a null has length -1. */
export abstract class Values {
  protected bytes: Buffer;
  protected view: DataView;
  protected end: number;
  protected count = 0;
  protected nulls = 0;
  readonly #headBytes: number;
  readonly #firstBytes: number;
  #lastId = '';
  #lastIdAt = 0;
  /** The part of the last timestamp up to its decimal point. */
  #second = '';
  #secondAtMs = 0;

  /** Reserves `headBytes` before the first value. */
  constructor(headBytes: number, firstBytes = FIRST_BYTES) {
    this.#headBytes = headBytes;
    this.#firstBytes = firstBytes;
    this.bytes = Buffer.allocUnsafe(headBytes + firstBytes);
    this.view = viewOf(this.bytes);
    this.end = headBytes;
  }

  clear(): void {
    // Do not retain a large buffer after one long value or a full batch.
    if (this.bytes.length > Math.max(KEPT_BYTES, 8 * this.#firstBytes))
      this.bytes = Buffer.allocUnsafe(this.#headBytes + this.#firstBytes);
    this.view = viewOf(this.bytes);
    this.end = this.#headBytes;
    this.count = 0;
    this.nulls = 0;
    this.#lastId = '';
  }

  int4(value: number | null): void {
    const at = this.#element(value === null ? -1 : 4, 4);
    if (value !== null) this.view.setInt32(at, value);
  }

  bool(value: boolean): void {
    const at = this.#element(1, 1);
    this.view.setUint8(at, value ? 1 : 0);
  }

  int8(value: number): void {
    const at = this.#element(8, 8);
    const high = Math.floor(value / 0x1_0000_0000);
    this.view.setInt32(at, high);
    this.view.setUint32(at + 4, value - high * 0x1_0000_0000);
  }

  /**
   * Encodes a timestamp: ISO 8601 in UTC with six digits. Exact to the microsecond until 2285, the limit of a double.
   */
  timestamptz(text: string | null): void {
    if (text === null) return void this.#element(-1, 0);
    // Rows of a batch often share a second.
    if (this.#second === '' || !text.startsWith(this.#second)) {
      this.#second = text.slice(0, -7);
      this.#secondAtMs = Date.parse(`${this.#second}000Z`) - EPOCH_MS;
    }
    this.int8(this.#secondAtMs * 1000 + Number(text.slice(-7, -1)));
  }

  float4(value: number | null): void {
    const at = this.#element(value === null ? -1 : 4, 4);
    if (value !== null) this.view.setFloat32(at, value);
  }

  float8(value: number | null): void {
    const at = this.#element(value === null ? -1 : 8, 8);
    if (value !== null) this.view.setFloat64(at, value);
  }

  text(value: string | null): void {
    if (value === null) return void this.#element(-1, 0);
    // Reserves the maximum length; the actual length is known after writing.
    const at = this.#element(0, value.length * 3);
    const length = this.bytes.write(value, at);
    this.view.setInt32(at - 4, length);
    this.end = at + length;
  }

  raw(value: Uint8Array | null): void {
    if (value === null) return void this.#element(-1, 0);
    const at = this.#element(value.length, value.length);
    this.bytes.set(value, at);
  }

  /** Encodes a UUID from text. */
  uuid(text: string | null): void {
    if (text === null) return void this.#element(-1, 0);
    const at = this.#element(16, 16);
    const bytes = this.bytes;
    // Rows of a batch often share an account, a function or a run.
    if (text === this.#lastId) return void bytes.copyWithin(at, this.#lastIdAt, this.#lastIdAt + 16);
    for (let from = 0, to = at; from < UUID_CHARS; from += 2) {
      if (text.charCodeAt(from) === DASH) from++;
      bytes[to++] = ((DIGITS[text.charCodeAt(from)] ?? 0) << 4) | (DIGITS[text.charCodeAt(from + 1)] ?? 0);
    }
    this.#lastId = text;
    this.#lastIdAt = at;
  }

  /** Encodes a new UUIDv7 of this time, with the fraction of its millisecond: see orderedNow(). */
  uuidOf(atMs: number): void {
    const at = this.#element(16, 16);
    if (noiseLeft === 0) noiseLeft = randomFillSync(noise).length;
    noiseLeft -= 8;
    noise.copy(this.bytes, at + 8, noiseLeft, noiseLeft + 8);
    this.view.setUint16(at, Math.floor(atMs / 0x1_0000_0000));
    this.view.setUint32(at + 2, atMs % 0x1_0000_0000);
    this.view.setUint16(at + 6, 0x7000 | msPart(atMs));
    this.view.setUint8(at + 8, 0x80 | (this.view.getUint8(at + 8) & 0x3f));
  }

  /** Returns the offset of the next element's bytes. */
  #element(length: number, room: number): number {
    const at = this.end + 4;
    if (at + room > this.bytes.length) this.grow(at + room);
    this.view.setInt32(this.end, length);
    this.end = at + Math.max(length, 0);
    this.count++;
    if (length < 0) this.nulls = 1;
    return at;
  }

  protected grow(needed: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(bytes, 0, 0, this.end);
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}
