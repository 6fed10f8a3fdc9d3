/**
 * How far failures have been read. The row is locked while a node reads, so failures are read once on any number of
 * nodes; the position is stored with the groups, so they are counted once after any crash.
 *
 * Rows are read in the order of the transactions that stored them, up to the oldest one in progress: no row can appear
 * before a position that was read.
 */
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/schema.ts';

/** The transaction and the key of the last row that was read. */
export type Position = { xid: string; key: (string | number)[] };
export type Positions = Record<string, Position>;
export type Reader = {
  positions: Positions;
  since: string;
  checked_at: string;
  now: string;
  /** Rows of transactions before this one are complete. */
  upto: string;
};

/** Creates the row at the first start: failures of before are not read. */
export async function create(db: Db): Promise<void> {
  await sql`
    insert into problem_reader (positions, since, checked_at) values ('{}', now(), now()) on conflict do nothing
  `.execute(db);
}

/** Locks the row; undefined while another node has it. */
export async function lock(tx: Tx): Promise<Reader | undefined> {
  const { rows } = await sql<Omit<Reader, 'positions'> & { positions: string }>`
    select positions, since, checked_at, now() as now, pg_snapshot_xmin(pg_current_snapshot())::text as upto
    from problem_reader for update skip locked
  `.execute(tx);
  const [row] = rows;
  return row && { ...row, positions: JSON.parse(row.positions) as Positions };
}

export async function advance(tx: Tx, positions: Positions): Promise<void> {
  await sql`update problem_reader set positions = ${JSON.stringify(positions)}`.execute(tx);
}

/** Transactions of another server, as after an import, have other numbers: begins at its next one. */
export async function begin(tx: Tx): Promise<void> {
  await sql`update problem_reader set positions = '{}', since = now()`.execute(tx);
}

export async function noteChecked(tx: Tx): Promise<void> {
  await sql`update problem_reader set checked_at = now()`.execute(tx);
}
