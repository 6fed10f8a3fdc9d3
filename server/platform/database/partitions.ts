/**
 * Tables that grow without limit have one partition per UTC day, by ranges of their UUIDv7. A partition is created
 * before its day begins, so no writer waits for it. A row of a day without a partition (a wrong clock) goes to the
 * table's default partition and is moved when the partition is created. Retention drops whole days.
 *
 * Any number of nodes may do this at once: each step runs under a lock and first checks whether it was already done.
 */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import { advanceEdge, type Edge } from './retention-edge.ts';
import type { Db, Tx } from './schema.ts';

/** In the order in which they are locked: a transaction that reads several of them begins with the first. */
const PARTITIONED = [
  { table: 'event_search_blocks', key: 'last_id' },
  { table: 'events', key: 'event_id' },
  { table: 'event_requests', key: 'event_id' },
  { table: 'deliveries', key: 'event_id' },
  { table: 'attempts', key: 'event_id' },
  { table: 'runs', key: 'run_id' },
  { table: 'run_logs', key: 'run_id' },
  { table: 'rejections', key: 'rejection_id' },
  { table: 'gateway_calls', key: 'call_id' },
] as const;
type Partitioned = (typeof PARTITIONED)[number];

/** The partition for rows of this moment. If it does not exist, the rows go to the default partition. */
export const partitionAt = (table: Partitioned['table'], ms: number): string =>
  nameOf(table, Math.floor(ms / DAY_MS) * DAY_MS);

export const DAY_MS = 86_400_000;
const DAYS_BACK = 1;
const DAYS_AHEAD = 3;
/** "partition" in ASCII, truncated to the size of a lock key. */
export const PARTITIONS_LOCK = 0x7061727469n;

/** Creates missing partitions, from yesterday to three days ahead, and the default ones. */
export async function ensurePartitions(db: Db, nowMs = Date.now()): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS_BACK + 1 + DAYS_AHEAD }, (_, i) => today + (i - DAYS_BACK) * DAY_MS);
  const wanted = PARTITIONED.flatMap(({ table }) => [`${table}_default`, ...days.map((day) => nameOf(table, day))]);
  if ((await missing(db, wanted)).length === 0) return;
  await underLock(db, async (tx) => {
    const names = new Set(await missing(tx, wanted));
    for (const each of PARTITIONED) {
      const fallback = `${each.table}_default`;
      if (names.has(fallback)) {
        await sql`create table ${sql.table(fallback)} partition of ${sql.table(each.table)} default`.execute(tx);
      }
      for (const day of days) if (names.has(nameOf(each.table, day))) await makeDay(tx, each, day);
    }
  });
}

/** The rows that keep a day beyond its retention, and the rows that depend on dropped ones. */
export type Retained = {
  /** Days (ms of their beginning) before the id `before` that must not be dropped yet. */
  heldDays(tx: Tx, before: string): Promise<number[]>;
  /** Called in the same transaction after everything before the id `before` is dropped. */
  afterDrop(tx: Tx, before: string): Promise<void>;
  /** Rows that are kept when the rest of their day is dropped. */
  kept?: Kept;
};

/** Few rows in some of the tables, which are selected by other tables. */
export type Kept = {
  tables: readonly string[];
  /** Whether there are any from one id up to another. */
  exist(tx: Tx, from: string, to: string): Promise<boolean>;
  /** Copies those of a table from one of its partitions to another. */
  copy(tx: Tx, table: string, from: string, to: string): Promise<void>;
  /** Whether a partition has others. */
  hasOthers(tx: Tx, partition: string): Promise<boolean>;
  /** Deletes all others of a partition that meet the condition on the row `r`. */
  clear(tx: Tx, partition: string, condition: RawBuilder<unknown>): Promise<void>;
};

/** The plan of a call of `dropOldPartitions`; times in ms since 1970. */
export type DropPlan = Edge & {
  /** Partitions to drop. */
  names: string[];
  /** Days (2026-11-23) that are kept because of `Retained`. */
  heldDays: string[];
};

