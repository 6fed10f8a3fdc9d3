/** Reads and writes groups of failures, many at a time, in the transaction of the reader. */
import { sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { AuditTable, Tx } from '../../platform/database/schema.ts';
import type {
  ProblemFailuresTable,
  ProblemHoursTable,
  ProblemPartsTable,
  ProblemsTable,
} from '../../platform/database/tables/problem-tables.ts';
import { IS_CHANGE } from './evidence.ts';

/** A problem that was just opened, and the ids of the resources that fail. */
export type Opened = { account_id: string; problem_id: string; fromMs: number; toMs: number; resource_ids: string[] };
export type Preceding = Pick<AuditTable, 'audit_id' | 'at' | 'operation' | 'actor_name' | 'resource_id'> & {
  problem_id: string;
};

/** The last audited change of these resources in the time before each problem. */
export async function precedingChanges(tx: Tx, opened: Opened[]): Promise<Preceding[]> {
  if (opened.length === 0) return [];
  const given = opened.map(({ fromMs, toMs, ...each }) => ({
    ...each,
    from_id: firstIdAt(fromMs),
    to_id: firstIdAt(toMs),
  }));
  const { rows } = await sql<Preceding>`
    select k.problem_id, a.* from json_to_recordset(${JSON.stringify(given)}::json)
      as k(account_id uuid, problem_id uuid, from_id uuid, to_id uuid, resource_ids json)
    cross join lateral (
      select audit_id, at, operation, actor_name, resource_id from audit
      where account_id = k.account_id and audit_id >= k.from_id and audit_id < k.to_id
        and resource_id in (select json_array_elements_text(k.resource_ids)) and ${IS_CHANGE}
      order by audit_id desc limit 1
    ) a
  `.execute(tx);
  return rows;
}

export type Key = { account_id: string; fingerprint: string };

/** The problems with these fingerprints, locked. */
export async function lockWith(tx: Tx, keys: Key[]): Promise<ProblemsTable[]> {
  const { rows } = await sql<ProblemsTable>`
    select p.* from problems p
    join json_to_recordset(${JSON.stringify(keys)}::json) as k(account_id uuid, fingerprint text)
      on p.account_id = k.account_id and p.fingerprint = k.fingerprint
    order by p.account_id, p.fingerprint for no key update of p
  `.execute(tx);
  return rows;
}

/** The number of problems of each base, and of those opened within the last hour in each account. */
export async function countsOf(tx: Tx, bases: { account_id: string; base: string }[]) {
  const { rows: byBase } = await sql<{ account_id: string; base: string; count: number }>`
    select p.account_id, p.base, count(*)::int as count from problems p
    join (select distinct account_id, base from json_to_recordset(${JSON.stringify(bases)}::json)
      as k(account_id uuid, base text)) k on p.account_id = k.account_id and p.base = k.base
    where not p.is_base group by 1, 2
  `.execute(tx);
  const accounts = [...new Set(bases.map(({ account_id }) => account_id))];
  const { rows: byAccount } = await sql<{ account_id: string; count: number }>`
    select account_id, count(*)::int as count from problems
    where account_id = any(${accounts}::uuid[]) and first_seen_at > now() - interval '1 hour' group by 1
  `.execute(tx);
  return { byBase, byAccount };
}

export async function insert(tx: Tx, problems: ProblemsTable[]): Promise<void> {
  for (const some of inSteps(problems)) await tx.insertInto('problems').values(some).execute();
}

const CHANGING = sql.raw(
  `state, state_by, state_note, state_at, ignored_until, ignored_above, resolved_as, first_seen_at, last_seen_at, opened_at,
   regressed_at, regressions, last_version, failures, counts, check_at, preceded_by`,
);

/** Stores the changed columns of locked problems. */
export async function update(tx: Tx, problems: ProblemsTable[]): Promise<void> {
  if (problems.length === 0) return;
  await sql`
    update problems p set (${CHANGING}) = (select ${CHANGING} from (select n.*) as own)
    from json_populate_recordset(null::problems, ${JSON.stringify(problems)}::json) n
    where p.account_id = n.account_id and p.problem_id = n.problem_id
  `.execute(tx);
}

export type Member = ProblemFailuresTable;
export type Added = Pick<Member, 'problem_id' | 'kind'>;

/** Adds failures to problems; returns those of rows that had not failed with the problem before. */
export async function addMembers(tx: Tx, members: Member[]): Promise<Added[]> {
  if (members.length === 0) return [];
  const { rows } = await sql<Added & { is_new: boolean }>`
    insert into problem_failures as f
    select * from json_populate_recordset(null::problem_failures, ${JSON.stringify(members)}::json)
    order by account_id, problem_id, subject_id
    on conflict (account_id, problem_id, subject_id) do update set
      failures = f.failures + excluded.failures, last_at = greatest(f.last_at, excluded.last_at),
      run_id = excluded.run_id, version = excluded.version, call_id = excluded.call_id
    returning problem_id, kind, xmax = 0 as is_new
  `.execute(tx);
  return rows.filter(({ is_new }) => is_new);
}

export async function addHours(tx: Tx, hours: ProblemHoursTable[]): Promise<void> {
  if (hours.length === 0) return;
  await sql`
    insert into problem_hours as h
    select * from json_populate_recordset(null::problem_hours, ${JSON.stringify(hours)}::json)
    order by account_id, problem_id, at_ms
    on conflict (account_id, problem_id, at_ms) do update set failures = h.failures + excluded.failures
  `.execute(tx);
}

export async function addParts(tx: Tx, parts: ProblemPartsTable[]): Promise<void> {
  if (parts.length === 0) return;
  await sql`
    insert into problem_parts as p
    select * from json_populate_recordset(null::problem_parts, ${JSON.stringify(parts)}::json)
    order by account_id, problem_id, kind, resource_id
    on conflict (account_id, problem_id, kind, resource_id) do update set
      failures = p.failures + excluded.failures, last_at = greatest(p.last_at, excluded.last_at), name = excluded.name
  `.execute(tx);
}

/** Which of these were counted before: with this time, or a later one. */
export async function countedBefore(tx: Tx, rows: (Key & { subject_id: string; at: string })[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const { rows: known } = await sql<{ account_id: string; subject_id: string }>`
    select f.account_id, f.subject_id
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as k(account_id uuid, fingerprint text, subject_id uuid, at timestamptz)
    join problems p on p.account_id = k.account_id and p.fingerprint = k.fingerprint
    join problem_failures f on f.account_id = p.account_id and f.problem_id = p.problem_id
      and f.subject_id = k.subject_id and f.last_at >= k.at
  `.execute(tx);
  return new Set(known.map(({ account_id, subject_id }) => `${account_id} ${subject_id}`));
}

/** Below the number of parameters that a statement may have. */
const STEP = 500;
const inSteps = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / STEP) }, (_, n) => rows.slice(n * STEP, (n + 1) * STEP));
