import { type Kysely, sql } from 'kysely';

export type NewIndex = {
  table: string;
  name: string;
  /** The columns, and what follows them, as in `create index`: `(account_id, made_at desc) where made_at is not null`. */
  on: string;
};

/**
 * Adds an index while nodes write to the table, outside of a transaction: a migration calls it from `outside`. For a
 * partitioned table each partition gets its index `{partition}_{name}`; partitions that are created meanwhile get theirs
 * from the table. Can be repeated after an interruption: an index that was not completed is built again.
 */
export async function addIndex(db: Kysely<unknown>, { table, name, on }: NewIndex): Promise<void> {
  const { rows } = await sql<{ partition: string; is_attached: boolean }>`
    select c.relname as partition, exists (
      select from pg_index i join pg_inherits a on a.inhrelid = i.indexrelid
      where i.indrelid = c.oid and a.inhparent = to_regclass(${name})) as is_attached
    from pg_inherits p join pg_class c on c.oid = p.inhrelid
    where p.inhparent = ${table}::regclass order by c.relname
  `.execute(db);
  // A new database has no partitions yet.
  if (rows.length === 0 && !(await isPartitioned(db, table))) return build(db, { table, name, on });
  // On the table alone: an entry of the catalogue, valid once each partition has its index.
  await sql`create index if not exists ${sql.id(name)} on only ${sql.id(table)} ${sql.raw(on)}`.execute(db);
  for (const { partition, is_attached } of rows) {
    if (is_attached) continue;
    const own = `${partition}_${name}`;
    await build(db, { table: partition, name: own, on });
    await sql`alter index ${sql.id(name)} attach partition ${sql.id(own)}`.execute(db);
  }
}

async function isPartitioned(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`select from pg_partitioned_table where partrelid = ${table}::regclass`.execute(db);
  return rows.length > 0;
}

async function build(db: Kysely<unknown>, { table, name, on }: NewIndex): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean }>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})
  `.execute(db);
  if (rows[0]?.is_valid) return;
  // Waits for transactions that began before, and blocks no writer meanwhile.
  const { rows: before } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(db);
  await sql`set lock_timeout = 0`.execute(db);
  try {
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
    await sql`create index concurrently ${sql.id(name)} on ${sql.id(table)} ${sql.raw(on)}`.execute(db);
  } finally {
    await sql`select set_config('lock_timeout', ${before[0]?.lock_timeout ?? '0'}, false)`.execute(db);
  }
}
