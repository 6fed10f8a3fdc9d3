/** Encodes columns of rows for a statement. */
import { Values } from './values.ts';

/** PostgreSQL's type OIDs of elements. */
export const OIDS = { bool: 16, uuid: 2950, int4: 23, int8: 20, float8: 701, text: 25, bytea: 17 };
/** Five words before the first element: dimensions, null flag, type, length, index of the first element. */
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
