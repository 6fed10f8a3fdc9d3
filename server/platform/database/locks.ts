import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import type { DB } from './schema.ts';

/**
 * Locks that one node holds against all others while it waits for somebody outside. Each lives in a transaction that
 * does nothing else, on their own connections: a wait for a provider holds up no query, locks no row that anybody
 * wants, and a node that dies lets go at once. PostgreSQL keeps them by number; two names with one number wait
 * needlessly.
 */
export type Locks = {
  /** Waits for the lock, at most 15 s, and lets go when `work` is over. */
  hold<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The same where it is free; undefined where it isn't. */
  holdIfFree<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  close(): Promise<void>;
};

/** As many locks as may be held on one node at a time. */
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
