/** Reads new failures in the order in which they were stored. Names and links are read with them. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/schema.ts';
import type { Position } from './reader.ts';

export type Span = { after: Position | undefined; upto: string; limit: number };
type Read = { xid: string; account_id: string; at: string };

/** Characters that are read of a text; as many as cause/signature.ts compares. */
const READ_CHARS = 4_096;

/** The last call of a run, if it failed. */
type RunCall = {
  call_id: string | null;
  connection_id: string | null;
  connection_name: string | null;
  app: string | null;
  call_method: string | null;
  call_path: string | null;
  call_status: number | null;
  call_error: string | null;
};
export type FailedAttempt = Read &
  RunCall & {
    event_id: string;
    delivery_id: string;
    number: number;
    trigger_id: string;
    destination_id: string;
    destination_name: string;
    url: string;
    reason: string;
    status: number | null;
    body: string | null;
    message: string | null;
    run_id: string | null;
    function_id: string | null;
    function_name: string | null;
    version: number | null;
    run_status: string | null;
    run_error: string | null;
  };
export type FailedRun = Read &
  RunCall & {
    run_id: string;
    function_id: string;
    function_name: string | null;
    version: number;
    status: 'ERROR' | 'TIMEOUT';
    error: string | null;
    caller: string | null;
    trigger_id: string | null;
    event_id: string | null;
    delivery_id: string | null;
  };
export type FailedCall = Read & {
  call_id: string;
  connection_id: string;
  connection_name: string | null;
  app: string;
  method: string;
  path: string;
  status: number | null;
  error: string | null;
  run_id: string | null;
};
export type Rejected = Read & {
  rejection_id: string;
  trigger_id: string;
  trigger_name: string | null;
  cause: string;
  message: string;
};

/** Statuses that make a run fail, rather than answer a question of it. */
const CAUSING = sql`(c.status is null or c.status in (401, 402, 403, 407, 429) or c.status >= 500)`;
const left = (column: string) => sql`left(${sql.ref(column)}, ${READ_CHARS})`;
const end = sql`interval '1 millisecond'`;

/** Limits of the rows, on the index of failures. */
function within(key: string[], types: string[], { after, upto }: Span): RawBuilder<unknown> {
  if (!after) return sql`x.xid is not null and x.xid < ${upto}::text::xid8`;
  const columns = sql.join(key.map((name) => sql.ref(`x.${name}`)));
  const values = sql.join(after.key.map((value, at) => sql`${value}::${sql.raw(types[at] ?? 'uuid')}`));
  return sql`x.xid >= ${after.xid}::text::xid8 and x.xid < ${upto}::text::xid8
    and (x.xid, ${columns}) > (${after.xid}::text::xid8, ${values})`;
}

/** Each row is looked up by its key: a join would be planned for all rows of the tables. */
const callOfRun = sql`left join lateral (
    select * from (
      select call_id, connection_id, app, method, path, status, error from gateway_calls
      where account_id = n.account_id and run_id = n.run_id and call_id >= n.run_id order by call_id desc limit 1
    ) c where ${CAUSING}
  ) c on n.run_id is not null
  left join lateral (
    select name from connections o where o.account_id = n.account_id and o.connection_id = c.connection_id limit 1
  ) o on true`;
const callColumns = sql`c.call_id, c.connection_id, o.name as connection_name, c.app, c.method as call_method,
  c.path as call_path, c.status as call_status, c.error as call_error`;

export async function attempts(tx: Tx, span: Span): Promise<FailedAttempt[]> {
  const { rows } = await sql<FailedAttempt>`
    with n as materialized (
      select x.xid, x.account_id, x.event_id, x.delivery_id, x.number, x.started_at + x.duration_ms * ${end} as at,
        x.reason, x.response_status as status, ${left('x.response_body')} as body, ${left('x.error_message')} as message,
        case when x.reason = 'TRANSFORM_ERROR' then x.transform_run_id else x.run_id end as run_id,
        case when x.reason = 'TRANSFORM_ERROR' then x.transform_function_id else x.function_id end as function_id
      from attempts x where ${within(['event_id', 'delivery_id', 'number'], ['uuid', 'uuid', 'int'], span)}
        and x.reason is not null
      order by x.xid, x.event_id, x.delivery_id, x.number limit ${span.limit}
    )
    select n.xid::text as xid, n.account_id, n.event_id, n.delivery_id, n.number, n.at, n.reason, n.status, n.body, n.message,
      n.run_id, n.function_id, d.trigger_id, d.destination_id, d.destination_name, d.destination_url as url,
      f.name as function_name, r.version, r.status as run_status, r.error as run_error, ${callColumns}
    from n
    cross join lateral (
      select trigger_id, destination_id, destination_name, destination_url from deliveries d
      where d.account_id = n.account_id and d.event_id = n.event_id and d.delivery_id = n.delivery_id limit 1
    ) d
    left join lateral (
      select version, status, left(error, 65536) as error from runs r
      where r.account_id = n.account_id and r.run_id = n.run_id limit 1
    ) r on n.run_id is not null
    left join lateral (
      select name from functions f where f.account_id = n.account_id and f.function_id = n.function_id limit 1
    ) f on n.function_id is not null
    ${callOfRun}
    order by n.xid, n.event_id, n.delivery_id, n.number
  `.execute(tx);
  return rows;
}

