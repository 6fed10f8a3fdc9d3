import { sql } from 'kysely';
import type { AttemptsTable, Db } from '../../../platform/database/schema.ts';

export type AttemptRow = Omit<AttemptsTable, 'payload_at'>;

/** The last attempt, if any. */
export async function latest(
  db: Db,
  account_id: string,
  event_id: string,
  delivery_id: string,
): Promise<AttemptRow | undefined> {
  const row = await selectRows(db, account_id, event_id, delivery_id)
    .orderBy('a.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && whole(row);
}

/** Oldest first, after the attempt numbered `after` if given. */
export async function list(
  db: Db,
  account_id: string,
  event_id: string,
  delivery_id: string,
  page: { limit: number; after?: number | undefined },
): Promise<AttemptRow[]> {
  let query = selectRows(db, account_id, event_id, delivery_id);
  if (page.after !== undefined) query = query.where('a.number', '>', page.after);
  return (await query.orderBy('a.number').limit(page.limit).execute()).map(whole);
}

/**
 * What transformed the last attempt of a delivery, null for none, and whether a single replay asked to use it again.
 * Undefined without attempts.
 */
export async function lastTransform(
  db: Db,
  { account_id, event_id, delivery_id }: Pick<AttemptsTable, 'account_id' | 'event_id' | 'delivery_id'>,
): Promise<
  { transform_then: boolean; transformer: { function_id: string; version: number | null } | null } | undefined
> {
  const row = await db
    .selectFrom('attempts as a')
    .innerJoin('deliveries as d', (join) =>
      join
        .onRef('d.account_id', '=', 'a.account_id')
        .onRef('d.event_id', '=', 'a.event_id')
        .onRef('d.delivery_id', '=', 'a.delivery_id'),
    )
    .select(['a.transform_function_id as function_id', 'a.transform_version as version', 'd.transform_then'])
    .where('a.account_id', '=', account_id)
    .where('a.event_id', '=', event_id)
    .where('a.delivery_id', '=', delivery_id)
    .orderBy('a.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { function_id, version, transform_then } = row;
  return {
    transform_then: transform_then === true,
    transformer: function_id === null ? null : { function_id, version },
  };
}

const selectRows = (db: Db, account_id: string, event_id: string, delivery_id: string) =>
  db
    .selectFrom('attempts as a')
    .selectAll('a')
    .select(
      sql<string | null>`case when a.payload_at is not null then (select e.payload from events e
        where e.account_id = ${account_id} and e.event_id = ${event_id}) end`.as('payload'),
    )
    .where('a.account_id', '=', account_id)
    .where('a.event_id', '=', event_id)
    .where('a.delivery_id', '=', delivery_id);

type Stored = AttemptsTable & { payload: string | null };

function whole({ payload, payload_at, ...row }: Stored): AttemptRow {
  if (payload_at === null || row.request_body === null) return row;
  const before = row.request_body.slice(0, payload_at);
  return { ...row, request_body: before + payload + row.request_body.slice(payload_at) };
}

/** Shorter payloads are stored within the body. */
const WORTH_CHARS = 100;

/** A request in the shape of the API. Values of the destination's own headers are masked. */
export type ShownRequest = { method: string; url: string; headers: Record<string, string>; body: string | null };
type BodyColumns = Pick<AttemptsTable, 'request_body' | 'payload_at'>;
type RequestColumns = Pick<AttemptsTable, 'request_method' | 'request_url' | 'request_headers'> & BodyColumns;

export function requestColumns({ method, url, headers, body }: ShownRequest, payload: string): RequestColumns {
  const { request_body, payload_at } = storedBody(body, payload);
  return {
    request_method: method,
    request_url: url,
    request_headers: JSON.stringify(headers),
    request_body,
    payload_at,
  };
}

export const requestOf = (row: AttemptRow): ShownRequest => ({
  method: row.request_method,
  url: row.request_url,
  headers: JSON.parse(row.request_headers) as Record<string, string>,
  body: row.request_body,
});

/** The stored form of a body: the event's payload in it is stored once, with the event. */
export function storedBody(body: string | null, payload: string): BodyColumns {
  const at = body === null || payload.length < WORTH_CHARS ? -1 : body.indexOf(payload);
  if (body === null || at < 0) return { request_body: body, payload_at: null };
  return { request_body: body.slice(0, at) + body.slice(at + payload.length), payload_at: at };
}
