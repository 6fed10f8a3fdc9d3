import { sql } from 'kysely';
import type { Db } from '../platform/database/schema.ts';

/** How many connections to this database wait for a lock that another one holds. */
export async function lockWaits(db: Db): Promise<number> {
  const { rows } = await sql`select from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`.execute(db);
  return rows.length;
}