export async function runs(tx: Tx, span: Span): Promise<FailedRun[]> {
  const { rows } = await sql<FailedRun>`
    with n as materialized (
      select x.xid, x.account_id, x.run_id, coalesce(x.ended_at, x.created_at) as at, x.function_id, x.version, x.status,
        left(x.error, 65536) as error, x.caller, x.trigger_id, x.event_id, x.delivery_id
      from runs x where ${within(['run_id'], ['uuid'], span)} and x.status in ('ERROR', 'TIMEOUT')
      order by x.xid, x.run_id limit ${span.limit}
    )
    select n.xid::text as xid, n.account_id, n.run_id, n.at, n.function_id, n.version, n.status, n.error, n.caller,
      n.trigger_id, n.event_id, n.delivery_id, f.name as function_name, ${callColumns}
    from n
    left join lateral (
      select name from functions f where f.account_id = n.account_id and f.function_id = n.function_id limit 1
    ) f on true
    ${callOfRun}
    order by n.xid, n.run_id
  `.execute(tx);
  return rows;
}

export async function calls(tx: Tx, span: Span): Promise<FailedCall[]> {
  const { rows } = await sql<FailedCall>`
    with n as materialized (
      select x.xid, x.account_id, x.call_id, x.connection_id, x.run_id, x.app, x.method, ${left('x.path')} as path,
        x.status, ${left('x.error')} as error
      from gateway_calls x where ${within(['call_id'], ['uuid'], span)} and (x.status is null or x.status >= 400)
      order by x.xid, x.call_id limit ${span.limit}
    )
    select n.*, n.xid::text as xid, o.name as connection_name from n
    left join lateral (
      select name from connections o where o.account_id = n.account_id and o.connection_id = n.connection_id limit 1
    ) o on true
    order by n.xid, n.call_id
  `.execute(tx);
  return rows;
}

export async function rejections(tx: Tx, span: Span): Promise<Rejected[]> {
  const { rows } = await sql<Rejected>`
    with n as materialized (
      select x.xid, x.account_id, x.rejection_id, x.trigger_id, x.cause, ${left('x.message')} as message
      from rejections x where ${within(['rejection_id'], ['uuid'], span)}
      order by x.xid, x.rejection_id limit ${span.limit}
    )
    select n.*, n.xid::text as xid, t.name as trigger_name from n
    left join lateral (
      select name from triggers t where t.account_id = n.account_id and t.trigger_id = n.trigger_id limit 1
    ) t on true
    order by n.xid, n.rejection_id
  `.execute(tx);
  return rows;
}

export type FailingConnection = {
  account_id: string;
  connection_id: string;
  name: string | null;
  app: string;
  is_final: boolean;
  message: string | null;
  since: string;
};
/** Codes of a connection that failed after it had worked. */
const CREDENTIALS = ['REFRESH_REJECTED', 'REVOKED', 'INVALID_CREDENTIALS', 'REFRESH_EXHAUSTED'];

/** Connections whose tokens cannot be renewed, since then. */
export async function failingConnections(tx: Tx, since: string): Promise<FailingConnection[]> {
  const { rows } = await sql<FailingConnection>`
    select * from (
      select account_id, connection_id, name, app,
        status = 'FAILED' and failure::json ->> 'code' <> 'REFRESH_EXHAUSTED' as is_final,
        left(failure::json ->> 'message', ${READ_CHARS}) as message,
        case when status = 'FAILED' then coalesce((failure::json ->> 'since')::timestamptz, last_updated_time)
          else refresh_failing_since end as since
      from connections
      where (status = 'FAILED' or refresh_failing_since is not null)
        and (status <> 'FAILED' or failure::json ->> 'code' = any(${CREDENTIALS}::text[]))
    ) c where since >= ${since}::timestamptz limit 10000
  `.execute(tx);
  return rows;
}

export type FailingTrigger = {
  account_id: string;
  trigger_id: string;
  name: string;
  kind: 'SCHEDULE' | 'POLL';
  since: string;
};

/** Schedules that missed times, and sources that cannot be polled, since then. */
export async function failingTriggers(tx: Tx, since: string): Promise<FailingTrigger[]> {
  const { rows } = await sql<FailingTrigger>`
    (select account_id, trigger_id, name, 'SCHEDULE' as kind, missed_at as since from triggers
      where missed_at >= ${since}::timestamptz and missed is not null limit 10000)
    union all
    (select account_id, trigger_id, name, 'POLL', failing_since from triggers
      where failing_since >= ${since}::timestamptz limit 10000)
  `.execute(tx);
  return rows;
}
