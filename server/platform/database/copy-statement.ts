/** COPY in both directions, which `pg` does not have, as statements of a connection of the pool. */
import { CompiledQuery } from 'kysely';
import type { Connection, PoolClient, Submittable } from 'pg';
import type { Db } from './schema.ts';

const MARK = '/* copy */';

/** Runs a COPY like any statement of `db`, also in its transaction. */
export async function runCopy(db: Db, text: string, statement: CopyStatement): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(`${MARK} ${text}`, [statement]));
}

/** Call it for each connection of a pool, before its first statement. */
export function copyMarked(client: Pick<PoolClient, 'query'>): void {
  const query = client.query.bind(client) as (given: unknown, ...more: unknown[]) => unknown;
  const copying = (given: unknown, values?: unknown[], ...more: unknown[]) => {
    if (typeof given !== 'string' || !given.startsWith(MARK)) return query(given, values, ...more);
    const statement = values?.[0] as CopyStatement;
    return new Promise((resolve, reject) => {
      statement.prepare(given, () => resolve({ command: 'COPY', rowCount: null, rows: [] }), reject);
      query(statement);
    });
  };
  client.query = copying as typeof client.query;
}

/** The interface that the driver expects of a statement. It runs once. If a method throws, the query never ends. */
export abstract class CopyStatement implements Submittable {
  protected error: Error | undefined;
  #text = '';
  #done = () => {};
  #failed: (error: Error) => void = () => {};

  prepare(text: string, done: () => void, failed: (error: Error) => void): void {
    this.#text = text;
    this.#done = done;
    this.#failed = failed;
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
  }

  handleError(error: Error): void {
    this.error = error;
    this.#failed(error);
  }

  handleReadyForQuery(): void {
    if (this.error) this.#failed(this.error);
    else this.#done();
  }

  handleCommandComplete(): void {}
}
