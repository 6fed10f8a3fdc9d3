import { type Kysely, sql } from 'kysely';

/** What an events page asks of a delivery that did not succeed is answered by the index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index deliveries_status`.execute(db);
  await sql`create index deliveries_status on deliveries
    (account_id, status, event_id, last_response_status, destination_id, trigger_id) where status <> 'SUCCEEDED'`.execute(
    db,
  );
}
