/**
 * Exports of events: the rows of a list, newest first, as a file. A page is read when the client has accepted the one
 * before it, from the event where that one ended. So no transaction stays open between pages, and a slow client holds
 * one page in memory. Payloads that are too large for a page are read one by one.
 *
 * Events received meanwhile are newer than the first page and not exported. An event is exported at most once; whether
 * it matches a filter on deliveries is decided when its page is read.
 */

import type { Input } from '../../../contract/operations.ts';
import type { ExportFormat, ExportStatus } from '../../../contract/states.ts';
import { csvErrorOf } from '../../lib/bodies/csv.ts';
import { now } from '../../lib/clock.ts';
import type { FileFeed } from '../../lib/feed.ts';
import type { Ctx } from '../../platform/context.ts';
import * as eventPages from '../store/events/event-pages.ts';
import * as eventStore from '../store/events/events.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import { withOutcomes } from './event-shapes.ts';
import { filterOf } from './events.ts';
import { csvHead, csvOf, type ExportRow, ndjsonErrorOf, ndjsonOf } from './export-formats.ts';

const PAGE_EVENTS = { first: 20, least: 5, most: 200 };
/** The wanted size of the payloads of a page, which decides the number of events in the next one. */
const PAGE_CHARS = 1024 * 1024;
const PART_CHARS = 64 * 1024;

type Writer = {
  type: string;
  head: string;
  row: (row: ExportRow) => Iterable<string>;
  errorText: (body: unknown) => string;
};

const WRITERS: Record<ExportFormat, Writer> = {
  ndjson: { type: 'application/x-ndjson', head: '', row: ndjsonOf, errorText: ndjsonErrorOf },
  csv: { type: 'text/csv; charset=utf-8', head: csvHead, row: csvOf, errorText: csvErrorOf },
};

/** All events that match the filters of the list, as a file of lines. */
export async function open(
  ctx: Ctx,
  { query }: Input<'eventExport'>,
  { signal }: { signal: AbortSignal },
): Promise<FileFeed> {
  const { format, export_id, ids: event_ids, ...filters } = query;
  const { type, head, row, errorText } = WRITERS[format];
  const filter = { ...filterOf(filters), event_ids };
  const pages = pagesOf(ctx, filter, signal);
  const progress = export_id === undefined ? undefined : progressOf(ctx, export_id, filter, signal);
  // Before the response begins, so that its errors are ordinary responses.
  const first = await pages.next();
  async function* parts() {
    if (head !== '') yield head;
    try {
      for (let page = first; !page.done; page = await pages.next()) {
        yield* partsOf(ctx, page.value, row);
        progress?.add(page.value.length);
      }
      progress?.end('COMPLETED');
    } finally {
      progress?.end('STOPPED');
    }
  }
  return { name: `events-${now().slice(0, 16).replace(/\D/g, '')}.${format}`, type, parts: parts(), errorText };
}

/** How often progress is reported, and up to where the total is counted. */
const PROGRESS_MS = 1_000;
const TOTAL = { max: 100_000, budgetMs: 300 };

/** Reports the progress of an export to open consoles. The total is counted beside it, if that is cheap. */
function progressOf(ctx: Ctx, export_id: string, filter: eventStore.EventFilter, signal: AbortSignal) {
  let events = 0;
  let total: number | null = null;
  let reportedMs = performance.now();
  let ended = false;
  const report = (status: ExportStatus) => {
    reportedMs = performance.now();
    ctx.changed(ctx.account_id, { noun: 'export', export_id, status, events, total });
  };
  const end = (status: ExportStatus) => {
    if (ended) return;
    ended = true;
    // A complete export has read them all, even if counting them takes longer.
    if (status === 'COMPLETED') total = events;
    report(status);
  };
  report('RUNNING');
  signal.addEventListener('abort', () => end('STOPPED'));
  void eventPages.count(ctx.db, ctx.account_id, filter, TOTAL).then(
    ({ count, at_least }) => {
      total = at_least ? null : count;
    },
    () => undefined,
  );
  return {
    add(count: number) {
      events += count;
      if (performance.now() - reportedMs >= PROGRESS_MS) report('RUNNING');
    },
    end,
  };
}

/** The payload is null if it is too large for a page. */
type Page = (Omit<ExportRow, 'payload'> & { payload: string | null })[];

async function* pagesOf(ctx: Ctx, filter: eventStore.EventFilter, signal: AbortSignal): AsyncGenerator<Page, void> {
  let limit = PAGE_EVENTS.first;
  let before: string | undefined;
  do {
    signal.throwIfAborted();
    const { rows, next } = await eventPages.page(ctx.db, ctx.account_id, filter, { limit, before });
    const ids = rows.map(({ event_id }) => event_id);
    const [described, errors] = await Promise.all([
      withOutcomes(ctx, rows),
      deliveryStore.lastErrorsOf(ctx.db, ctx.account_id, ids),
    ]);
    yield described.map((row) => ({
      ...row,
      outcomes: row.outcomes.map((each) => ({ ...each, last_error_message: errors.get(each.delivery_id) ?? null })),
    }));
    if (rows.length > 0) limit = nextLimit(rows, limit);
    before = next ?? undefined;
  } while (before !== undefined);
}

function nextLimit(rows: { payload: string | null }[], limit: number): number {
  const chars = rows.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
  const fits = Math.floor((PAGE_CHARS * rows.length) / chars);
  return Math.max(PAGE_EVENTS.least, Math.min(fits, limit * 2, PAGE_EVENTS.most));
}

async function* partsOf({ db, account_id }: Ctx, rows: Page, write: Writer['row']): AsyncGenerator<string> {
  let text = '';
  for (const row of rows) {
    const payload = row.payload ?? (await eventStore.find(db, account_id, row.trigger_id, row.event_id))?.payload;
    // Deleted meanwhile.
    if (payload === undefined) continue;
    for (const each of write({ ...row, payload })) {
      text += each;
      if (text.length < PART_CHARS) continue;
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}
