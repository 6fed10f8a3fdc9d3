/**
 * The search index: signatures of blocks of consecutive events of an account (signatures.ts). Blocks are written behind
 * intake, from events that are older than every open transaction, and are never changed. A search reads the signatures
 * of its grams and then only the events of groups that may match. Events without a block (the latest ones, and those of
 * earlier versions until they are indexed) are all read. Retention drops the blocks with their events.
 */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../../lib/ids.ts';
import type { Db, EventSearchBlocksTable, Tx } from '../../../platform/database/schema.ts';
import type { Probe } from './search-terms.ts';
import { BLOCK_EVENTS, BlockSignatures, GROUP_EVENTS, GROUPS, ROW_BYTES } from './signatures.ts';

/** Upper limit of the duration of a transaction that stores events, and of clock differences. */
const SETTLED_MS = 120_000;
/** The texts of a larger group are not indexed. */
const GROUP_MAX_BYTES = 256 * 1024;
/** The size of the texts that are read and indexed without a pause for other work. */
const PART_MAX_BYTES = 256 * 1024;
const PART_GROUPS = 4;
/** Blocks that one transaction writes. */
const BLOCKS_AT_ONCE = 4;
/** Before all events. */
export const BEFORE_ALL = firstIdAt(0);
/** "events" in ASCII, truncated to the size of a lock key. */
const LOCK_KEY = 0x6576656e74n;

/**
 * Writes the next block of each account that has enough events; returns whether there may be more. If several nodes run
 * it at once, all but one find nothing to do. `nowMs` defaults to the database's time.
 */
export async function indexNext(db: Db, nowMs?: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ ok: boolean; now_ms: number }>`
      select pg_try_advisory_xact_lock(${sql.lit(LOCK_KEY.toString())}::bigint) as ok,
        (extract(epoch from now()) * 1000)::float8 as now_ms`.execute(tx);
    const [lock] = locks;
    if (!lock?.ok) return false;
    await sql`set local statement_timeout = '120s'`.execute(tx);
    const ready = await readyBlocks(tx, Math.floor((nowMs ?? lock.now_ms) - SETTLED_MS));
    const blocks: EventSearchBlocksTable[] = [];
    for (const each of ready) blocks.push(...(await makeBlock(tx, each)));
    // Written last: lists with `since_id` wait for transactions that have begun to write.
    if (blocks.length > 0) await tx.insertInto('event_search_blocks').values(blocks).execute();
    return ready.length > 0;
  });
}

type Ready = { account_id: string; after_id: string; last_id: string };

async function readyBlocks(tx: Tx, settledMs: number): Promise<Ready[]> {
  const { rows } = await sql<Ready>`
    select a.account_id, coalesce(p.last_id, ${BEFORE_ALL}) as after_id, e.event_id as last_id from accounts a
    left join lateral (
      select b.last_id from event_search_blocks b where b.account_id = a.account_id order by b.last_id desc limit 1
    ) p on true
    cross join lateral (
      select e.event_id from events e
      where e.account_id = a.account_id and e.event_id > coalesce(p.last_id, ${BEFORE_ALL}) and e.event_id < ${firstIdAt(settledMs)}
      order by e.event_id offset ${sql.lit(BLOCK_EVENTS - 1)} limit 1
    ) e limit ${sql.lit(BLOCKS_AT_ONCE)}`.execute(tx);
  return rows;
}

type Group = { after: string; last: string; bytes: number };

/** The block, or none if retention has dropped its events meanwhile. */
async function makeBlock(tx: Tx, { account_id, after_id, last_id }: Ready): Promise<EventSearchBlocksTable[]> {
  const { rows } = await sql<{ event_id: string; bytes: number }>`
    select e.event_id, octet_length(e.payload) + coalesce(octet_length(r.request), 0) as bytes from events e
    left join event_requests r on r.account_id = e.account_id and r.event_id = e.event_id
      and r.event_id > ${after_id} and r.event_id <= ${last_id}
    where e.account_id = ${account_id} and e.event_id > ${after_id} and e.event_id <= ${last_id}
    order by e.event_id`.execute(tx);
  const groups: Group[] = [];
  for (let at = 0; at < rows.length; at += GROUP_EVENTS) {
    const events = rows.slice(at, at + GROUP_EVENTS);
    const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
    groups.push({ after: groups.at(-1)?.last ?? after_id, last: events.at(-1)?.event_id ?? last_id, bytes });
  }
  if (groups.length === 0 || groups.length > GROUPS) return [];
  const signatures = new BlockSignatures();
  for (let at = 0; at < groups.length; ) at = await addPart(tx, account_id, groups, at, signatures);
  const { bits, rows: bytes } = signatures.finish();
  return [{ account_id, last_id, after_id, bits, ids: groups.map(({ last }) => last), signatures: bytes }];
}

