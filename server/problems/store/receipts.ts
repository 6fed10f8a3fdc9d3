/**
 * Receipts: what the attempts of a replay's deliveries say, as of a time. Attempts do not change, so the receipt of a
 * time is the same whenever it is read, as long as the attempts are stored.
 */
import { type RawBuilder, sql } from 'kysely';
import type { DeliveryReason, ReceiptOutcome } from '../../../contract/states.ts';
import type { Db, ReplaysTable, Tx } from '../../platform/database/schema.ts';

export async function replay(
  db: Db | Tx,
  account_id: string,
  problem_id: string,
  replay_id: string,
): Promise<ReplaysTable | undefined> {
  return db
    .selectFrom('replays')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .where('problem_id', '=', problem_id)
    .executeTakeFirst();
}

/** A replay whose receipt is read. `isFinal`: none of its deliveries is open, so their present status is not read. */
export type Asked = Pick<ReplaysTable, 'account_id' | 'replay_id' | 'status' | 'created_at'> & {
  asOf: string;
  isFinal: boolean;
};

export type LineRow = {
  event_id: string;
  trigger_id: string;
  delivery_id: string;
  destination_id: string;
  destination_name: string | null;
  outcome: ReceiptOutcome;
  successes: number;
  attempt: number | null;
  attempted_at: string | null;
  response_status: number | null;
  reason: DeliveryReason | null;
};

const ended = sql`a.started_at + a.duration_ms * interval '1 millisecond'`;

/** The deliveries of a replay, each with its attempts until then. `items` limits them. */
function lines(
  { account_id, replay_id, status, created_at, asOf, isFinal }: Asked,
  items: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const hasEnded = isFinal || (status !== 'RUNNING' && status !== 'PAUSED');
  return sql`
    select i.event_id, i.trigger_id, i.delivery_id, i.destination_id, d.destination_name, s.successes,
      p.number as attempt, p.started_at as attempted_at, p.response_status, p.reason,
      case
        when i.state = 'SKIPPED' and s.successes > 0 then 'ALREADY_DELIVERED' when i.state = 'SKIPPED' then 'NOT_SENT'
        when i.state = 'WAITING' and ${hasEnded} then 'NOT_SENT' when i.state = 'WAITING' then 'WAITING'
        when s.own_number is not null then 'DELIVERED'
        when i.after_status = 'CANCELED' then 'CANCELED' when i.after_status = 'SKIPPED' then 'NOT_SENT'
        when not ${isFinal} and d.status = 'RETRYING' then 'RETRYING'
        when not ${isFinal} and (i.state = 'SENT' or d.status = 'PENDING') then 'WAITING'
        when p.number is null then 'NOT_SENT' else 'FAILED'
      end as outcome
    from (select * from replay_items i where i.account_id = ${account_id} and i.replay_id = ${replay_id} ${items}) i
    left join lateral (
      select destination_name, status from deliveries d where d.account_id = i.account_id and d.event_id = i.event_id
        and d.delivery_id = i.delivery_id limit 1) d on true
    cross join lateral (
      select count(*) filter (where a.reason is null)::int as successes, max(a.number) as last_number,
        min(a.number) filter (where a.reason is null) as any_number,
        min(a.number) filter (where a.reason is null and ${ended} >= ${created_at}::timestamptz) as own_number
      from attempts a where a.account_id = i.account_id and a.event_id = i.event_id and a.delivery_id = i.delivery_id
        and ${ended} <= ${asOf}::timestamptz) s
    left join lateral (
      select a.number, a.started_at, a.response_status, a.reason from attempts a
      where a.account_id = i.account_id and a.event_id = i.event_id and a.delivery_id = i.delivery_id
        and a.number = coalesce(s.own_number, case when i.state = 'SKIPPED' then s.any_number end, s.last_number)
      limit 1) p on true`;
}

/** Lines in the order of events, after the key `after` if given. */
export async function page(
  db: Db,
  asked: Asked,
  { limit, after, outcome }: { limit: number; after?: string[] | undefined; outcome?: ReceiptOutcome | undefined },
): Promise<LineRow[]> {
  const from = after ? sql`and (i.event_id, i.delivery_id) > (${after[0]}::uuid, ${after[1]}::uuid)` : sql``;
  const few = sql`${from} order by i.event_id, i.delivery_id limit ${limit}`;
  const { rows } = outcome
    ? await sql<LineRow>`select * from (${lines(asked, from)}) l where outcome = ${outcome}
        order by event_id, delivery_id limit ${limit}`.execute(db)
    : await sql<LineRow>`select * from (${lines(asked, few)}) l order by event_id, delivery_id`.execute(db);
  return rows;
}

