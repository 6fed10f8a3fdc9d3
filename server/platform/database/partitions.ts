/**
 * Tables that grow without limit have one partition per UTC day, by ranges of their UUIDv7. A partition is created
 * before its day begins, so no writer waits for it. A row of a day without a partition (a wrong clock) goes to the
 * table's default partition and is moved when the partition is created. Retention drops whole days.
 *
 * Any number of nodes may do this at once: each step runs under a lock and first checks whether it was already done.
 */
import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import { advanceEdge, type Edge } from './retention-edge.ts';
import type { Db, Tx } from './schema.ts';

const PARTITIONED = [
  { table: 'events', key: 'event_id' },
  { table: 'event_requests', key: 'event_id' },
  { table: 'deliveries', key: 'event_id' },
  { table: 'attempts', key: 'event_id' },
  { table: 'event_search_blocks', key: 'last_id' },
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
const LOCK_KEY = 0x7061727469n;

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
    const days = new Map<string, number>();
    for (const { table } of PARTITIONED) {
      for (const name of await partitionsOf(tx, table)) {
        const day = dayOf(name);
        if (day !== undefined) days.set(name, day);
      }
    }
    const wantedMs = nowMs - retentionDays * DAY_MS;
    const edge = await advanceEdge(tx, { wantedMs, nowMs, oldestMs: Math.min(...days.values(), wantedMs) });
    const keptFrom = firstIdAt(edge.allowedMs);
    const held = new Set(await retained.heldDays(tx, keptFrom));
    const isOld = (day: number) => day + DAY_MS <= edge.allowedMs;
    const names = [...days].flatMap(([name, day]) => (isOld(day) && !held.has(day) ? [name] : []));
    const plan = { ...edge, names, heldDays: [...held].filter(isOld).sort().map(dateOf) };
    onPlan(plan);
    for (const name of names) await sql`drop table ${sql.table(name)}`.execute(tx);
    for (const { table, key } of PARTITIONED) await clearDefault(tx, { table, key }, keptFrom, held);
    await retained.afterDrop(tx, keptFrom);
    return plan;
  });
}

async function clearDefault(
  tx: Tx,
  { table, key }: Pick<Partitioned, 'table' | 'key'>,
  before: string,
  held: Set<number>,
) {
  const column = sql.ref(key);
  const isHeld = [...held].map(
    (day) => sql`(${column} >= ${firstIdAt(day)} and ${column} < ${firstIdAt(day + DAY_MS)})`,
  );
  const spared = isHeld.length > 0 ? sql`and not (${sql.join(isHeld, sql` or `)})` : sql``;
  await sql`delete from ${sql.table(`${table}_default`)} where ${column} < ${before} ${spared}`.execute(tx);
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

async function underLock<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_KEY.toString())}::bigint)`.execute(tx);
    // A long read must not make every writer wait behind this lock: give up, the next hour retries.
    await sql`set local lock_timeout = '5s'`.execute(tx);
    return work(tx);
  });
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

const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);

function dayOf(name: string): number | undefined {
  const [, year, month, date] = name.match(/_(\d{4})(\d\d)(\d\d)$/) ?? [];
  return year ? Date.UTC(Number(year), Number(month) - 1, Number(date)) : undefined;
}
