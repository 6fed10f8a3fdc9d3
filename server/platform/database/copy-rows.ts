import { Values } from './values.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** The signature, no flags, and no header extension. */
const HEAD_BYTES = SIGNATURE.length + 8;
const FIRST_BYTES = 64 * 1024;

/** Rows in the binary format of COPY. */
export class CopyRows extends Values {
  readonly #columns: number;

  constructor(columns: number) {
    super(HEAD_BYTES, FIRST_BYTES);
    this.#columns = columns;
  }

  /** Starts a row; its values follow. */
  row(): void {
    this.#word(this.#columns);
  }

  /** Ends the data and returns it; no rows can be added after. */
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
