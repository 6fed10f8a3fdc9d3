import { type Kysely, sql } from 'kysely';

/** Any id of an account is found by an index probe per table; see store/lookup.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // A delivery's id is created just after its event's, so the event's time finds it. Only deliveries created in a later
  // 4-second slot (a replay added the destination, or the slot ended in between) need an entry.
  `create index deliveries_late on deliveries (account_id, delivery_id)
    where left(delivery_id::text, 10) <> left(event_id::text, 10)`,
  // Only for replays as a new message.
  `create index attempts_webhook on attempts (account_id, webhook_id) where webhook_id is not null`,
  `create index audit_request on audit (account_id, request_id)`,
  // Only ids that the caller knows: those sent with the request, and those of the service's error responses.
  `alter table gateway_calls add column request_id text`,
  `create index gateway_calls_request on gateway_calls (account_id, request_id) where request_id is not null`,
  `alter table events add column request_id text`,
  `create index events_request on events (account_id, request_id) where request_id is not null`,
  `alter table rejections add column request_id text`,
  `create index rejections_request on rejections (account_id, request_id) where request_id is not null`,
];
