/** Values on their way to a table, kept as the bytes in which PostgreSQL takes them: in arrays and in COPY. */
import { randomFillSync } from 'node:crypto';

const FIRST_BYTES = 320;

/** What makes ids different, ten bytes for each; asking for them one by one would take longer than all the rest. */
const noise = Buffer.allocUnsafe(10 * 256);
let noiseLeft = 0;

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length);

const UUID_CHARS = 36;
/** What a digit of a UUID is worth, by its character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
const DASH = 45;

/** Of a batch that is used again. */
const KEPT_BYTES = 128 * 1024;
/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);

/** Each value is its length and its bytes, big end first; a null has length -1. */
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
  /** Up to its point. */
  #second = '';
  #secondAtMs = 0;

  /** Room for `headBytes` is left before the first value. */
  constructor(headBytes: number, firstBytes = FIRST_BYTES) {
    this.#headBytes = headBytes;
    this.#firstBytes = firstBytes;
    this.bytes = Buffer.allocUnsafe(headBytes + firstBytes);
    this.view = viewOf(this.bytes);
    this.end = headBytes;
  }

  clear(): void {
    // One long path or a full batch is no reason to keep this much.
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

  /** A timestamp as we have them: ISO 8601 in UTC with six digits. To the microsecond until 2285, as numbers go. */
  timestamptz(text: string | null): void {
    if (text === null) return void this.#element(-1, 0);
    // Rows of one batch are often of one second.
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
    // Room for the longest it can become; its length is known once it is written.
    const at = this.#element(0, value.length * 3);
    const length = this.bytes.write(value, at);
    this.view.setInt32(at - 4, length);
    this.end = at + length;
  }

  /** A UUID given as text. */
  uuid(text: string | null): void {
    if (text === null) return void this.#element(-1, 0);
    const at = this.#element(16, 16);
    const bytes = this.bytes;
    // Rows of one batch are often of one account, one function, one run.
    if (text === this.#lastId) return void bytes.copyWithin(at, this.#lastIdAt, this.#lastIdAt + 16);
    for (let from = 0, to = at; from < UUID_CHARS; from += 2) {
      if (text.charCodeAt(from) === DASH) from++;
      bytes[to++] = ((DIGITS[text.charCodeAt(from)] ?? 0) << 4) | (DIGITS[text.charCodeAt(from + 1)] ?? 0);
    }
    this.#lastId = text;
    this.#lastIdAt = at;
  }

  /** A UUIDv7 of this moment; within a millisecond their order is chance. */
  uuidOf(atMs: number): void {
    const at = this.#element(16, 16);
    if (noiseLeft === 0) noiseLeft = randomFillSync(noise).length;
    noiseLeft -= 10;
    noise.copy(this.bytes, at + 6, noiseLeft, noiseLeft + 10);
    this.view.setUint16(at, Math.floor(atMs / 0x1_0000_0000));
    this.view.setUint32(at + 2, atMs % 0x1_0000_0000);
    this.view.setUint8(at + 6, 0x70 | (this.view.getUint8(at + 6) & 0x0f));
    this.view.setUint8(at + 8, 0x80 | (this.view.getUint8(at + 8) & 0x3f));
  }

  /** Where the bytes of the next element go. */
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