/**
 * Drops the days before the retention edge, and the corresponding rows of the default partitions, in all tables. The
 * edge moves at most one day per hour (retention-edge.ts). Days that `retained` holds are kept completely. `onPlan` is
 * called before anything is dropped. Returns the plan.
 */
export async function dropOldPartitions(
  db: Db,
  retentionDays: number,
  retained: Retained,
  nowMs = Date.now(),
  onPlan: (plan: DropPlan) => void = () => {},
): Promise<DropPlan> {
  return underLock(db, async (tx) => {
    const all = await listDays(tx);
    const days = all.filter(({ isRest }) => !isRest);
    const wantedMs = nowMs - retentionDays * DAY_MS;
    const edge = await advanceEdge(tx, {
      wantedMs,
      nowMs,
      oldestMs: Math.min(...days.map(({ day }) => day), wantedMs),
    });
    const keptFrom = firstIdAt(edge.allowedMs);
    const held = new Set(await retained.heldDays(tx, keptFrom));
    const isOld = (day: number) => day + DAY_MS <= edge.allowedMs;
    const dropped = ({ day }: Day) => isOld(day) && !held.has(day);
    const names = days.filter(dropped).map(({ name }) => name);
    const plan = { ...edge, names, heldDays: [...held].filter(isOld).sort().map(dateOf) };
    onPlan(plan);
    for (const each of all.filter(dropped)) await dropDay(tx, each, retained.kept);
    for (const { table, key } of PARTITIONED) await clearDefault(tx, { table, key }, keptFrom, held, retained.kept);
    await retained.afterDrop(tx, keptFrom);
    return plan;
  });
}

/** `isRest`: it has only rows that are kept. */
type Day = { table: Partitioned['table']; name: string; day: number; isRest: boolean };

async function listDays(tx: Tx): Promise<Day[]> {
  const found: Day[] = [];
  for (const { table } of PARTITIONED) {
    for (const name of await partitionsOf(tx, table)) {
      const day = dayOf(name);
      if (day !== undefined) found.push({ table, name, day, isRest: name === restOf(table, day) });
    }
  }
  return found;
}

/**
 * Drops a partition. If rows of it are kept, a partition of the same day with only these replaces it: also an empty
 * one, for rows that are added to a kept event. When none are kept any more, that one is dropped, too.
 */
async function dropDay(tx: Tx, { table, name, day, isRest }: Day, kept: Kept | undefined): Promise<void> {
  const from = firstIdAt(day);
  const to = firstIdAt(day + DAY_MS);
  if (kept?.tables.includes(table)) {
    if (isRest && (await kept.exist(tx, from, to)) && !(await kept.hasOthers(tx, name))) return;
    // First the table, like every reader. With these locks, nothing is added to the kept rows until the end.
    await sql`lock table only ${sql.table(table)} in access exclusive mode`.execute(tx);
    await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(tx);
    if (await kept.exist(tx, from, to)) {
      if (isRest) return kept.clear(tx, name, sql`true`);
      const rest = sql.table(restOf(table, day));
      await sql`create table ${rest} (like ${sql.table(table)} including all)`.execute(tx);
      await kept.copy(tx, table, name, restOf(table, day));
      await sql`drop table ${sql.table(name)}`.execute(tx);
      await sql`
        alter table ${sql.table(table)} attach partition ${rest} for values from (${sql.lit(from)}) to (${sql.lit(to)})
      `.execute(tx);
      return;
    }
  }
  await sql`drop table ${sql.table(name)}`.execute(tx);
}

