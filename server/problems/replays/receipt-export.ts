/** The lines of a receipt as a file. A page is read when the client has accepted the one before it. */
import type { Input, Reply } from '../../../contract/operations.ts';
import type { ExportFormat } from '../../../contract/states.ts';
import { csvErrorOf, csvLine } from '../../lib/bodies/csv.ts';
import type { FileFeed } from '../../lib/feed.ts';
import type { Ctx } from '../../platform/context.ts';
import * as store from '../store/receipts.ts';
import { askedOf, find } from './receipts.ts';

type Line = Reply<'receiptExport'>;
type Writer = { type: string; head: string; row: (line: Line) => string; errorText: (body: unknown) => string };

const COLUMNS = [
  'event_id',
  'trigger_id',
  'delivery_id',
  'destination_id',
  'destination_name',
  'outcome',
  'successes',
  'attempt',
  'attempted_at',
  'response_status',
  'reason',
] as const satisfies (keyof Line)[];

const WRITERS: Record<ExportFormat, Writer> = {
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    row: (line) => `${JSON.stringify(line)}\n`,
    errorText: (body) => `${JSON.stringify({ error: body })}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(COLUMNS),
    row: (line) => csvLine(COLUMNS.map((name) => line[name])),
    errorText: csvErrorOf,
  },
};

const PAGE = 500;

/** All lines of a receipt, the oldest event first. */
export async function open(
  ctx: Ctx,
  { params, query }: Input<'receiptExport'>,
  { signal }: { signal: AbortSignal },
): Promise<FileFeed> {
  const { type, head, row, errorText } = WRITERS[query.format];
  const asked = await askedOf(ctx, await find(ctx, params));
  const pages = pagesOf(ctx, asked, signal);
  // Before the response begins, so that its errors are ordinary responses.
  const first = await pages.next();
  async function* parts() {
    if (head !== '') yield head;
    for (let page = first; !page.done; page = await pages.next()) yield page.value.map(row).join('');
  }
  return { name: `receipt-${params.replay_id}.${query.format}`, type, parts: parts(), errorText };
}

async function* pagesOf({ db }: Ctx, asked: store.Asked, signal: AbortSignal): AsyncGenerator<Line[], void> {
  let after: string[] | undefined;
  for (;;) {
    signal.throwIfAborted();
    const lines = await store.page(db, asked, { limit: PAGE, after });
    const last = lines.at(-1);
    if (!last) return;
    yield lines;
    if (lines.length < PAGE) return;
    after = [last.event_id, last.delivery_id];
  }
}