export type OutcomeCount = { outcome: ReceiptOutcome; count: number; twice: number };
export type FailingGroup = {
  destination_id: string;
  destination_name: string | null;
  reason: DeliveryReason | null;
  response_status: number | null;
  count: number;
  url: string | null;
  body: string | null;
  message: string | null;
};
const GROUPS = 20;
/** Characters of a response that are read; as many as cause/signature.ts compares. */
const READ_CHARS = 4096;

/** Counts the lines by outcome, and the failing ones by destination and response with one response of each. */
export async function count(db: Db | Tx, asked: Asked): Promise<{ outcomes: OutcomeCount[]; failing: FailingGroup[] }> {
  const { rows: groups } = await sql<
    OutcomeCount & Pick<FailingGroup, 'destination_id' | 'reason' | 'response_status'> & { sample: string }
  >`
    select outcome, count(*)::int as count, count(*) filter (where successes > 1)::int as twice,
      case when outcome in ('FAILED', 'RETRYING') then destination_id end as destination_id,
      case when outcome in ('FAILED', 'RETRYING') then reason end as reason,
      case when outcome in ('FAILED', 'RETRYING') then response_status end as response_status,
      min(event_id::text || ' ' || delivery_id::text || ' ' || attempt) as sample
    from (${lines(asked, sql``)}) l group by outcome, 4, 5, 6
  `.execute(db);
  const outcomes = new Map<ReceiptOutcome, OutcomeCount>();
  for (const { outcome, count, twice } of groups) {
    const before = outcomes.get(outcome) ?? { outcome, count: 0, twice: 0 };
    outcomes.set(outcome, { outcome, count: before.count + count, twice: before.twice + twice });
  }
  const failing = groups
    .filter(({ outcome }) => outcome === 'FAILED' || outcome === 'RETRYING')
    .toSorted((a, b) => b.count - a.count)
    .slice(0, GROUPS);
  return {
    outcomes: [...outcomes.values()],
    failing: await Promise.all(failing.map((each) => withSample(db, asked.account_id, each))),
  };
}

async function withSample(
  db: Db | Tx,
  account_id: string,
  { sample, ...group }: Omit<FailingGroup, 'destination_name' | 'url' | 'body' | 'message'> & { sample: string },
): Promise<FailingGroup> {
  const [event_id = '', delivery_id = '', number = ''] = sample.split(' ');
  const { rows } = await sql<Pick<FailingGroup, 'destination_name' | 'url' | 'body' | 'message'>>`
    select d.destination_name, a.request_url as url, left(a.response_body, ${READ_CHARS}) as body,
      left(a.error_message, ${READ_CHARS}) as message
    from attempts a left join deliveries d
      on d.account_id = a.account_id and d.event_id = a.event_id and d.delivery_id = a.delivery_id
    where a.account_id = ${account_id} and a.event_id = ${event_id}::uuid and a.delivery_id = ${delivery_id}::uuid
      and a.number = ${Number(number)}
  `.execute(db);
  const [found] = rows;
  const { destination_id, reason, response_status, count } = group;
  return {
    ...{ destination_id, reason, response_status, count },
    ...(found ?? { destination_name: null, url: null, body: null, message: null }),
  };
}

/** Ended replays of problems without a receipt, locked: those that other nodes do not look at. */
export async function lockDue(tx: Tx, limit: number): Promise<ReplaysTable[]> {
  const { rows } = await sql<ReplaysTable>`
    select * from replays r where problem_id is not null and receipt is null and finished_at is not null
      and not exists (select from replay_items i
        where i.account_id = r.account_id and i.replay_id = r.replay_id and i.state = 'SENT')
      and not exists (select from deliveries d
        where d.account_id = r.account_id and d.status in ('PENDING', 'RETRYING') and d.replay_id = r.replay_id)
    order by finished_at limit ${limit} for update of r skip locked
  `.execute(tx);
  return rows;
}

export async function store(tx: Tx, account_id: string, replay_id: string, receipt: string): Promise<void> {
  await tx
    .updateTable('replays')
    .set({ receipt, updated_at: sql<string>`now()` })
    .where('account_id', '=', account_id)
    .where('replay_id', '=', replay_id)
    .execute();
}

/** The time of the database, which attempts are compared with. */
export async function timeOf(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? '';
}

/** Whether a delivery that failed with the problem since then has not succeeded. */
export async function hasFailing(tx: Tx, account_id: string, problem_id: string, since: string): Promise<boolean> {
  const { rows } = await sql`
    select from problem_failures f
    join deliveries d on d.account_id = f.account_id and d.event_id = f.event_id and d.delivery_id = f.delivery_id
    where f.account_id = ${account_id} and f.problem_id = ${problem_id} and f.last_at >= ${since}::timestamptz
      and d.status in ('FAILED', 'RETRYING') limit 1`.execute(tx);
  return rows.length > 0;
}
