/**
 * Reads the windows of a text search: from the blocks of the search index only the events that may match, and all
 * events that belong to no block.
 */
import { sql } from 'kysely';
import type { Db } from '../../../platform/database/schema.ts';
import { BEFORE_ALL, type Block, blocksBefore, type Span } from '../search/search-blocks.ts';
import { probeOf } from '../search/search-terms.ts';
import { GROUP_EVENTS } from '../search/signatures.ts';
import { isWalked } from './event-walk.ts';
import { type EventFilter, firstIdOf, matching, type Within } from './events.ts';

/** Reads the next window before `at`; `last` is undefined at the end. */
type ReadWindow<Row> = (
  at: string | undefined,
  size: number,
  wanted: number,
) => Promise<{ rows: Row[]; last: string | undefined }>;

/** Reads events within a window: whole rows, or only their ids. */
export type ReadRows<Row> = (
  db: Db,
  account_id: string,
  filter: EventFilter,
  page: { limit: number; before?: string | undefined },
  within: Within,
) => Promise<Row[]>;

/** Blocks whose signatures are read at once. */
const BLOCKS = 128;
/** Groups whose events are read at once, at least: their number is known, and a statement for few takes as long. */
const FEWEST_SPANS = 48;
/** If a larger part of the events may match, another condition of the filter selects them better. */
const MOST_CANDIDATES = 0.25;

/**
 * Reads windows of a search with the index; undefined if the index can't exclude any event. `plain` reads a window
 * without the index, and `read` the
 * events found.
 */
export function searchOf<Row>(
  db: Db,
  account_id: string,
  filter: EventFilter,
  { plain, read }: { plain: ReadWindow<Row>; read: ReadRows<Row> },
): ReadWindow<Row> | undefined {
  const probe = filter.q === undefined || filter.event_ids || filter.replay_of ? undefined : probeOf(filter.q);
  if (!probe) return undefined;
  const hasOtherIndex = isWalked(filter) || filter.trigger_id !== undefined;
  const first = firstIdOf(filter);
  let known: Block[] = [];
  return async (at, size, wanted) => {
    // The first window has the latest events, which belong to no block.
    if (at === undefined) return plain(at, size, wanted);
    const isLeft = ({ after }: Block) => idAfter(after) < at;
    known = known.filter(isLeft);
    if (known.length === 0) known = (await blocksBefore(db, account_id, probe, at, BLOCKS)).filter(isLeft);
    const [top] = known;
    if (!top || idAfter(top.last) < at) return plain(at, size, wanted);
    const blocks = known.slice(0, known.findIndex((block, i) => block.after !== known[i + 1]?.last) + 1);
    const groups = blocks.reduce((sum, block) => sum + block.groups, 0);
    const spans = blocks.flatMap((block) => block.spans).filter(({ after }) => idAfter(after) < at);
    if (hasOtherIndex && spans.length > groups * MOST_CANDIDATES) return plain(at, size, wanted);
    const some = spans.slice(0, Math.max(FEWEST_SPANS, Math.ceil(size / GROUP_EVENTS)));
    const rows = some.length > 0 ? await readSpans(db, account_id, filter, some, { before: at, wanted, read }) : [];
    const end = (some.length < spans.length ? some : blocks).at(-1)?.after ?? at;
    return { rows, last: end < (first ?? idAfter(BEFORE_ALL)) ? undefined : idAfter(end) };
  };
}

async function readSpans<Row>(
  db: Db,
  account_id: string,
  filter: EventFilter,
  spans: Span[],
  { before, wanted, read }: { before: string; wanted: number; read: ReadRows<Row> },
): Promise<Row[]> {
  const merged = spans.reduce<Span[]>((all, span) => {
    const above = all.at(-1);
    if (above?.after === span.last) above.after = span.after;
    else all.push({ ...span });
    return all;
  }, []);
  // Conditions on deliveries are evaluated for the events found: together, PostgreSQL could begin with the deliveries.
  const { q, trigger_id, source, received_after, received_before, since_id } = filter;
  const inEvents = { q, trigger_id, source, received_after, received_before, since_id };
  const { rows } = await sql<{ event_id: string }>`
    select found.event_id
    from unnest(${merged.map(({ after }) => after)}::uuid[], ${merged.map(({ last }) => last)}::uuid[]) s(after, last)
    cross join lateral (
      select e.event_id from events e
      join triggers t on t.account_id = e.account_id and t.trigger_id = e.trigger_id
      where e.account_id = ${account_id} and e.event_id > s.after and e.event_id <= s.last and e.event_id < ${before}
        and ${matching(inEvents)}
      offset 0) found
    order by found.event_id desc ${isWalked(filter) ? sql`` : sql`limit ${wanted}`}`.execute(db);
  const ids = rows.map(({ event_id }) => event_id);
  return ids.length > 0 ? read(db, account_id, { ...filter, q: undefined }, { limit: wanted }, { ids }) : [];
}

/** The smallest id after this one. */
function idAfter(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
