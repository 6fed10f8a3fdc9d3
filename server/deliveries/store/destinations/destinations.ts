import { sql } from 'kysely';
import type { DestinationStatus } from '../../../../contract/states.ts';
import type { AttemptsTable, Db, DestinationsTable, Tx } from '../../../platform/database/schema.ts';

export async function insert(tx: Tx, account_id: string, destination: Omit<DestinationsTable, 'account_id'>) {
  await tx
    .insertInto('destinations')
    .values({ account_id, ...destination })
    .execute();
}

export async function find(
  db: Db | Tx,
  account_id: string,
  trigger_id: string,
  destination_id: string,
): Promise<DestinationsTable | undefined> {
  return db
    .selectFrom('destinations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('destination_id', '=', destination_id)
    .executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export async function lock(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  destination_id: string,
): Promise<DestinationsTable | undefined> {
  return tx
    .selectFrom('destinations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('destination_id', '=', destination_id)
    .forUpdate()
    .executeTakeFirst();
}

/** The account's destinations that are failing and not disabled. */
export async function listFailing(db: Db, account_id: string) {
  const rows = await db
    .selectFrom('destinations')
    .select(['trigger_id', 'destination_id', 'failing_since', 'warned'])
    .where('account_id', '=', account_id)
    .where('status', '=', 'ENABLED')
    .where('failing_since', 'is not', null)
    .orderBy('destination_id')
    .execute();
  return rows.flatMap(({ failing_since, ...row }) => (failing_since === null ? [] : [{ ...row, failing_since }]));
}

/** Destinations of one or several triggers, in order of creation. */
export async function listOf(db: Db | Tx, account_id: string, trigger_ids: string[]): Promise<DestinationsTable[]> {
  if (trigger_ids.length === 0) return [];
  return db
    .selectFrom('destinations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', 'in', trigger_ids)
    .orderBy('destination_id')
    .execute();
}

/** The ids of those destinations that exist. */
export async function existing(db: Db | Tx, account_id: string, destination_ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('destinations')
    .select('destination_id')
    .where('account_id', '=', account_id)
    .where('destination_id', 'in', destination_ids)
    .execute();
  return new Set(rows.map(({ destination_id }) => destination_id));
}

export async function update(
  tx: Db | Tx,
  account_id: string,
  destination_id: string,
  changes: Partial<Omit<DestinationsTable, 'account_id' | 'destination_id' | 'trigger_id'>>,
): Promise<void> {
  await tx
    .updateTable('destinations')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('destination_id', '=', destination_id)
    .execute();
}

export async function remove(tx: Tx, account_id: string, trigger_id: string, destination_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('destinations')
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .where('destination_id', '=', destination_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Disables a destination that returned 410, unless its URL has changed since; returns whether it did. */
export async function disableGone(
  tx: Tx,
  account_id: string,
  destination_id: string,
  sent: Pick<AttemptsTable, 'request_url'>,
  at: string,
) {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ status: 'DISABLED', reason: 'GONE', disabled_at: at, updated_at: at })
    .where('account_id', '=', account_id)
    .where('destination_id', '=', destination_id)
    .where('url', '=', sent.request_url)
    .where('status', '=', 'ENABLED')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The fields of its destination that a delivery stores. */
export type RecordedDestination = Pick<DestinationsTable, 'name' | 'url' | 'method'>;

/** The destination of a delivery, with the fields of its trigger that the body contains. */
export type Target = DestinationsTable & {
  trigger_name: string;
  source: string;
  event_type: string;
  /** A replay calls this version instead of the live one. */
  version?: { function_id: string; number: number };
};

/** The current destinations of these deliveries; deleted ones are missing. */
export async function targets(db: Db, wanted: { account_id: string; destination_id: string }[]): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select d.*, t.name as trigger_name, t.source, t.event_type
    from (
      select distinct * from json_to_recordset(${JSON.stringify(wanted)}::json) as r(account_id uuid, destination_id uuid)
    ) r
    join destinations d using (account_id, destination_id)
    join triggers t on t.account_id = d.account_id and t.trigger_id = d.trigger_id
  `.execute(db);
  return rows;
}

export type NamedDestination = {
  trigger_id: string;
  trigger_name: string;
  destination_id: string;
  name: string;
  status: DestinationStatus;
  url: string;
};

/** Destinations whose URL contains this text (lower case), with the names of their triggers. */
export const withUrlText = (db: Db, account_id: string, text: string, limit: number): Promise<NamedDestination[]> =>
  named(db, account_id, limit).where(sql<boolean>`strpos(lower(destinations.url), ${text}) > 0`).execute();

/** Destinations whose requests this function transforms, with the names of their triggers. */
export const transformedBy = (
  db: Db,
  account_id: string,
  function_id: string,
  limit: number,
): Promise<NamedDestination[]> =>
  named(db, account_id, limit).where('destinations.transform_function_id', '=', function_id).execute();

const named = (db: Db, account_id: string, limit: number) =>
  db
    .selectFrom('destinations')
    .innerJoin('triggers', (join) =>
      join
        .onRef('triggers.account_id', '=', 'destinations.account_id')
        .onRef('triggers.trigger_id', '=', 'destinations.trigger_id'),
    )
    .select([
      'destinations.trigger_id',
      'triggers.name as trigger_name',
      'destinations.destination_id',
      'destinations.name',
      'destinations.status',
      'destinations.url',
    ])
    .where('destinations.account_id', '=', account_id)
    .orderBy('destinations.destination_id')
    .limit(limit);

/** Makes the destinations that send with a connection send with another one; returns their IDs. */
export async function moveConnection(
  tx: Tx,
  account_id: string,
  { from, to, at }: { from: string; to: string; at: string },
): Promise<{ trigger_id: string; destination_id: string }[]> {
  const before = `connection://${from}`;
  const { rows } = await sql<{ trigger_id: string; destination_id: string }>`
    update destinations set url = ${`connection://${to}`} || substr(url, ${before.length + 1}), updated_at = ${at}
    where account_id = ${account_id} and lower(substr(url, 1, ${before.length})) = ${before}
    returning trigger_id, destination_id
  `.execute(tx);
  return rows;
}
