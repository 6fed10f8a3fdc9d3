import { type Kysely, sql } from 'kysely';

/** An index that covers the conditions of an events page for deliveries that did not succeed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index deliveries_status`.execute(db);
  await sql`create index deliveries_status on deliveries
    (account_id, status, event_id, last_response_status, destination_id, trigger_id) where status <> 'SUCCEEDED'`.execute(
    db,
  );
}
