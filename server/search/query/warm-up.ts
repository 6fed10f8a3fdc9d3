/**
 * Warm-up searches, once, when the first segment is open. A search of a few milliseconds is over before V8
 * has compiled what it runs: without these, the first dozens of searches after a start take several times as long.
 */
import type { Scope } from '../catalogue.ts';
import { ALL_ALONE } from '../documents.ts';
import type { Entry } from '../entry.ts';
import { allTexts } from '../index/packed-code.ts';
import type { Order } from '../messages.ts';
import { createProgress } from '../progress.ts';
import { sharedClockMs } from '../shared-clock.ts';
import { type Job, type Searched, startJob } from './job.ts';

/** With fewer codes no search takes long. */
export const WARM_CODES = 2000;
const TIME = { searchesMs: 400, eachMs: 15 };
const SAMPLES = 40;
const LIMIT = 25;

export function* warmUp(searched: Searched, { searchesMs, eachMs } = TIME): Job {
  const untilMs = sharedClockMs() + searchesMs;
  const { sorted } = searched.catalogue;
  const step = Math.max(1, Math.floor(sorted.length / SAMPLES));
  for (let place = 0; place < sorted.length && sharedClockMs() < untilMs; place += step) {
    const entry = sorted[place] as Entry;
    const packed = searched.codes.read(entry.code);
    if (packed) for (const order of ordersOf(allTexts(packed), entry, eachMs)) yield* carryOut(searched, order);
  }
  return 'ALL';
}

function* carryOut(searched: Searched, order: Order): Generator<undefined, void> {
  const progress = createProgress(1, order.limit);
  progress.begin();
  const alone = { share: 0, shares: 1, alone: ALL_ALONE };
  yield* startJob(searched, order, progress, alone, { emit: () => {}, onLong: () => {} });
}

/** One order of each kind, with words taken from a code. */
function ordersOf(text: string, { account_id, name }: Entry, eachMs: number): Order[] {
  const words = text.match(/[A-Za-z_]\w{4,40}/g) ?? [];
  const word = words[words.length >> 1];
  if (!word) return [];
  const line = text.split('\n').find((each) => each.length > 12 && each.length < 200) ?? word;
  const scope: Scope = { account_id, owner: 'ALL' };
  const common = { scope, paths: [], runtime: undefined, limit: LIMIT, untilMs: sharedClockMs() + eachMs };
  const code = (mode: 'literal' | 'regex', query: string, caseSensitive: boolean): Order => ({
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
