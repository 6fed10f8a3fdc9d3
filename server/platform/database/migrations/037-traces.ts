import { type Kysely, sql } from 'kysely';

/** The trace context of events, which their deliveries continue. Events of before have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table events add column traceparent text, add column tracestate text`.execute(db);
}