/** Adds some groups from `at` on; returns the next one. */
async function addPart(tx: Tx, account_id: string, groups: Group[], at: number, to: BlockSignatures): Promise<number> {
  const first = groups[at] as Group;
  if (first.bytes > GROUP_MAX_BYTES) {
    to.addWhole(at);
    return at + 1;
  }
  let end = at + 1;
  let { bytes } = first;
  while (end < groups.length && end - at < PART_GROUPS) {
    bytes += groups[end]?.bytes ?? 0;
    if (bytes > PART_MAX_BYTES) break;
    end += 1;
  }
  const { after, last } = { after: first.after, last: (groups[end - 1] as Group).last };
  const { rows } = await sql<{ event_id: string; payload: string; request: string | null }>`
    select e.event_id, e.payload, r.request from events e
    left join event_requests r on r.account_id = e.account_id and r.event_id = e.event_id
      and r.event_id > ${after} and r.event_id <= ${last}
    where e.account_id = ${account_id} and e.event_id > ${after} and e.event_id <= ${last}
    order by e.event_id`.execute(tx);
  let group = at;
  for (const { event_id, payload, request } of rows) {
    while (event_id > (groups[group] as Group).last) group += 1;
    to.add(group, payload);
    if (request !== null) to.add(group, request);
  }
  return end;
}

/** The ids after `after`, up to `last`. */
export type Span = { after: string; last: string };
/** A block with the groups that may match, newest first. */
export type Block = Span & { spans: Span[]; groups: number };

/** The blocks with ids before `before`, newest first. */
export async function blocksBefore(
  db: Db,
  account_id: string,
  probe: Probe,
  before: string | undefined,
  limit: number,
): Promise<Block[]> {
  const grams = [...new Set(probe.flat(2))];
  const of = sql`select b.account_id, b.last_id, b.after_id, b.bits, b.ids, b.signatures from event_search_blocks b
    where b.account_id = ${account_id}`;
  const inside: RawBuilder<unknown> = before
    ? sql`(select * from (${of} and b.last_id >= ${before} order by b.last_id limit 1) t where t.after_id < ${before}) union all`
    : sql``;
  const { rows } = await sql<{ last_id: string; after_id: string; ids: string[]; found: Buffer }>`
    select t.last_id, t.after_id, t.ids, (
      select string_agg(substring(t.signatures from ((g.hash >> (32 - t.bits)) * ${sql.lit(ROW_BYTES)} + 1)::int
        for ${sql.lit(ROW_BYTES)}), ''::bytea order by g.n)
      from unnest(${grams}::bigint[]) with ordinality g(hash, n)) as found
    from (${inside} (${of} and ${before ? sql`b.last_id < ${before}` : sql`true`} order by b.last_id desc limit ${limit})) t
    order by t.last_id desc`.execute(db);
  const indexOf = new Map(grams.map((gram, index) => [gram, index]));
  return rows.map(({ last_id, after_id, ids, found }) => {
    const mask = maskOf(probe, found, indexOf);
    const spans: Span[] = [];
    for (let group = ids.length - 1; group >= 0; group--)
      if ((mask[group >> 3] as number) & (1 << (group & 7)))
        spans.push({ after: ids[group - 1] ?? after_id, last: ids[group] as string });
    return { after: after_id, last: last_id, spans, groups: ids.length };
  });
}

/** One bit per group: whether it has, for each term, all grams of an alternative. */
function maskOf(probe: Probe, found: Buffer, indexOf: Map<number, number>): Uint8Array {
  const mask = new Uint8Array(ROW_BYTES).fill(255);
  for (const alternatives of probe) {
    const any = new Uint8Array(ROW_BYTES);
    for (const grams of alternatives) {
      const all = new Uint8Array(ROW_BYTES).fill(255);
      for (const gram of grams) {
        const from = (indexOf.get(gram) ?? 0) * ROW_BYTES;
        for (let i = 0; i < ROW_BYTES; i++) all[i] = (all[i] as number) & (found[from + i] as number);
      }
      for (let i = 0; i < ROW_BYTES; i++) any[i] = (any[i] as number) | (all[i] as number);
    }
    for (let i = 0; i < ROW_BYTES; i++) mask[i] = (mask[i] as number) & (any[i] as number);
  }
  return mask;
}
