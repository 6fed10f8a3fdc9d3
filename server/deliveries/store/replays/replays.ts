import { type RawBuilder, sql } from 'kysely';
import type { DeliveryStatus, ReplayStatus } from '../../../../contract/states.ts';
import type { Db, ReplayItemsTable, ReplaysTable, Tx } from '../../../platform/database/schema.ts';

/** A delivery that a replay would send. */
export type Candidate = {
  event_id: string;
  trigger_id: string;
  delivery_id: string;
  destination_id: string;
  destination_name: string;
  status: DeliveryStatus;
  last_response_status: number | null;
};

/** What a replay changes in the requests that it causes. */
export type ReplayChanges = Pick<ReplaysTable, 'function_id' | 'function_version' | 'body_template' | 'transform_then'>;

/** The changes of a replay, which stay the same; undefined when it was deleted. */
export async function changesOf(db: Db, account_id: string, replay_id: string): Promise<ReplayChanges | undefined> {
  return db
    .selectFrom('replays')
    .select(['function_id', 'function_version', 'body_template', 'transform_then'])
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .executeTakeFirst();
}

export async function insert(tx: Tx, account_id: string, replay: Omit<ReplaysTable, 'account_id'>): Promise<void> {
  await tx
    .insertInto('replays')
    .values({ account_id, ...replay })
    .execute();
}

