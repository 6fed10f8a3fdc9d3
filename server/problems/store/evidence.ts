/** What the page of a problem shows of its failures: samples, events to compare, and changes before it. */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import type { AuditTable, Db } from '../../platform/database/schema.ts';
import type { ProblemFailuresTable } from '../../platform/database/tables/problem-tables.ts';

const TEXT_CHARS = 16_384;
const cutTo = (column: string): RawBuilder<unknown> => sql`left(${sql.ref(column)}, ${TEXT_CHARS})`;

/** Some failures of each kind, the newest ones. */
export async function newestOfEachKind(
  db: Db,
  account_id: string,
  problem_id: string,
  limit: number,
): Promise<ProblemFailuresTable[]> {
  const { rows } = await sql<ProblemFailuresTable>`
    select f.* from (select unnest(array['DELIVERY', 'RUN', 'CALL', 'RENEWAL', 'REJECTION', 'SCHEDULE', 'POLL']) as kind) k
    cross join lateral (
      select * from problem_failures
      where account_id = ${account_id} and problem_id = ${problem_id} and kind = k.kind
      order by subject_id desc limit ${limit}
    ) f
  `.execute(db);
  return rows;
}

export type RunSample = {
  version: number;
  method: string;
  path: string;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
};

export async function run(db: Db, account_id: string, run_id: string): Promise<RunSample | undefined> {
  const { rows } = await sql<RunSample>`
    select version, method, path, response_status, ${cutTo('response_body')} as response_body, error from runs
    where account_id = ${account_id} and run_id = ${run_id}
  `.execute(db);
  return rows[0];
}

export type CallSample = { app: string; method: string; path: string; status: number | null; error: string | null };

export async function call(db: Db, account_id: string, call_id: string): Promise<CallSample | undefined> {
  const { rows } = await sql<CallSample>`
    select app, method, ${cutTo('path')} as path, status, ${cutTo('error')} as error from gateway_calls
    where account_id = ${account_id} and call_id = ${call_id}
  `.execute(db);
  return rows[0];
}

export type RejectionSample = { cause: string; message: string; method: string; headers: string; body: string | null };

export async function rejection(
  db: Db,
  account_id: string,
  rejection_id: string,
): Promise<RejectionSample | undefined> {
  const { rows } = await sql<RejectionSample>`
    select cause, ${cutTo('message')} as message, method, headers, ${cutTo('body')} as body from rejections
    where account_id = ${account_id} and rejection_id = ${rejection_id}
  `.execute(db);
  return rows[0];
}

/** Larger payloads are not compared. */
const PAYLOAD_CHARS = 65_536;

/** Payloads of failed events, the newest first. */
export async function failedPayloads(db: Db, account_id: string, problem_id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ payload: string }>`
    select e.payload from (
      select distinct event_id from (
        select event_id from problem_failures
        where account_id = ${account_id} and problem_id = ${problem_id} and event_id is not null
        order by subject_id desc limit ${limit * 4}
      ) f limit ${limit}
    ) f
    cross join lateral (
      select payload from events e where e.account_id = ${account_id} and e.event_id = f.event_id
        and length(payload) <= ${PAYLOAD_CHARS} limit 1
    ) e
  `.execute(db);
  return rows.map(({ payload }) => payload);
}

/** Payloads of events that succeeded at the same destinations, the newest first. */
export async function succeededPayloads(
  db: Db,
  account_id: string,
  problem_id: string,
  destination_ids: string[],
  limit: number,
): Promise<string[]> {
  if (destination_ids.length === 0) return [];
  const { rows } = await sql<{ payload: string }>`
    select e.payload from unnest(${destination_ids}::uuid[]) as i(id)
    cross join lateral (
      select event_id from (
        select event_id, delivery_id, status from deliveries
        where account_id = ${account_id} and destination_id = i.id order by event_id desc limit 2000
      ) d where status = 'SUCCEEDED' and not exists (
        select from problem_failures f
        where f.account_id = ${account_id} and f.problem_id = ${problem_id} and f.subject_id = d.delivery_id)
      limit ${limit}
    ) d
    cross join lateral (
      select payload from events e where e.account_id = ${account_id} and e.event_id = d.event_id
        and length(payload) <= ${PAYLOAD_CHARS} limit 1
    ) e
    limit ${limit}
  `.execute(db);
  return rows.map(({ payload }) => payload);
}

/** Audited operations that send requests and change nothing. */
const NO_CHANGES = [
  'triggerTest',
  'destinationTest',
  'destinationDoctor',
  'functionInvoke',
  'runBisect',
  'connectionTest',
  'connectionRequest',
  'connectionToolCall',
];

/** The audited entries that change something a problem may be caused by. */
export const IS_CHANGE = sql`outcome = 'SUCCEEDED' and operation not like 'session%' and operation not like 'problem%'
  and operation <> all(${NO_CHANGES}::text[])`;

/** Audited changes in this time, those of these resources first. */
export async function changesBetween(
  db: Db,
  account_id: string,
  { fromMs, toMs, resource_ids, limit }: { fromMs: number; toMs: number; resource_ids: string[]; limit: number },
): Promise<(AuditTable & { is_related: boolean })[]> {
  const { rows } = await sql<AuditTable & { is_related: boolean }>`
    select * from (
      select *, coalesce(resource_id = any(${resource_ids}::text[]), false) as is_related from audit
      where account_id = ${account_id} and audit_id >= ${firstIdAt(fromMs)}::uuid and audit_id < ${firstIdAt(toMs)}::uuid
        and ${IS_CHANGE}
      order by is_related desc, audit_id desc limit ${limit}
    ) a order by audit_id desc
  `.execute(db);
  return rows;
}
