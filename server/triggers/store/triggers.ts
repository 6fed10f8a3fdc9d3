import { sql } from 'kysely';
import type { TriggerStatus } from '../../../contract/states.ts';
import { containing } from '../../platform/database/like.ts';
import type { Db, TriggersTable, Tx } from '../../platform/database/schema.ts';

export async function insert(tx: Tx, account_id: string, trigger: Omit<TriggersTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('triggers')
    .values({ account_id, ...trigger })
    .execute();
}

export async function find(db: Db | Tx, account_id: string, trigger_id: string): Promise<TriggersTable | undefined> {
  return db
    .selectFrom('triggers')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .executeTakeFirst();
}

/** Like `find`; locks the row until the transaction ends, for a change that depends on its state. */
export async function lock(tx: Tx, account_id: string, trigger_id: string): Promise<TriggersTable | undefined> {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .forUpdate()
    .executeTakeFirst();
}

/** The triggers of a connection, locked until the transaction ends, in order of ID. */
export async function lockOfConnection(
  tx: Tx,
  account_id: string,
  connection_id: string,
  limit: number,
): Promise<TriggersTable[]> {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('connection_id', '=', connection_id)
    .orderBy('trigger_id')
    .limit(limit)
    .forUpdate()
    .execute();
}

export type TriggerFilter = {
  source?: string | undefined;
  status?: TriggerStatus | undefined;
  /** Only triggers with an enabled destination whose attempts all fail. */
  failing?: boolean | undefined;
  /** Text in the name or event type, or the ID. */
  q?: string | undefined;
};

/** Newest first; with `before`, only older triggers. */
export async function list(
  db: Db,
  account_id: string,
  filter: TriggerFilter,
  page: { limit: number; before?: string | undefined },
): Promise<TriggersTable[]> {
  let query = db.selectFrom('triggers').selectAll().where('account_id', '=', account_id);
  if (filter.source) query = query.where('source', '=', filter.source);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.failing)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('destinations')
          .whereRef('destinations.account_id', '=', 'triggers.account_id')
          .whereRef('destinations.trigger_id', '=', 'triggers.trigger_id')
          .where('destinations.status', '=', 'ENABLED')
          .where('failing_since', 'is not', null),
      ),
    );
  if (filter.q) {
    const text = containing(filter.q);
    query = query.where(
      sql<boolean>`(name ilike ${text} or event_type ilike ${text} or trigger_id::text = lower(${filter.q}))`,
    );
  }
  if (page.before) query = query.where('trigger_id', '<', page.before);
  return query.orderBy('trigger_id', 'desc').limit(page.limit).execute();
}

export async function update(
  tx: Tx,
  account_id: string,
  trigger_id: string,
  changes: Partial<Omit<TriggersTable, 'account_id' | 'trigger_id'>>,
): Promise<void> {
  await tx
    .updateTable('triggers')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .execute();
}

/** Also deletes its destinations. */
export async function remove(tx: Tx, account_id: string, trigger_id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('triggers')
    .where('account_id', '=', account_id)
    .where('trigger_id', '=', trigger_id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Schedules of all accounts that are due; locks the rows, and skips those that another node has locked. */
export async function lockDue(tx: Tx, limit: number): Promise<(TriggersTable & { looked_at: string })[]> {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .select(sql<string>`now()`.as('looked_at'))
    .where('next_fire_at', '<=', sql<string>`now()`)
    .orderBy('next_fire_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

type NextFiring = Pick<TriggersTable, 'account_id' | 'trigger_id' | 'next_fire_at'> &
  Partial<Pick<TriggersTable, 'missed_at' | 'missed'>>;

/** Sets the next firing time of each of these schedules (null: none), and the missed times of those that have any. */
export async function setNextFirings(tx: Tx, next: NextFiring[]): Promise<void> {
  await sql`
    update triggers t set next_fire_at = r.next_fire_at, missed_at = coalesce(r.missed_at, t.missed_at),
      missed = coalesce(r.missed, t.missed)
    from json_to_recordset(${JSON.stringify(next)}::json)
      as r(account_id uuid, trigger_id uuid, next_fire_at timestamptz, missed_at timestamptz, missed text)
    where t.account_id = r.account_id and t.trigger_id = r.trigger_id
  `.execute(tx);
}

/** Milliseconds until the next schedule of any account fires; null without one. */
export async function untilNextDue(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(next_fire_at) - now()) * 1000)::float8 as ms from triggers
    where next_fire_at is not null
  `.execute(db);
  return rows[0]?.ms ?? null;
}

/** For each of these hashes, the trigger of any account whose URL token has it. */
export async function withIngressHashes(db: Db, hashes: string[]): Promise<(TriggersTable | undefined)[]> {
  const rows = await db
    .selectFrom('triggers')
    .selectAll()
    .where(sql<boolean>`ingress_hash = any (${hashes}::text[])`)
    .execute();
  const byHash = new Map(rows.map((row) => [row.ingress_hash, row]));
  return hashes.map((hash) => byHash.get(hash));
}
