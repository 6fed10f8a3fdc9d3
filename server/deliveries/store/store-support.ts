/** Set-up that several tests of these queries share. */
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { openScratchDatabase } from '../../platform/database/embedded/scratch.ts';
import { ensurePartitions } from '../../platform/database/partitions.ts';

/** An empty database with its partitions, an account, and a trigger of that account. */
export async function openWithTrigger(account_id: string, trigger_id: string): Promise<Database> {
  const database = await openScratchDatabase();
  const db = database.kysely;
  await ensurePartitions(db);
  await sql`insert into accounts (account_id, name, created_at) values (${account_id}, 'a', now())`.execute(db);
  await sql`insert into triggers (account_id, trigger_id, source, event_type, name, parameters, status, created_at, updated_at)
    values (${account_id}, ${trigger_id}, 'webhook', 'x', 'kept', '{}', 'ENABLED', now(), now())`.execute(db);
  return database;
}
