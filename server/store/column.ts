/** Columns of rows on their way to a table, kept as the bytes in which PostgreSQL takes arrays. */
import { randomFillSync } from 'node:crypto';

/** The numbers by which PostgreSQL knows the types of elements. */
export const OIDS = { bool: 16, uuid: 2950, int4: 23, int8: 20, float8: 701, text: 25 };
const FIRST_ROWS = 16;

/** What makes ids different, ten bytes for each; asking for them one by one would take longer than all the rest. */
const noise = Buffer.allocUnsafe(10 * 256);
let noiseLeft = 0;

const viewOf = ({ buffer, byteOffset, length }: Buffer) => new DataView(buffer, byteOffset, length);

const UUID_CHARS = 36;
/** What a digit of a UUID is worth, by its character code. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0);
const DASH = 45;

/** Of a column of a batch that is used again. */
const KEPT_BYTES = 128 * 1024;
/** Five words before the first element: dimensions, whether there are nulls, type, length, index of the first. */
const HEAD_BYTES = 20;

/** An array in PostgreSQL's binary form: each element is its length and its bytes, big end first; a null has length -1. */
export class Column {
  readonly #oid: number;
  #bytes = Buffer.allocUnsafe(HEAD_BYTES + FIRST_ROWS * HEAD_BYTES);
  #view = viewOf(this.#bytes);
  #end = HEAD_BYTES;
  #count = 0;
  #nulls = 0;
  #lastId = '';
  #lastIdAt = 0;

  constructor(oid: number) {
    this.#oid = oid;
  }

  clear(): void {
    // One long path or a full batch is no reason to keep so much.
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafe(HEAD_BYTES + FIRST_ROWS * HEAD_BYTES);
    this.#view = viewOf(this.#bytes);
    this.#end = HEAD_BYTES;
    this.#count = 0;
    this.#nulls = 0;
    this.#lastId = '';
  }

  get array(): Buffer {
    const words = [1, this.#nulls, this.#oid, this.#count, 1];
    for (const [i, word] of words.entries()) this.#view.setInt32(i * 4, word);
    return this.#bytes.subarray(0, this.#end);
  }

  int4(value: number | null): void {
    const at = this.#element(value === null ? -1 : 4, 4);
    if (value !== null) this.#view.setInt32(at, value);
  }

  bool(value: boolean): void {
    const at = this.#element(1, 1);
    this.#view.setUint8(at, value ? 1 : 0);
  }

  int8(value: number): void {
    const at = this.#element(8, 8);
    this.#view.setInt32(at, Math.floor(value / 0x1_0000_0000));
    this.#view.setUint32(at + 4, value % 0x1_0000_0000);
  }

  float8(value: number | null): void {
    const at = this.#element(value === null ? -1 : 8, 8);
    if (value !== null) this.#view.setFloat64(at, value);
  }

  text(value: string | null): void {
    if (value === null) return void this.#element(-1, 0);
    // Room for the longest it can become; its length is known once it is written.
    const at = this.#element(0, value.length * 3);
    const length = this.#bytes.write(value, at);
    this.#view.setInt32(at - 4, length);
    this.#end = at + length;
  }

  /** One that is there already, as it is written. */
  uuid(text: string | null): void {
    if (text === null) return void this.#element(-1, 0);
    const at = this.#element(16, 16);
    const bytes = this.#bytes;
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
    noise.copy(this.#bytes, at + 6, noiseLeft, noiseLeft + 10);
    this.#view.setUint16(at, Math.floor(atMs / 0x1_0000_0000));
    this.#view.setUint32(at + 2, atMs % 0x1_0000_0000);
    this.#view.setUint8(at + 6, 0x70 | (this.#view.getUint8(at + 6) & 0x0f));
    this.#view.setUint8(at + 8, 0x80 | (this.#view.getUint8(at + 8) & 0x3f));
  }

  /** Where the bytes of the next element go. */
  #element(length: number, room: number): number {
    const at = this.#end + 4;
    if (at + room > this.#bytes.length) this.#grow(at + room);
    this.#view.setInt32(this.#end, length);
    this.#end = at + Math.max(length, 0);
    this.#count++;
    if (length < 0) this.#nulls = 1;
    return at;
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(bytes, 0, 0, this.#end);
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }
}
