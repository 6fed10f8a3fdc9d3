/** Columns of rows on their way to a table. */
import { Values } from './values.ts';

/** The numbers by which PostgreSQL knows the types of elements. */
export const OIDS = { bool: 16, uuid: 2950, int4: 23, int8: 20, float8: 701, text: 25 };
/** Five words before the first element: dimensions, whether there are nulls, type, length, index of the first. */
const HEAD_BYTES = 20;

/** An array in PostgreSQL's binary form. */
export class Column extends Values {
  readonly #oid: number;

  constructor(oid: number) {
    super(HEAD_BYTES);
    this.#oid = oid;
  }

  get array(): Buffer {
    const words = [1, this.nulls, this.#oid, this.count, 1];
    for (const [i, word] of words.entries()) this.view.setInt32(i * 4, word);
    return this.bytes.subarray(0, this.end);
  }
}
