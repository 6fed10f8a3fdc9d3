import { Values } from './values.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** The signature, no flags, and nothing more in the head. */
const HEAD_BYTES = SIGNATURE.length + 8;
const FIRST_BYTES = 64 * 1024;

/** Rows in the binary form in which COPY takes them. */
export class CopyRows extends Values {
  readonly #columns: number;

  constructor(columns: number) {
    super(HEAD_BYTES, FIRST_BYTES);
    this.#columns = columns;
  }

  /** The values of a row follow. */
  row(): void {
    this.#word(this.#columns);
  }

  /** All of it: no more can be added. */
  get rows(): Buffer {
    this.bytes.fill(0, 0, HEAD_BYTES);
    SIGNATURE.copy(this.bytes);
    this.#word(-1);
    return this.bytes.subarray(0, this.end);
  }

  #word(value: number): void {
    if (this.end + 2 > this.bytes.length) this.grow(this.end + 2);
    this.view.setInt16(this.end, value);
    this.end += 2;
  }
}
