/** Exports of the hits of a search of all functions, by function id, a line for each hit. */
import { SEARCH_EXPORT_SECONDS, SEARCH_HITS_EXPORTED } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import type { ExportFormat } from '../../../contract/states.ts';
import { type Cell, csvErrorOf, csvLine } from '../../lib/bodies/csv.ts';
import { now } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { FileFeed } from '../../lib/feed.ts';
import type { Ctx } from '../../platform/context.ts';
import { sharedClockMs } from '../messages.ts';
import type { Found, Question } from '../search.ts';
import { questionOf } from './search-all.ts';
import { type Part, type Position, START, searchWindows } from './windows.ts';

type Row = Reply<'functionSearchExport'>;
type Writer = { type: string; head: string; row: (row: Row) => string; errorText: (body: unknown) => string };

const COLUMNS = [
  'function_id',
  'name',
  'account_id',
  'account_name',
  'version',
  'path',
  'line',
  'end_line',
  'text',
  'first_version',
  'last_version',
  'hit_count',
] as const satisfies (keyof Row)[];

const WRITERS: Record<ExportFormat, Writer> = {
  ndjson: {
    type: 'application/x-ndjson',
    head: '',
    row: (row) => `${JSON.stringify(row)}\n`,
    errorText: (body) => `${JSON.stringify({ error: body })}\n`,
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(COLUMNS),
    row: (row) => csvLine(COLUMNS.map((name): Cell => row[name])),
    errorText: csvErrorOf,
  },
};

/** Functions found in one window: it bounds what an export holds in memory. */
const WINDOW_FUNCTIONS = 100;

/**
 * All hits of a query, as a file of lines. A window is searched when the client has accepted the one before it. A file
 * that does not cover all code ends with an error, and the connection closes without the end of the response.
 */
export async function open(
  ctx: Ctx,
  { query }: Input<'functionSearchExport'>,
  { signal }: { signal: AbortSignal },
): Promise<FileFeed> {
  const { format, ...asked } = query;
  const { type, head, row, errorText } = WRITERS[format];
  const windows = windowsOf(ctx, await questionOf(ctx, { ...asked, context: 0 }), signal);
  // Before the response begins, so that its errors are ordinary responses.
  const first = await windows.next();
  async function* parts() {
    if (head !== '') yield head;
    for (let part = first; !part.done; part = await windows.next()) {
      const text = part.value.functions.flatMap(rowsOf).map(row).join('');
      if (text !== '') yield text;
    }
  }
  return { name: `search-${now().slice(0, 16).replace(/\D/g, '')}.${format}`, type, parts: parts(), errorText };
}

async function* windowsOf(ctx: Ctx, question: Question, signal: AbortSignal): AsyncGenerator<Part> {
  const untilMs = sharedClockMs() + SEARCH_EXPORT_SECONDS * 1000;
  const bounds = { untilMs, signal, limit: WINDOW_FUNCTIONS, hits: SEARCH_HITS_EXPORTED };
  let position: Position = START;
  for (let isLast = false; !isLast; ) {
    signal.throwIfAborted();
    if (sharedClockMs() > untilMs) throw incomplete(`The export was stopped after ${SEARCH_EXPORT_SECONDS} seconds.`);
    for await (const part of searchWindows(ctx, question, position, bounds)) {
      ({ position, isLast } = part);
      yield part;
    }
  }
  if (position.incomplete > 0)
    throw incomplete(`Functions whose code could not be searched whole: ${position.incomplete}.`);
}

const incomplete = (message: string) => new Failure(503, message);

function rowsOf({ function_id, name, account_id, account_name, version, hit_count, hits }: Found): Row[] {
  const common = { function_id, name, account_id, account_name, version, hit_count };
  if (hits.length === 0) return [{ ...common, path: null, line: null, text: null }];
  return hits.map(({ before: _, after: __, ...hit }) => ({ ...common, ...hit }));
}
