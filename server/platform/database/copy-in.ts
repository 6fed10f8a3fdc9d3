/**
 * Inserts rows with COPY: PostgreSQL writes many rows into a page with one log entry, and plans nothing. It costs half
 * as much as an INSERT of the same rows. There is no ON CONFLICT, so use it only for new rows.
 */
import { CompiledQuery } from 'kysely';
import type { Connection, PoolClient, Submittable } from 'pg';
import type { Db } from './schema.ts';

const MARK = '/* copy */';

/** `rows` in PostgreSQL's binary form; see copy-rows.ts. They must not change before this resolves. */
export async function copyIn(db: Db, table: string, columns: string, rows: Buffer): Promise<void> {
  await db.executeQuery(
    CompiledQuery.raw(`${MARK} copy ${table} (${columns}) from stdin with (format binary)`, [rows]),
  );
}

/** Call it for each connection of a pool, before its first statement. */
export function copyMarked(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (given: unknown, ...more: unknown[]) => unknown;
  const copying = (given: unknown, values?: unknown[], ...more: unknown[]) => {
    if (typeof given !== 'string' || !given.startsWith(MARK)) return query(given, values, ...more);
    return new Promise((resolve, reject) => {
      query(
        new Copy(given, values?.[0] as Buffer, () => resolve({ command: 'COPY', rowCount: null, rows: [] }), reject),
      );
    });
  };
  client.query = copying as typeof client.query;
}

/** Methods that the types of `pg` omit. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** The interface that the driver expects of a statement; `pg` has no COPY. */
class Copy implements Submittable {
  readonly #text: string;
  readonly #rows: Buffer;
  readonly #done: () => void;
  readonly #failed: (error: Error) => void;
  #error: Error | undefined;

  constructor(text: string, rows: Buffer, done: () => void, failed: (error: Error) => void) {
    this.#text = text;
    this.#rows = rows;
    this.#done = done;
    this.#failed = failed;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#failed(error);
  }

  handleReadyForQuery(): void {
    if (!this.#error) this.#done();
  }

  handleCommandComplete(): void {}
}
