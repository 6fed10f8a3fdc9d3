/**
 * Stores records of many runs at once. Most runs are new and fit into their rows, which are copied. The others are
 * stored in one statement: rows of runs that begin (complete ones if they have ended meanwhile), the ends of earlier
 * runs, and their lines. The batch is stored completely or not at all, so a run that is not RUNNING is complete.
 */
import { type RawBuilder, sql } from 'kysely';
import { Column, OIDS } from '../../platform/database/column.ts';
import { copyIn } from '../../platform/database/copy-in.ts';
import { CopyRows } from '../../platform/database/copy-rows.ts';
import { PREPARED } from '../../platform/database/prepared.ts';
import type { Db } from '../../platform/database/schema.ts';
import type { RunLogsTable, RunsTable } from '../../platform/database/tables/function-tables.ts';
import type { Values } from '../../platform/database/values.ts';
import type { RunLogLine } from './run-lines.ts';

export type RunLogRow = Pick<RunLogsTable, 'account_id' | 'function_id' | 'run_id'> & RunLogLine;
/** Columns that are known only when a run is over. */
export type RunEnd = Pick<
  RunsTable,
  | 'status'
  | 'request'
  | 'response_status'
  | 'response_headers'
  | 'response_body'
  | 'response_base64'
  | 'response_truncated'
  | 'error'
  | 'ended_at'
  | 'duration_ms'
  | 'start'
  | 'ready_ms'
  | 'loaded_ms'
  | 'answer_ms'
>;
export type RunBatch = {
  /** Runs that are not stored yet. */
  begun: RunsTable[];
  /** Ends of stored runs. */
  ended: (RunEnd & Pick<RunsTable, 'account_id' | 'run_id'>)[];
  lines: RunLogRow[];
};

type Kind = 'uuid' | 'int4' | 'int8' | 'float4' | 'float8' | 'text' | 'bool' | 'timestamptz';
const KEY = { account_id: 'uuid', run_id: 'uuid' } as const;
const END = {
  status: 'text',
  request: 'text',
  response_status: 'int4',
  response_headers: 'text',
  response_body: 'text',
  response_base64: 'bool',
  response_truncated: 'bool',
  error: 'text',
  ended_at: 'timestamptz',
  duration_ms: 'float8',
  start: 'text',
  ready_ms: 'float4',
  loaded_ms: 'float4',
  answer_ms: 'float4',
} as const satisfies Record<keyof RunEnd, Kind>;
const RUN = {
  ...KEY,
  function_id: 'uuid',
  version: 'int4',
  method: 'text',
  path: 'text',
  trigger_id: 'uuid',
  event_id: 'uuid',
  delivery_id: 'uuid',
  attempt: 'int4',
  caller: 'text',
  key_id: 'uuid',
  key_name: 'text',
  node_id: 'uuid',
  created_at: 'timestamptz',
  started_at: 'timestamptz',
  ...END,
  log: 'text',
} as const satisfies Record<keyof RunsTable, Kind>;
const LINE = {
  ...KEY,
  function_id: 'uuid',
  seq: 'int4',
  at_ms: 'int8',
  level: 'text',
  message: 'text',
} as const satisfies Record<keyof RunLogRow, Kind>;

const namesOf = (shape: Record<string, Kind>) => sql.raw(Object.keys(shape).join(', '));
/** Assignments from an alias: "status = e.status, …". Readers of failures see the run with this transaction. */
const setTo = (alias: string) =>
  sql.raw([...Object.keys(END).map((name) => `${name} = ${alias}.${name}`), 'xid = pg_current_xact_id()'].join(', '));

const COLUMNS = Object.entries(RUN) as [keyof RunsTable, Kind][];
const COLUMN_NAMES = Object.keys(RUN).join(', ');

/** Free row buffers. */
const spare: CopyRows[] = [];

/** Stores new rows, which must not exist. */
export async function storeNew(db: Db, runs: readonly RunsTable[]): Promise<void> {
  const copy = spare.pop() ?? new CopyRows(COLUMNS.length);
  for (const run of runs) {
    copy.row();
    for (const [name, kind] of COLUMNS) put(copy, kind, run[name]);
  }
  await copyIn(db, 'runs', COLUMN_NAMES, copy.rows);
  copy.clear();
  spare.push(copy);
}

/** Stores a batch. Rows that already exist, as after a lost reply, are kept or ended. */
export async function store(db: Db, { begun, ended, lines }: RunBatch): Promise<void> {
  const parts: RawBuilder<unknown>[] = [];
  // Only a run in progress is ended: one that the sweep has ended stays ended.
  if (begun.length > 0)
    parts.push(sql`begun as (
      insert into runs (${namesOf(RUN)}) select ${namesOf(RUN)} from ${rows(RUN, begun)}
      on conflict (account_id, run_id) do update set ${setTo('excluded')}
        where runs.status = 'RUNNING' and excluded.status <> 'RUNNING')`);
  if (ended.length > 0) {
    const ids = ended.map(({ run_id }) => run_id).sort();
    // Limits the partitions to read, which the planner cannot derive from the join.
    parts.push(sql`ended as (
      update runs set ${setTo('r')} from ${rows({ ...KEY, ...END }, ended)}
      where runs.account_id = r.account_id and runs.run_id = r.run_id and runs.status = 'RUNNING'
        and runs.run_id >= ${ids[0] ?? ''} and runs.run_id <= ${ids.at(-1) ?? ''})`);
  }
  if (lines.length > 0)
    parts.push(sql`said as (
      insert into run_logs (${namesOf(LINE)}) select ${namesOf(LINE)} from ${rows(LINE, lines)}
      on conflict do nothing)`);
  if (parts.length > 0) await sql`${PREPARED} with ${sql.join(parts)} select 1`.execute(db);
}

/** Rows as a subquery named r. */
function rows<K extends string>(shape: Record<K, Kind>, of: readonly Record<K, unknown>[]): RawBuilder<unknown> {
  const names = Object.keys(shape) as K[];
  const arrays: RawBuilder<unknown>[] = [];
  for (const name of names) {
    const sent = SENT_AS[shape[name]];
    const column = new Column(OIDS[sent]);
    for (const row of of) put(column, sent, row[name]);
    arrays.push(sql`${column.array}::${sql.raw(sent)}[]`);
  }
  const shown = names.map((name) => (shape[name] === 'timestamptz' ? `${name}::timestamptz` : name));
  return sql`(select ${sql.raw(shown.join(', '))} from unnest(${sql.join(arrays)}) as given(${namesOf(shape)})) as r`;
}

const SENT_AS = {
  uuid: 'uuid',
  text: 'text',
  int4: 'int4',
  int8: 'int8',
  float4: 'float8',
  float8: 'float8',
  bool: 'bool',
  timestamptz: 'text',
} as const satisfies Record<Kind, keyof typeof OIDS>;

function put(values: Values, kind: Kind, value: unknown): void {
  if (kind === 'uuid') values.uuid(value as string | null);
  else if (kind === 'text') values.text(value as string | null);
  else if (kind === 'int4') values.int4(value as number | null);
  else if (kind === 'int8') values.int8(value as number);
  else if (kind === 'float4') values.float4(value as number | null);
  else if (kind === 'float8') values.float8(value as number | null);
  else if (kind === 'timestamptz') values.timestamptz(value as string | null);
  else values.bool(value as boolean);
}
