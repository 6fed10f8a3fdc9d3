/** The data that the code index reads: functions of all accounts, and the log of their changes. */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import { PREPARED } from '../../platform/database/prepared.ts';
import type { Db, Tx } from '../../platform/database/schema.ts';
import type { FunctionsTable } from '../../platform/database/tables/function-tables.ts';

/** A stored function. `versions` are in ascending order, with the hashes of their bundles. */
export type IndexedFunction = Pick<
  FunctionsTable,
  | 'function_id'
  | 'account_id'
  | 'name'
  | 'description'
  | 'runtime'
  | 'visibility'
  | 'version'
  | 'star_count'
  | 'updated_at'
> & {
  /**
   * `is_public`: whether other accounts may read the version while the function is PUBLIC. `created_ms`: since the epoch.
   */
  versions: [version: number, code_sha256: string, is_public?: boolean, created_ms?: number][];
};
export type FunctionKey = { account_id: string; function_id: string };
/** A changed function, with the mark of its latest change. */
export type Changes = { position: string; changed: (FunctionKey & { mark: string })[] };
export type FunctionSource = {
  page(after: FunctionKey | undefined, limit: number): Promise<IndexedFunction[]>;
  withKeys(keys: FunctionKey[]): Promise<IndexedFunction[]>;
  /** Changes since a position; without one, only the current position of the log. */
  changes(since: string | undefined): Promise<Changes>;
  /** The number of recent runs by function. */
  runs(): Promise<Map<string, number>>;
};

const RECENT_RUNS_MS = 86_400_000;

/** Logs that a function was created, changed or removed, in the same transaction. */
export async function noteChange(tx: Tx, account_id: string, function_id: string): Promise<void> {
  await sql`
    insert into function_changes (account_id, function_id, xid) values (${account_id}, ${function_id}, pg_current_xact_id())
    on conflict (account_id, function_id) do update set xid = excluded.xid
  `.execute(tx);
}

export function functionSource(db: Db): FunctionSource {
  return {
    // Versions are stored in the same order: reading them in sequence costs a third of a lookup per function.
    async page(after, limit) {
      const begin = after
        ? sql`(f.account_id, f.function_id) > (${after.account_id}, ${after.function_id})`
        : sql`true`;
      const { rows } = await sql<Omit<IndexedFunction, 'versions'>>`
        select ${alone} from functions f where ${begin} order by f.account_id, f.function_id limit ${limit}
      `.execute(db);
      const last = rows.at(-1);
      if (!last) return [];
      const { rows: versions } = await sql<{
        function_id: string;
        version: number;
        code_sha256: string;
        is_public: boolean;
        created_ms: number;
      }>`
        select f.function_id, f.version, f.code_sha256, f.is_public, ${msOf(sql`f.created_at`)} as created_ms
        from function_versions f
        where ${begin} and (f.account_id, f.function_id) <= (${last.account_id}, ${last.function_id})
        order by f.account_id, f.function_id, f.version
      `.execute(db);
      const pages = rows.map((row): IndexedFunction => ({ ...row, versions: [] }));
      const byId = new Map(pages.map((row) => [row.function_id, row]));
      // Functions created or removed between the two queries are in the change log too.
      for (const each of versions)
        byId.get(each.function_id)?.versions.push([each.version, each.code_sha256, each.is_public, each.created_ms]);
      return pages;
    },

    async withKeys(keys) {
      const { rows } = await sql<IndexedFunction>`
        select ${indexed}
        from unnest(${keys.map((key) => key.account_id)}::uuid[], ${keys.map((key) => key.function_id)}::uuid[])
          as asked (account_id, function_id)
        join functions f using (account_id, function_id)
      `.execute(db);
      return rows;
    },

    // Every search waits for this query. Usually nothing has changed, and no other query follows.
    async changes(since) {
      const { rows } = await sql<{ position: string; last: string | null }>`${PREPARED}
        select pg_snapshot_xmin(pg_current_snapshot())::text as position,
          (select xid::text from function_changes order by function_changes.xid desc limit 1) as last
      `.execute(db);
      const { position = '0', last = null } = rows[0] ?? {};
      const isResumed = since !== undefined && last !== null && BigInt(last) >= BigInt(since);
      return isResumed ? changesFrom(db, since) : { position, changed: [] };
    },

    async runs() {
      const { rows } = await sql<{ function_id: string; runs: number }>`
        select function_id, count(*) as runs from runs where run_id >= ${firstIdAt(Date.now() - RECENT_RUNS_MS)}
        group by function_id
      `.execute(db);
      return new Map(rows.map(({ function_id, runs }) => [function_id, runs]));
    },
  };
}

/** A transaction may commit after a later one: changes from the oldest transaction that was open are read again. */
async function changesFrom(db: Db, since: string): Promise<Changes> {
  const { rows } = await sql<{ position: string; account_id: string | null; function_id: string; mark: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position, c.account_id, c.function_id, c.xid::text as mark
    from (select) as one left join function_changes c on c.xid >= ${since}::text::xid8
  `.execute(db);
  const changed = rows.flatMap(({ account_id, function_id, mark }) =>
    account_id === null ? [] : [{ account_id, function_id, mark }],
  );
  return { position: rows[0]?.position ?? since, changed };
}

/** A time in milliseconds, as a number that JavaScript reads. */
function msOf(column: RawBuilder<unknown>) {
  return sql`(extract(epoch from ${column}) * 1000)::float8`;
}

const alone = sql`f.function_id, f.account_id, f.name, f.description, f.runtime, f.visibility, f.version, f.star_count, f.updated_at`;
const indexed = sql`${alone},
  (select json_agg(json_build_array(v.version, v.code_sha256, v.is_public, ${msOf(sql`v.created_at`)}) order by v.version) from function_versions v
    where v.account_id = f.account_id and v.function_id = f.function_id) as versions`;
