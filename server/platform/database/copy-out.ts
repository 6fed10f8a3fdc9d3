/**
 * Reads rows with COPY, in PostgreSQL's binary form: `pg` reads the values of all other statements as strings. COPY has
 * no parameters.
 */
import { CopyStatement, runCopy } from './copy-statement.ts';
import type { Db } from './schema.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** The signature, the flags, and the length of the header extension. */
const HEAD_BYTES = SIGNATURE.length + 8;
const END = -1;

/** The values of a row; null for NULL. */
type CopiedRow = (Buffer | null)[];

/** What a row takes beside its values, for each of them and alone, and what the beginning and the end take. */
export const COPIED = { value: 4, row: 2, ends: HEAD_BYTES + 2 };

/**
 * The rows of a query: views of this memory, which the caller may use for the next query. Rejects if it is too small.
 */
export async function copyOut(db: Db, query: string, memory: Buffer): Promise<CopiedRow[]> {
  const statement = new CopyOut(memory);
  await runCopy(db, `copy (${query}) to stdout with (format binary)`, statement);
  return rowsIn(statement.bytes);
}

class CopyOut extends CopyStatement {
  readonly #memory: Buffer;
  #length = 0;

  constructor(memory: Buffer) {
    super();
    this.#memory = memory;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** The driver uses the memory of `chunk` again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const isRoom = this.#length + chunk.length <= this.#memory.length;
    if (isRoom) this.#memory.set(chunk, this.#length);
    else this.error ??= new RangeError('the copied rows are larger than expected');
    this.#length += chunk.length;
  }
}

function rowsIn(bytes: Buffer): CopiedRow[] {
  if (!SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))) throw new Error('these are no copied rows');
  const rows: CopiedRow[] = [];
  let at = HEAD_BYTES + bytes.readInt32BE(HEAD_BYTES - 4);
  for (;;) {
    const columns = bytes.readInt16BE(at);
    at += 2;
    if (columns === END) return rows;
    const row: CopiedRow = [];
    for (let column = 0; column < columns; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(length < 0 ? null : bytes.subarray(at, at + length));
      at += Math.max(0, length);
    }
    rows.push(row);
  }
}
