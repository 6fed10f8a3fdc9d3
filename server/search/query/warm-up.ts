/**
 * The warm-up, which runs once when the first segment is open, behind every other search. It reads the lists of the
 * index, which may not be in memory after a start. Then it searches: a search of a few milliseconds ends before V8 has
 * compiled its code, so without it the first dozens of searches after a start take several times as long.
 */
import { allTexts } from '../index/packed-code.ts';
import { ALL_ALONE, createProgress, sharedClockMs, type ThreadOrder } from '../messages.ts';
import type { Scope } from '../table/entry.ts';
import type { FunctionRow } from '../table/function-rows.ts';
import { processorMs } from './cpu-budget.ts';
import { type Job, type Searched, startJob } from './job.ts';

/** With fewer documents, no search takes long. */
export const WARM_CODES = 2000;
/** CPU time of all searches, and time of each. A busy machine needs no less of it. */
const TIME = { searchesMs: 1000, eachMs: 100 };
const SAMPLES = 60;
/** Larger lists are read when a search needs them. */
const PRELOADED_BYTES = 512 * 1024 * 1024;
const LIMIT = 25;

/** Reads the lists, then runs searches of each kind with words of existing code. */
export function* warmUp(searched: Searched, { searchesMs, eachMs } = TIME): Job {
  yield* searched.codes.preload(PRELOADED_BYTES);
  const startMs = processorMs();
  const sorted = searched.catalogue.sorted;
  const step = Math.max(1, Math.floor(sorted.length / SAMPLES));
  for (let place = 0; place < sorted.length && processorMs() - startMs < searchesMs; place += step) {
    const entry = searched.catalogue.row(sorted[place] ?? 0);
    const packed = searched.codes.read(entry.code);
    if (packed) for (const order of ordersOf(allTexts(packed), entry, eachMs)) yield* carryOut(searched, order);
  }
  return 'ALL';
}

function* carryOut(searched: Searched, order: ThreadOrder): Generator<undefined, void> {
  const progress = createProgress(1, order.limit);
  progress.begin();
  const alone = { share: 0, shares: 1, alone: ALL_ALONE };
  yield* startJob(searched, order, progress, alone, { emit: () => {}, onLong: () => {} });
}

/** One query of each kind, with words of a document. */
function ordersOf(text: string, { account_id, name }: FunctionRow, eachMs: number): ThreadOrder[] {
  const words = text.match(/[A-Za-z_]\w{4,40}/g) ?? [];
  const word = words[words.length >> 1];
  if (!word) return [];
  const line = text.split('\n').find((each) => each.length > 12 && each.length < 200) ?? word;
  const scope: Scope = { account_id, owner: 'ALL' };
  const within = { isPublic: true, account: -1 };
  const common = { scope, within, paths: [], runtime: undefined, limit: LIMIT, untilMs: sharedClockMs() + eachMs };
  const code = (mode: 'literal' | 'regex', query: string, caseSensitive: boolean): ThreadOrder => ({
    ...common,
    code: { mode, query, caseSensitive },
    context: 2,
    history: false,
  });
  return [
    code('literal', word, true),
    code('literal', word, false),
    code('literal', line.trim(), true),
    code('regex', `${word}\\s*[(.=].*`, true),
    code('regex', `\\b${word}\\w*\\s*\\(`, false),
    code('regex', '\\w+\\d{4}', true),
    { ...common, words: name.slice(0, 6) },
  ];
}
