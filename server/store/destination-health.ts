import { sql } from 'kysely';
import type { Db, Tx } from './schema.ts';

/** What a batch of attempts says of one destination. `exhausted`: a delivery was given up. */
export type DestinationOutcome = {
  account_id: string;
  trigger_id: string;
  destination_id: string;
  succeeded: boolean;
  exhausted: boolean;
  was_failing: boolean;
};
/** A failing destination as it stands now. `began`: it wasn't failing before. */
export type FailingRow = Pick<DestinationOutcome, 'account_id' | 'trigger_id' | 'destination_id' | 'exhausted'> & {
  failing_since: string;
  exhausted_at: string | null;
  warned: number;
  began: boolean;
};

/** These work again. */
export async function noteSuccess(db: Db, outcomes: DestinationOutcome[]): Promise<void> {
  await sql`
    update destinations d set failing_since = null, exhausted_at = null, warned = 0
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as r(account_id uuid, destination_id uuid)
    where d.account_id = r.account_id and d.destination_id = r.destination_id and d.failing_since is not null
  `.execute(db);
}

/** These failed at `at`. Rows are locked in order of id, so that two nodes never wait for each other. */
export async function noteFailure(db: Db, outcomes: DestinationOutcome[], at: string): Promise<FailingRow[]> {
  const { rows } = await sql<FailingRow>`
    with r as (
      select * from json_to_recordset(${JSON.stringify(outcomes)}::json)
        as r(account_id uuid, destination_id uuid, exhausted boolean)
    ), locked as (
      select d.account_id, d.destination_id, d.failing_since is null as began, r.exhausted
      from destinations d join r using (account_id, destination_id)
      where d.status = 'ENABLED' order by d.destination_id for no key update of d
    )
    update destinations d set
      failing_since = coalesce(d.failing_since, ${at}::timestamptz),
      exhausted_at = case when locked.exhausted then coalesce(d.exhausted_at, ${at}::timestamptz) else d.exhausted_at end
    from locked
    where d.account_id = locked.account_id and d.destination_id = locked.destination_id
    returning d.account_id, d.trigger_id, d.destination_id, d.failing_since, d.exhausted_at, d.warned, locked.began,
      locked.exhausted
  `.execute(db);
  return rows;
}

/** False when that or a later warning was given already. */
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

/** Disables one that has been failing since then and still is. Whether it did. */
export async function disableFailing(
  tx: Tx,
  account_id: string,
  destination_id: string,
  failing_since: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ status: 'DISABLED', reason: 'FAILING', updated_at: at })
    .where('account_id', '=', account_id)
    .where('destination_id', '=', destination_id)
    .where('failing_since', '=', failing_since)
    .where('status', '=', 'ENABLED')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
