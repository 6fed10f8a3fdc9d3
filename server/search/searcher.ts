/**
 * A thread that searches. It knows all functions and reads the segments; several searches take turns, a few milliseconds
 * each, so that a long one holds up no short one. It tells of each function as it is found, so that whoever waits has
 * something when time is up.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Catalogue, type Entry } from './catalogue.ts';
import { Codes } from './codes.ts';
import { type Job, type Searched, startJob } from './job.ts';
import type { FoundFunction, FromSearcher, ToSearcher } from './messages.ts';
import { Names } from './names.ts';
import { createProgress } from './progress.ts';
import { RegexError } from './regex-error.ts';
import { DamagedSegment } from './segment.ts';
import { WARM_CODES, warmUp } from './warm-up.ts';

const TURN_MS = 4;
/** So long what a search finds is told once in a turn; of one that takes longer nothing is to be lost. */
const GATHER_MS = 20;
const READY_MS = 100;
const NAMES_AT_ONCE = 200;

const port = parentPort;
if (!port) throw new Error('search/searcher.ts runs in a worker thread');
const say = (message: FromSearcher) => port.postMessage(message);

const names = (workerData as { names: boolean }).names ? new Names() : undefined;
const searched: Searched = { catalogue: new Catalogue(names), codes: new Codes(), names };
/** Puts in order what changed before somebody waits for it. */
const ready = setTimeout(() => {
  // The last page of a start sets this off anew.
  if (isMoreToCome) return;
  searched.catalogue.settle();
  takeNames();
}, READY_MS).unref();
let isMoreToCome = false;

/** Of very many functions it takes longer than somebody wants to wait who searches in code. */
function takeNames(): void {
  if (names?.takeIn(NAMES_AT_ONCE)) {
    setImmediate(takeNames);
    return;
  }
  names?.settle();
  if (isWarm || searched.codes.count < WARM_CODES) return;
  isWarm = true;
  // Nobody waits for it, or is told of it.
  begin({ job: NOBODYS, account_id: '', start: () => warmUp(searched), usedMs: 0, found: [] });
}
const NOBODYS = 0;
let isWarm = false;
/** The newest first. */
const jobs: Going[] = [];
type Going = {
  job: number;
  account_id: string;
  /** Compiles the query, which may take long, and chooses what to look at. */
  start: () => Job;
  begun?: { steps: Job; startMs: number };
  usedMs: number;
  found: FoundFunction[];
};
/** How long this thread was at searches of each account lately: nobody's hard searches hold up those of others. */
const usedBy = new Map<string, number>();
const LATELY_MS = 2000;
let sinceMs = performance.now();
let isGoing = false;

function begin(going: Going): void {
  jobs.unshift(going);
  if (!isGoing) setImmediate(turn);
  isGoing = true;
}

function turn(): void {
  let [next] = jobs;
  if (!next) {
    isGoing = false;
    searched.catalogue.giveBack();
    return;
  }
  for (const each of jobs) if (isBefore(each, next)) next = each;
  const startMs = performance.now();
  if (startMs - sinceMs > LATELY_MS) {
    usedBy.clear();
    sinceMs = startMs;
  }
  if (hasEnded(next)) jobs.splice(jobs.indexOf(next), 1);
  const tookMs = performance.now() - startMs;
  next.usedMs += tookMs;
  usedBy.set(next.account_id, (usedBy.get(next.account_id) ?? 0) + tookMs);
  setImmediate(turn);
}

/** Whose account had less time, and of one account's searches the one that had less: steps may take long. */
function isBefore(one: Going, other: Going): boolean {
  if (one.account_id === other.account_id) return one.usedMs < other.usedMs;
  return (usedBy.get(one.account_id) ?? 0) < (usedBy.get(other.account_id) ?? 0);
}

function started(each: Going): { steps: Job; startMs: number } {
  each.begun ??= { startMs: performance.now(), steps: each.start() };
  return each.begun;
}

/** All threads choose from the same functions: those of before a change, where they were asked before it. */
function startAll(): void {
  for (const each of jobs) {
    try {
      started(each);
    } catch (error) {
      each.start = () => {
        throw error;
      };
    }
  }
}

function hasEnded(each: Going): boolean {
  const { job, found } = each;
  const tell = () => {
    if (found.length > 0) say({ job, found: found.splice(0) });
  };
  const until = performance.now() + TURN_MS;
  try {
    const { steps, startMs } = started(each);
    for (;;) {
      const { done, value } = steps.next();
      if (done) say({ job, end: value, rest: found });
      if (done) return true;
      const nowMs = performance.now();
      if (nowMs - startMs > GATHER_MS) tell();
      if (nowMs > until) break;
    }
    tell();
    return false;
  } catch (error) {
    tell();
    say(failed(job, error));
    return true;
  }
}

function failed(job: number, error: unknown): FromSearcher {
  if (error instanceof DamagedSegment) say({ damaged: error.segment });
  if (error instanceof RegexError) return { job, end: 'INVALID', reason: error.message, position: error.position };
  return { job, end: 'FAILED', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/**
 * What was told of functions, and isn't taken in yet. At a start there are many pages of it: searches that have begun get
 * their turn between two of them, or they would be late, and this thread be taken for one that is stuck.
 */
const told: Extract<ToSearcher, { entries: string }>[] = [];

function takeNext(): void {
  const next = told.shift();
  if (!next) return;
  startAll();
  searched.catalogue.change(JSON.parse(next.entries) as Entry[], next.removed);
  // At a start each page would be put in order among all before it.
  isMoreToCome = next.isMoreToCome;
  if (!isMoreToCome) ready.refresh();
}

port.on('message', (message: ToSearcher) => {
  if ('segments' in message) {
    startAll();
    searched.codes.change(message.segments, message.fresh, message.dropped, message.gone);
    ready.refresh();
    if (message.dropped.length > 0) say({ released: message.dropped });
  } else if ('entries' in message) {
    told.push(message);
    if (told.length > 1 || message.isMoreToCome) setImmediate(takeNext);
    else takeNext();
  } else {
    // It knows all that was told before it was asked.
    while (told.length > 0) takeNext();
    const { job, order, share } = message;
    const progress = createProgress(share.shares, order.limit, message.progress);
    progress.begin();
    const found: FoundFunction[] = [];
    const ways = {
      tell: (one: FoundFunction) => found.push(one),
      tellLong: (aloneTo: number) => say({ job, aloneTo }),
    };
    const start = () => startJob(searched, order, progress, share, ways);
    begin({ job, account_id: order.scope.account_id, start, usedMs: 0, found });
  }
});
say({ started: true });