async function clearDefault(
  tx: Tx,
  { table, key }: Pick<Partitioned, 'table' | 'key'>,
  before: string,
  held: Set<number>,
  kept: Kept | undefined,
) {
  const column = sql.ref(`r.${key}`);
  const isHeld = [...held].map(
    (day) => sql`(${column} >= ${firstIdAt(day)} and ${column} < ${firstIdAt(day + DAY_MS)})`,
  );
  const spared = isHeld.length > 0 ? sql`and not (${sql.join(isHeld, sql` or `)})` : sql``;
  const condition = sql`${column} < ${before} ${spared}`;
  if (kept?.tables.includes(table)) await kept.clear(tx, `${table}_default`, condition);
  else await sql`delete from ${sql.table(`${table}_default`)} r where ${condition}`.execute(tx);
}

/**
 * Creates the partition separately and then attaches it: that blocks no writer, and lets rows of the default partition
 * move.
 */
async function makeDay(tx: Tx, { table, key }: Partitioned, day: number): Promise<void> {
  const part = sql.table(nameOf(table, day));
  const fallback = sql.table(`${table}_default`);
  const from = firstIdAt(day);
  const to = firstIdAt(day + DAY_MS);
  await sql`create table ${part} (like ${sql.table(table)} including all)`.execute(tx);
  await sql`
    with moved as (delete from ${fallback} where ${sql.ref(key)} >= ${from} and ${sql.ref(key)} < ${to} returning *)
    insert into ${part} select * from moved
  `.execute(tx);
  await sql`
    alter table ${sql.table(table)} attach partition ${part} for values from (${sql.lit(from)}) to (${sql.lit(to)})
  `.execute(tx);
}

export type PartitionFigures = {
  /** The number of days with a partition, over all tables. */
  count: number;
  /** When the last day with partitions in all tables ends (ms). */
  endMs: number;
  /** When the oldest day with a partition began (ms). */
  oldestMs: number;
};

/** Reads only the catalog, so it takes as long for large tables as for empty ones. */
export async function partitionFigures(db: Db): Promise<PartitionFigures> {
  const tables = PARTITIONED.map(({ table }) => table);
  const { rows } = await sql<{ parent: string; name: string }>`
    select parent, relname as name from unnest(${tables}::text[]) as parent
    join pg_inherits on inhparent = parent::regclass join pg_class on pg_class.oid = inhrelid
  `.execute(db);
  const days = rows.flatMap(({ parent, name }) => {
    const day = dayOf(name);
    return day === undefined ? [] : [{ parent, day }];
  });
  const lastOf = (table: string) => Math.max(...days.filter(({ parent }) => parent === table).map(({ day }) => day));
  return {
    count: days.length,
    endMs: Math.min(...tables.map(lastOf)) + DAY_MS,
    oldestMs: Math.min(...days.map(({ day }) => day)),
  };
}

async function underLock<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${sql.lit(PARTITIONS_LOCK.toString())}::bigint)`.execute(tx);
    // A long read must not make every writer wait behind this lock: give up, the next hour retries.
    await sql`set local lock_timeout = '5s'`.execute(tx);
    return work(tx);
  });
}

/**
 * Prevents changes of partitions until the transaction ends, so that it may read several of these tables in any order
 * without a deadlock; false while they are being changed.
 */
export async function holdPartitions(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select pg_try_advisory_xact_lock_shared(${sql.lit(PARTITIONS_LOCK.toString())}::bigint) as is_held
  `.execute(tx);
  return rows[0]?.is_held === true;
}

async function missing(db: Db | Tx, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as t(name) where to_regclass(name) is null
  `.execute(db);
  return rows.map(({ name }) => name);
}

async function partitionsOf(tx: Tx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass order by relname
  `.execute(tx);
  return rows.map(({ name }) => name);
}

const nameOf = (table: string, day: number) =>
  `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** The partition that replaces the one of a day when only kept rows are left. */
const restOf = (table: string, day: number) => nameOf(`${table}_kept`, day);

const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);

function dayOf(name: string): number | undefined {
  const [, year, month, date] = name.match(/_(\d{4})(\d\d)(\d\d)$/) ?? [];
  return year ? Date.UTC(Number(year), Number(month) - 1, Number(date)) : undefined;
}
