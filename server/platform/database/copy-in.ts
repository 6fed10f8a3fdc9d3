/**
 * Inserts rows with COPY: PostgreSQL writes many rows into a page with one log entry, and plans nothing. It costs half
 * as much as an INSERT of the same rows. There is no ON CONFLICT, so use it only for new rows.
 */
import type { Connection } from 'pg';
import { CopyStatement, runCopy } from './copy-statement.ts';
import type { Db } from './schema.ts';

/** `rows` in PostgreSQL's binary form; see copy-rows.ts. They must not change before this resolves. */
export async function copyIn(db: Db, table: string, columns: string, rows: Buffer): Promise<void> {
  await runCopy(db, `copy ${table} (${columns}) from stdin with (format binary)`, new CopyIn(rows));
}

/** Methods that the types of `pg` omit. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

class CopyIn extends CopyStatement {
  readonly #rows: Buffer;

  constructor(rows: Buffer) {
    super();
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}
