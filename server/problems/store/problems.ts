/** Problems of an account: lists, single ones, and changes of their state. */
import { type RawBuilder, sql } from 'kysely';
import type { ProblemKind, ProblemPartKind, ProblemState } from '../../../contract/states.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type {
  ProblemFailuresTable,
  ProblemPartsTable,
  ProblemsTable,
} from '../../platform/database/tables/problem-tables.ts';

export type Affected = Record<ProblemPartKind, number>;
/** `hours`: failures by hour, as text with the start of the hour in milliseconds. */
export type ProblemRow = ProblemsTable & {
  affected: Partial<Affected> | null;
  hours: Record<string, number> | null;
  end_users: number;
};

/** With the number of failing resources of each kind, and the failures of the last day. */
const withFigures = (problems: RawBuilder<unknown>) => sql<ProblemRow>`
  select p.*, a.affected, h.hours, u.end_users from (${problems}) p
  left join lateral (
    select json_object_agg(kind, n) as affected from (
      select kind, count(*)::int as n from problem_parts
      where account_id = p.account_id and problem_id = p.problem_id group by kind
    ) k
  ) a on true
  left join lateral (
    select json_object_agg(at_ms, failures) as hours from problem_hours
    where account_id = p.account_id and problem_id = p.problem_id
      and at_ms >= (extract(epoch from now()) * 1000)::bigint - 86400000
  ) h on true
  cross join lateral (
    select count(distinct c.end_user_id)::int as end_users from problem_parts r
    join connections c on c.account_id = r.account_id and c.connection_id = r.resource_id
    where r.account_id = p.account_id and r.problem_id = p.problem_id and r.kind = 'CONNECTION'
  ) u
  order by p.last_seen_at desc, p.problem_id desc`;

export type Filter = {
  state?: ProblemState[] | undefined;
  kind?: ProblemKind | undefined;
  resource_ids?: string[] | undefined;
};

/** The last seen first, after the given one. */
export async function list(
  db: Db,
  account_id: string,
  { state, kind, resource_ids }: Filter,
  { limit, after }: { limit: number; after?: string[] | undefined },
): Promise<ProblemRow[]> {
  const conditions = [sql`account_id = ${account_id}`];
  if (state) conditions.push(sql`state = any(${state}::text[])`);
  if (kind) conditions.push(sql`kind = ${kind}`);
  if (resource_ids)
    conditions.push(sql`problem_id in (select problem_id from problem_parts
      where account_id = ${account_id} and resource_id = any(${resource_ids}::uuid[]))`);
  if (after) conditions.push(sql`(last_seen_at, problem_id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const { rows } = await withFigures(sql`
    select * from problems where ${sql.join(conditions, sql` and `)}
    order by last_seen_at desc, problem_id desc limit ${limit}
  `).execute(db);
  return rows;
}

/** The number of OPEN problems. */
export async function countOpen(db: Db, account_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from problems where account_id = ${account_id} and state = 'OPEN'
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function find(db: Db | Tx, account_id: string, problem_id: string): Promise<ProblemRow | undefined> {
  const { rows } = await withFigures(
    sql`select * from problems where account_id = ${account_id} and problem_id = ${problem_id}`,
  ).execute(db);
  return rows[0];
}

/** Locked until the transaction ends. */
export async function lock(tx: Tx, account_id: string, problem_id: string): Promise<ProblemsTable | undefined> {
  return tx
    .selectFrom('problems')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('problem_id', '=', problem_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type StateChange = Partial<Omit<ProblemsTable, 'account_id' | 'problem_id'>>;

export async function update(tx: Tx, account_id: string, problem_id: string, change: StateChange): Promise<void> {
  await tx
    .updateTable('problems')
    .set(change)
    .where('account_id', '=', account_id)
    .where('problem_id', '=', problem_id)
    .execute();
}

/** The newest first, before the subject `before` if given. */
export async function failures(
  db: Db,
  account_id: string,
  problem_id: string,
  { kind, limit, before }: { kind?: ProblemKind | undefined; limit: number; before?: string | undefined },
): Promise<ProblemFailuresTable[]> {
  let query = db
    .selectFrom('problem_failures')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('problem_id', '=', problem_id);
  if (kind) query = query.where('kind', '=', kind);
  if (before) query = query.where('subject_id', '<', before);
  return query.orderBy('subject_id', 'desc').limit(limit).execute();
}

export type PartRow = Omit<ProblemPartsTable, 'account_id' | 'problem_id'> & {
  trigger_id: string | null;
  is_transformed: boolean;
  exists: boolean;
};
const PARTS = 100;

/** The resources that fail, most failures first. */
export async function parts(db: Db, account_id: string, problem_id: string): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select p.kind, p.resource_id, coalesce(nullif(p.name, ''), t.name, '') as name, p.failures, p.last_at, d.trigger_id,
      d.transform_function_id is not null as is_transformed,
      case p.kind when 'DESTINATION' then d.trigger_id is not null
        when 'FUNCTION' then exists (select from functions where account_id = p.account_id and function_id = p.resource_id)
        when 'CONNECTION' then exists (select from connections where account_id = p.account_id and connection_id = p.resource_id)
        else exists (select from triggers where account_id = p.account_id and trigger_id = p.resource_id) end as exists
    from problem_parts p
    left join destinations d on p.kind = 'DESTINATION' and d.account_id = p.account_id and d.destination_id = p.resource_id
    left join triggers t on p.kind = 'TRIGGER' and t.account_id = p.account_id and t.trigger_id = p.resource_id
    where p.account_id = ${account_id} and p.problem_id = ${problem_id}
    order by p.failures desc, p.resource_id limit ${PARTS}
  `.execute(db);
  return rows;
}

const COUNTED = 10_000;

/** The number of different events among the newest failures. */
export async function countEvents(db: Db, account_id: string, problem_id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct event_id)::int as count from (
      select event_id from problem_failures where account_id = ${account_id} and problem_id = ${problem_id}
      order by subject_id desc limit ${COUNTED}
    ) f
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Deletes failures older than `before`, and resolved problems without any; returns the number of rows. */
export async function deleteOld(db: Db, before: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      delete from problem_failures where ctid in (
        select ctid from problem_failures where last_at < ${before}::timestamptz limit ${limit})
      returning 1
    ), hours as (
      delete from problem_hours where ctid in (select ctid from problem_hours
        where at_ms < (extract(epoch from ${before}::timestamptz) * 1000)::bigint limit ${limit})
      returning 1
    ), gone as (
      delete from problems where ctid in (select ctid from problems
        where last_seen_at < ${before}::timestamptz limit ${limit})
      returning 1
    )
    select greatest((select count(*) from old), (select count(*) from hours), (select count(*) from gone))::int as count
  `.execute(db);
  return rows[0]?.count ?? 0;
}
