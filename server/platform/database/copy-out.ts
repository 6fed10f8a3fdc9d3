/**
 * Reads rows with COPY, in PostgreSQL's binary form: `pg` reads the values of all other statements as strings. COPY has
 * no parameters.
 */
import { CompiledQuery } from 'kysely';
import type { Connection, PoolClient, Submittable } from 'pg';
import type { Db } from './schema.ts';

const MARK = '/* copy out */';
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
  const { rows } = await db.executeQuery<Buffer>(
    CompiledQuery.raw(`${MARK} copy (${query}) to stdout with (format binary)`, [memory]),
  );
  return rowsIn(rows[0] ?? Buffer.alloc(0));
}

/** Call it for each connection of a pool, before its first statement. */
export function copyOutMarked(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (given: unknown, ...more: unknown[]) => unknown;
  const copying = (given: unknown, values?: unknown[], ...more: unknown[]) => {
    if (typeof given !== 'string' || !given.startsWith(MARK)) return query(given, values, ...more);
    return new Promise((resolve, reject) => {
      const done = (bytes: Buffer) => resolve({ command: 'COPY', rowCount: null, rows: [bytes] });
      query(new CopyOut(given, values?.[0] as Buffer, done, reject));
    });
  };
  client.query = copying as typeof client.query;
}

/** The interface that the driver expects of a statement. */
class CopyOut implements Submittable {
  readonly #text: string;
  readonly #bytes: Buffer;
  readonly #done: (bytes: Buffer) => void;
  readonly #failed: (error: Error) => void;
  #length = 0;
  #error: Error | undefined;

  constructor(text: string, memory: Buffer, done: (bytes: Buffer) => void, failed: (error: Error) => void) {
    this.#text = text;
    this.#bytes = memory;
    this.#done = done;
    this.#failed = failed;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  /** The driver uses the memory of `chunk` again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const isRoom = this.#length + chunk.length <= this.#bytes.length;
    if (isRoom) this.#bytes.set(chunk, this.#length);
    else this.#error ??= new RangeError('the copied rows are larger than expected');
    this.#length += chunk.length;
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#failed(error);
  }

  handleReadyForQuery(): void {
    if (this.#error) this.#failed(this.#error);
    else this.#done(this.#bytes.subarray(0, this.#length));
  }

  handleCommandComplete(): void {}
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