export async function find(db: Db | Tx, account_id: string, replay_id: string): Promise<ReplaysTable | undefined> {
  return db
    .selectFrom('replays')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export async function lock(tx: Tx, account_id: string, replay_id: string): Promise<ReplaysTable | undefined> {
  return tx
    .selectFrom('replays')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .forUpdate()
    .executeTakeFirst();
}

/** Newest first, after the replay `before` if given; with `problem_id`, those of that problem. */
export async function list(
  db: Db,
  account_id: string,
  { limit, before, problem_id }: { limit: number; before?: string | undefined; problem_id?: string | undefined },
): Promise<ReplaysTable[]> {
  let query = db.selectFrom('replays').selectAll().where('account_id', '=', account_id);
  if (problem_id) query = query.where('problem_id', '=', problem_id);
  if (before) query = query.where('replay_id', '<', before);
  return query.orderBy('replay_id', 'desc').limit(limit).execute();
}

export async function update(
  db: Db | Tx,
  account_id: string,
  replay_id: string,
  changes: Partial<Omit<ReplaysTable, 'account_id' | 'replay_id'>>,
): Promise<void> {
  await db
    .updateTable('replays')
    .set(changes)
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .execute();
}

/** Leases the replays that are due to this node. */
export async function claim(db: Db, node_id: string, leaseMs: number, limit: number): Promise<ReplaysTable[]> {
  const { rows } = await sql<ReplaysTable>`
    update replays r set node_id = ${node_id}, next_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select account_id, replay_id from replays where next_at <= now() order by next_at limit ${limit}
      for update skip locked
    ) due
    where r.account_id = due.account_id and r.replay_id = due.replay_id
    returning r.*
  `.execute(db);
  return rows;
}

export type Move = {
  verdict: { status: ReplayStatus; reason: string | null } | null;
  at: string;
  /** Until the next step; null: no further step, unless the status is not `seen`. */
  waitMs: number | null;
  seen: ReplayStatus;
  current_rate: number | null;
};

/**
 * Stores the time of the next step, and the verdict. A verdict applies only while the replay is RUNNING; it may have
 * been canceled.
 */
export async function updateStep(db: Db, account_id: string, replay_id: string, move: Move): Promise<void> {
  const { verdict, at, waitMs, seen, current_rate } = move;
  const ends = sql`(status = 'RUNNING' and ${verdict !== null})`;
  await sql`
    update replays set updated_at = ${at}::timestamptz, current_rate = ${current_rate}::float8, status = case when ${ends} then ${verdict?.status ?? ''} else status end,
      reason = case when ${ends} then ${verdict?.reason ?? null}::text else reason end,
      finished_at = case when ${ends} and ${verdict?.status !== 'PAUSED'} then ${at}::timestamptz else finished_at end,
      canary_passed = canary_passed or (${ends} and ${verdict?.status === 'PAUSED'}),
      next_at = case when status <> ${seen} then now() when ${waitMs}::float8 is null then null else now() + ${waitMs}::float8 * interval '1 millisecond' end
    where account_id = ${account_id} and replay_id = ${replay_id}
  `.execute(db);
}

export type Waiting = Pick<ReplayItemsTable, 'event_id' | 'trigger_id' | 'delivery_id' | 'destination_id'>;

/** The next items to send, oldest event first. No item of an event before `from` waits. */
export async function waiting(
  db: Db | Tx,
  account_id: string,
  replay_id: string,
  from: string,
  limit: number,
): Promise<Waiting[]> {
  return db
    .selectFrom('replay_items')
    .select(['event_id', 'trigger_id', 'delivery_id', 'destination_id'])
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .where('state', '=', 'WAITING')
    .where('event_id', '>=', from)
    .orderBy('event_id')
    .limit(limit)
    .execute();
}

/** The destinations of the items that wait. */
export async function waitingDestinations(db: Db, account_id: string, replay_id: string): Promise<string[]> {
  const { rows } = await sql<{ destination_id: string }>`
    select distinct destination_id from replay_items
    where account_id = ${account_id} and replay_id = ${replay_id} and state = 'WAITING'`.execute(db);
  return rows.map(({ destination_id }) => destination_id);
}

/** The next items to send to these destinations, oldest event first. */
export async function waitingFor(
  tx: Tx,
  account_id: string,
  replay_id: string,
  { from, limit, destination_ids }: { from: string; limit: number; destination_ids: string[] },
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select i.* from unnest(${destination_ids}::uuid[]) d(destination_id) cross join lateral (
      select event_id, trigger_id, delivery_id, destination_id from replay_items
      where account_id = ${account_id} and replay_id = ${replay_id} and state = 'WAITING'
        and destination_id = d.destination_id and event_id >= ${from}
      order by event_id limit ${limit}) i
    order by i.event_id limit ${limit}
  `.execute(tx);
  return rows;
}

/** Those of these destinations that the replay still has items for. */
export async function stillFor(
  db: Db | Tx,
  account_id: string,
  replay_id: string,
  destination_ids: string[],
): Promise<{ destination_id: string; name: string }[]> {
  const { rows } = await sql<{ destination_id: string; name: string }>`
    select d.destination_id, d.name from destinations d
    where d.account_id = ${account_id} and d.destination_id = any(${destination_ids}::uuid[]) and exists (
      select from replay_items i where i.account_id = d.account_id and i.replay_id = ${replay_id}
        and i.state in ('WAITING', 'SENT') and i.destination_id = d.destination_id)
    order by d.destination_id
  `.execute(db);
  return rows;
}

/** The items of a replay, and the status of each delivery now; null while it has no outcome. */
type ItemsNow = { from: RawBuilder<unknown>; after: RawBuilder<DeliveryStatus | null> };

/**
 * To read all items, only deliveries that have not succeeded are looked up, by their index, in the range of the items
 * that are done: most others of a running replay have failed. A delivery that is missing there has succeeded, or
 * retention has removed it. An item that is done since the range was read has its outcome.
 */
async function itemsNow(db: Db, account_id: string, replay_id: string): Promise<ItemsNow> {
  const done = sql`from replay_items where account_id = ${account_id} and replay_id = ${replay_id} and state = 'DONE'`;
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select event_id ${done} order by event_id limit 1) as first,
      (select event_id ${done} order by event_id desc limit 1) as last`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  const from = sql`
    from replay_items i
    left join (
      select d.event_id, d.destination_id, d.status from deliveries d
      where d.account_id = ${account_id} and d.status <> 'SUCCEEDED'
        and d.event_id >= ${first} and d.event_id <= ${last} offset 0) u
      on u.event_id = i.event_id and u.destination_id = i.destination_id and i.state = 'DONE'
    where i.account_id = ${account_id} and i.replay_id = ${replay_id}`;
  const after = sql<DeliveryStatus | null>`case when i.state <> 'DONE' then null when u.status is not null then u.status
    when i.after_status = 'SUCCEEDED' or i.event_id <= ${last} and exists (select from deliveries d
      where d.account_id = i.account_id and d.event_id = i.event_id and d.destination_id = i.destination_id offset 0)
      then 'SUCCEEDED'
    else i.after_status end`;
  return { from, after };
}

export type MatrixRow = { before: DeliveryStatus; after: DeliveryStatus | null; count: number };
export async function matrix(db: Db, account_id: string, replay_id: string): Promise<MatrixRow[]> {
  const { from, after } = await itemsNow(db, account_id, replay_id);
  return db.transaction().execute(async (tx) => {
    // The planner's statistics report no items for a running replay: a nested loop over 3,000 items takes 15 s. A
    // million items take a second, or several on a busy machine.
    await sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true),
      set_config('statement_timeout', '60s', true)`.execute(tx);
    const { rows } = await sql<MatrixRow>`
      select i.before_status as before, ${after} as after, count(*) as count ${from} group by 1, 2 order by 1, 2
    `.execute(tx);
    return rows;
  });
}

export type ItemRow = ReplayItemsTable & { now_status: DeliveryStatus | null; now_response_status: number | null };
type ItemFilter = { before?: DeliveryStatus | undefined; after?: DeliveryStatus | undefined };
type ItemPage = { limit: number; after?: [event_id: string, delivery_id: string] | undefined };

/** Oldest event first, after the item `after` if given. */
export async function items(
  db: Db,
  account_id: string,
  replay_id: string,
  filter: ItemFilter,
  page: ItemPage,
): Promise<ItemRow[]> {
  const terms: RawBuilder<unknown>[] = [sql`true`];
  if (filter.before) terms.push(sql`i.before_status = ${filter.before}`);
  if (page.after) terms.push(sql`(i.event_id, i.delivery_id) > (${page.after[0]}::uuid, ${page.after[1]}::uuid)`);
  const now = filter.after ? await itemsNow(db, account_id, replay_id) : undefined;
  if (now) terms.push(sql`${now.after} = ${filter.after}`);
  const from = now?.from ?? sql`from replay_items i where i.account_id = ${account_id} and i.replay_id = ${replay_id}`;
  const { rows } = await sql<ItemRow>`
    with i as materialized (
      select i.* ${from} and ${sql.join(terms, sql` and `)} order by i.event_id, i.delivery_id limit ${page.limit})
    select i.*, case when i.state = 'DONE' then coalesce(d.status, i.after_status) end as now_status,
      case when i.state = 'DONE' then d.last_response_status end as now_response_status
    from i left join deliveries d
      on d.account_id = i.account_id and d.event_id = i.event_id and d.destination_id = i.destination_id
    order by i.event_id, i.delivery_id
  `.execute(db);
  return rows;
}

/** Whether the replay has not ended, so that its status can change. */
export const isActive = (status: ReplayStatus): boolean => status === 'RUNNING' || status === 'PAUSED';
