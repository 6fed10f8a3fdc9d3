import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/schema.ts';

/** Outcome of a batch of attempts for one destination. `exhausted`: a delivery has used all its retries. */
export type DestinationOutcome = {
  account_id: string;
  trigger_id: string;
  destination_id: string;
  succeeded: boolean;
  exhausted: boolean;
  /** Failed attempts. */
  failures: number;
  was_failing: boolean;
  /** Milliseconds until its circuit breaker, open on this node, lets probes through. */
  open_ms: number | null;
  /** The receiver responded in a way that closes the breaker. */
  alive: boolean;
};
/** The current state of a failing destination. `began`: it was not failing before. */
export type FailingRow = Pick<DestinationOutcome, 'account_id' | 'trigger_id' | 'destination_id' | 'exhausted'> & {
  failing_since: string;
  exhausted_at: string | null;
  warned: number;
  began: boolean;
  /** Whether its circuit breaker opened or closed with these outcomes. */
  switched: boolean;
};

/** Ends the failing state of these destinations. */
export async function noteSuccess(db: Db, outcomes: DestinationOutcome[]): Promise<void> {
  await sql`
    update destinations d set failing_since = null, exhausted_at = null, failures = 0, warned = 0,
      circuit_open_until = null
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as r(account_id uuid, destination_id uuid)
    where d.account_id = r.account_id and d.destination_id = r.destination_id
      and (d.failing_since is not null or d.circuit_open_until is not null)
  `.execute(db);
}

/** Records failures at `at`. Rows are locked in order of id, which prevents deadlocks between nodes. */
export async function noteFailure(db: Db, outcomes: DestinationOutcome[], at: string): Promise<FailingRow[]> {
  const { rows } = await sql<FailingRow>`
    with r as (
      select * from json_to_recordset(${JSON.stringify(outcomes)}::json)
        as r(account_id uuid, destination_id uuid, exhausted boolean, failures integer, open_ms float8, alive boolean)
    ), locked as (
      select d.account_id, d.destination_id, d.failing_since is null as began, r.exhausted, r.failures,
        case when r.open_ms is not null then now() + r.open_ms * interval '1 millisecond'
          when r.alive then null else d.circuit_open_until end as open_until,
        d.circuit_open_until is not null as was_open
      from destinations d join r using (account_id, destination_id)
      where d.status = 'ENABLED' and d.paused_at is null order by d.destination_id for no key update of d
    )
    update destinations d set
      failing_since = coalesce(d.failing_since, ${at}::timestamptz),
      failures = least(d.failures + locked.failures, 1000000),
      last_exhausted_at = case when locked.exhausted then ${at}::timestamptz else d.last_exhausted_at end,
      circuit_open_until = locked.open_until,
      exhausted_at = case when locked.exhausted then coalesce(d.exhausted_at, ${at}::timestamptz) else d.exhausted_at end
    from locked
    where d.account_id = locked.account_id and d.destination_id = locked.destination_id
    returning d.account_id, d.trigger_id, d.destination_id, d.failing_since, d.exhausted_at, d.warned, locked.began,
      locked.exhausted, locked.was_open <> (locked.open_until is not null) as switched
  `.execute(db);
  return rows;
}

/** Records that deliveries to these destinations exhausted their retries at `at`. */
export async function noteExhausted(
  db: Db,
  outcomes: { account_id: string; destination_id: string }[],
  at: string,
): Promise<void> {
  await sql`
    with locked as (
      select d.account_id, d.destination_id
      from destinations d join json_to_recordset(${JSON.stringify(outcomes)}::json)
        as r(account_id uuid, destination_id uuid) using (account_id, destination_id)
      order by d.destination_id for no key update of d
    )
    update destinations d set last_exhausted_at = ${at}::timestamptz from locked
    where d.account_id = locked.account_id and d.destination_id = locked.destination_id
  `.execute(db);
}

/** Records a warning; false if it or a later one was already recorded. */
export async function noteWarning(
  db: Db,
  account_id: string,
  destination_id: string,
  warned: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('destinations')
    .set({ warned })
    .where('account_id', '=', account_id)
    .where('destination_id', '=', destination_id)
    .where('warned', '<', warned)
    .where('failing_since', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Disables a destination that has been failing since then and still is; returns whether it did. */
export async function disableFailing(
  tx: Tx,
  account_id: string,
  destination_id: string,
  failing_since: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ status: 'DISABLED', reason: 'FAILING', disabled_at: at, updated_at: at })
    .where('account_id', '=', account_id)
    .where('destination_id', '=', destination_id)
    .where('failing_since', '=', failing_since)
    .where('status', '=', 'ENABLED')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
