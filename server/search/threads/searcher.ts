/**
 * A thread that searches. It knows all functions and reads the segments; several searches take turns, a few
 * milliseconds each, so that a long one holds up no short one. It reports each function as it is found, so that a
 * waiting caller has something when time is up.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Catalogue, type Entry } from '../catalogue.ts';
import { Documents } from '../documents.ts';
import { DamagedSegment } from '../index/segment.ts';
import {
  createProgress,
  type FoundFunction,
  type FromSearcher,
  type SearcherData,
  type ToSearcher,
} from '../messages.ts';
import { Names } from '../names.ts';
import { isJobOver, type Job, type Searched, startJob, WARM_CODES, warmUp } from '../query/job.ts';
import { RegexError } from '../query/regex.ts';

const TURN_MS = 4;
/**
 * Within this time the finds of a search are reported once per turn; a longer one reports each, so that none is lost.
 */
const GATHER_MS = 20;
const READY_MS = 100;
const NAMES_AT_ONCE = 200;

const port = parentPort;
if (!port) throw new Error('search/searcher.ts runs in a worker thread');
const say = (message: FromSearcher) => port.postMessage(message);

const { hasNames, turns }: SearcherData = workerData;
const searched: Searched = { catalogue: new Catalogue(), codes: new Documents(), names: undefined };
/** Sorts the changes before a search waits for it. */
const ready = setTimeout(() => {
  // The last page of a start sets the timer again.
  if (isMoreToCome) return;
  searched.catalogue.settle();
  takeNames();
}, READY_MS).unref();
let isMoreToCome = false;
if (hasNames) indexNames();

/** Of very many functions it takes longer than somebody wants to wait who searches in code. */
function takeNames(): void {
  if (searched.names?.indexNext(NAMES_AT_ONCE)) {
    setImmediate(takeNames);
    return;
  }
  searched.names?.settle();
  if (isWarm || searched.codes.count < WARM_CODES) return;
  isWarm = true;
  // No caller waits for it, or is notified of it.
  begin({ job: NOBODYS, account_id: '', start: () => warmUp(searched), isOver: () => false, usedMs: 0, found: [] });
}

/** Makes this thread the one that searches names, also when it has known the functions for long. */
function indexNames(): void {
  searched.names = new Names();
  searched.catalogue.indexNames(searched.names);
  ready.refresh();
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
  /** Whether it was stopped or its time is up. */
  isOver: () => boolean;
  begun?: { steps: Job; startMs: number };
  usedMs: number;
  found: FoundFunction[];
};
/**
 * How long this thread was at searches of each account recently: hard searches of one account don't hold up those of
 * others.
 */
const usedBy = new Map<string, number>();
const RECENT_MS = 2000;
let sinceMs = performance.now();
let isGoing = false;

function begin(going: Going): void {
  jobs.unshift(going);
  if (!isGoing) setImmediate(turn);
  isGoing = true;
}

function turn(): void {
  Atomics.add(turns, 0, 1);
  const next = nextJob();
  if (!next) {
    isGoing = false;
    searched.catalogue.giveBack();
    return;
  }
  const startMs = performance.now();
  if (startMs - sinceMs > RECENT_MS) {
    usedBy.clear();
    sinceMs = startMs;
  }
  if (hasEnded(next)) jobs.splice(jobs.indexOf(next), 1);
  const tookMs = performance.now() - startMs;
  next.usedMs += tookMs;
  usedBy.set(next.account_id, (usedBy.get(next.account_id) ?? 0) + tookMs);
  setImmediate(turn);
}

/**
 * The job whose turn it is. One that is stopped or late comes first, for it ends in that turn: behind newer ones it
 * would never end, and the thread would be taken for stuck.
 */
function nextJob(): Going | undefined {
  let [next] = jobs;
  if (!next) return undefined;
  for (const each of jobs) {
    if (each.isOver()) return each;
    if (isBefore(each, next)) next = each;
  }
  return next;
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
  const emit = () => {
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
      if (nowMs - startMs > GATHER_MS) emit();
      if (nowMs > until) break;
    }
    emit();
    return false;
  } catch (error) {
    emit();
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
 * Changes of functions that aren't indexed yet. At a start there are many pages of it: searches that have begun get
 * their turn between two of them, or they would be late, and this thread be taken for one that is stuck.
 */
const changes: Extract<ToSearcher, { entries: string }>[] = [];

function takeNext(): void {
  const next = changes.shift();
  if (!next) return;
  Atomics.add(turns, 0, 1);
  startAll();
  const entries: Entry[] = JSON.parse(next.entries);
  searched.catalogue.change(entries, next.removed);
  // At a start each page would otherwise be sorted among all before it.
  isMoreToCome = next.isMoreToCome;
  if (!isMoreToCome) ready.refresh();
  if (next.isLast) say({ loaded: true });
}

port.on('message', (message: ToSearcher) => {
  if ('segments' in message) {
    Atomics.add(turns, 0, 1);
    startAll();
    searched.codes.change(message);
    ready.refresh();
    if (message.dropped.length > 0) say({ released: message.dropped });
  } else if ('names' in message) {
    indexNames();
  } else if ('entries' in message) {
    changes.push(message);
    if (changes.length > 1 || message.isMoreToCome) setImmediate(takeNext);
    else takeNext();
  } else {
    // It has all changes sent before the request.
    while (changes.length > 0) takeNext();
    const { job, order, share } = message;
    const progress = createProgress(share.shares, order.limit, message.progress);
    progress.begin();
    const found: FoundFunction[] = [];
    const ways = {
      emit: (one: FoundFunction) => found.push(one),
      onLong: (aloneTo: number) => say({ job, aloneTo }),
    };
    const start = () => startJob(searched, order, progress, share, ways);
    const isOver = () => isJobOver(order, progress);
    begin({ job, account_id: order.scope.account_id, start, isOver, usedMs: 0, found });
  }
});
say({ started: true });
