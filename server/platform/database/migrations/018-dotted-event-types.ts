import { type Kysely, sql } from 'kysely';

/** Event types are dotted (apps/event-names.ts): an app's own name without a dot becomes `<app>.<name>`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update triggers set event_type = source || '.' || event_type where position('.' in event_type) = 0`.execute(
    db,
  );
}
