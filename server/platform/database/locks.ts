import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import type { DB } from './schema.ts';

/**
 * Locks that one node holds against all others during a request to a provider. Each lock is a separate transaction on a
 * dedicated connection: a wait for a provider delays no query and locks no row, and the locks of a node that dies are
 * released at once. PostgreSQL identifies them by number; two names with the same number wait for each other.
 */
export type Locks = {
  /** Waits for the lock for up to 15 s, and releases it after `work`. */
  hold<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same if it is free; otherwise returns undefined. */
  holdIfFree<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
};

/** Maximum number of locks per node. */
export const LOCKS_AT_ONCE = 8;
/** Longer than the longest work under a lock: several requests of 10 s each. */
const HOLD_MS = 60_000;

export function createLocks(connection: Connection, log: Pick<Logger, 'warn'>): Locks {
  const { kysely, close } = openDatabase(connection, { poolSize: LOCKS_AT_ONCE, log, idleInTransactionMs: HOLD_MS });
  const inTransaction = <T>(work: (tx: Kysely<DB>) => Promise<T>) => kysely.transaction().execute(work);
  return {
    hold: (name, work) =>
      inTransaction(async (tx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
        return work();
      }),
    holdIfFree: (name, work) =>
      inTransaction(async (tx) => {
        const { rows } = await sql<{ free: boolean }>`
          select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`.execute(tx);
        return rows[0]?.free ? work() : undefined;
      }),
    close,
  };
}
