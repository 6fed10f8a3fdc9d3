/**
 * A search thread. It reads the functions in shared memory, and the segments. Several searches take turns of a few milliseconds, so
 * that a long one does not delay short ones. Results are reported as they are found, so that a partial result exists
 * when time is up.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Catalogue } from '../catalogue.ts';
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
import { processorMs } from '../query/cpu-budget.ts';
import { isJobOver, type Job, type Searched, startJob } from '../query/job.ts';
import { RegexError } from '../query/regex.ts';
import { WARM_CODES, warmUp } from '../query/warm-up.ts';

const TURN_MS = 4;
/**
 * Until this time, a search reports its results once per turn; then each at once, so that none is lost at the deadline.
 */
const GATHER_MS = 20;
const READY_MS = 100;
const NAMES_AT_ONCE = 200;
/** With more changes, a thread without searches sorts them, as their memory cannot be used again until then. */
const MOST_UNSETTLED = 2000;

const port = parentPort;
if (!port) throw new Error('search/searcher.ts runs in a worker thread');
const say = (message: FromSearcher) => port.postMessage(message);

const { hasNames, turns, released }: SearcherData = workerData;
const searched: Searched = { catalogue: new Catalogue(), codes: new Documents(), names: undefined };
/** Sorts the changes before the next search has to. */
const ready = setTimeout(() => {
  // More pages follow, and the last one sets the timer again.
  if (isMoreToCome) return;
  searched.catalogue.settle();
  release();
  indexNamesInSteps();
}, READY_MS).unref();
let isMoreToCome = false;
let isReady = false;
if (hasNames) indexNames();

/** Indexes names step by step: for very many functions it takes longer than a code search should wait. */
function indexNamesInSteps(): void {
  if (searched.names?.indexNext(NAMES_AT_ONCE)) {
    setImmediate(indexNamesInSteps);
    return;
  }
  searched.names?.settle();
  if (isWarm || searched.codes.count < WARM_CODES) return;
  isWarm = true;
  // No caller waits for it, and no message reports its result.
  begin({
    job: WARM_UP_JOB,
    account_id: '',
    isWindow: false,
    start: () => warmUp(searched),
    isOver: () => false,
    usedMs: 0,
    found: [],
  });
}

/** Makes this thread index names. */
function indexNames(): void {
  searched.names = new Names(searched.catalogue.rows);
  searched.catalogue.indexNames(searched.names);
  ready.refresh();
}
const WARM_UP_JOB = 0;
let isWarm = false;
/** The newest first. */
const jobs: ActiveJob[] = [];
type ActiveJob = {
  job: number;
  account_id: string;
  isWindow: boolean;
  /** Compiles the query, which may take long, and determines the candidates. */
  start: () => Job;
  /** Whether it was stopped, or its time is up. */
  isOver: () => boolean;
  begun?: { steps: Job; startMs: number };
  /** CPU time. */
  usedMs: number;
  found: FoundFunction[];
  /** The change of the functions before it: it may need functions that were removed since. */
  change: number;
};
/** Recent processing time by account: hard searches of one account do not delay those of others. */
const usedBy = new Map<string, number>();
const RECENT_MS = 2000;
let sinceMs = performance.now();
let isGoing = false;

function begin(going: Omit<ActiveJob, 'change'>): void {
  jobs.unshift(Object.assign(going, { change: searched.catalogue.settledNumber }));
  if (!isGoing) setImmediate(turn);
  isGoing = true;
}

/** Publishes that removed functions are not needed any more. */
function release(): void {
  let least = searched.catalogue.settledNumber;
  for (const { change } of jobs) least = Math.min(least, change);
  Atomics.store(released, 0, least);
}

function turn(): void {
  Atomics.add(turns, 0, 1);
  const next = nextJob();
  if (!next) {
    isGoing = false;
    searched.catalogue.releaseOrder();
    release();
    return;
  }
  const nowMs = performance.now();
  if (nowMs - sinceMs > RECENT_MS) {
    usedBy.clear();
    sinceMs = nowMs;
  }
  const startMs = processorMs();
  if (hasEnded(next)) {
    jobs.splice(jobs.indexOf(next), 1);
    release();
  }
  const tookMs = processorMs() - startMs;
  next.usedMs += tookMs;
  usedBy.set(next.account_id, (usedBy.get(next.account_id) ?? 0) + tookMs);
  setImmediate(turn);
}

/**
 * Selects the next job. A stopped or late one comes first, as one turn ends it: behind newer jobs it would never end,
 * and the thread would count as stuck.
 */
function nextJob(): ActiveJob | undefined {
  let [next] = jobs;
  if (!next) return undefined;
  for (const each of jobs) {
    if (each.isOver()) return each;
    if (isBefore(each, next)) next = each;
  }
  return next;
}

/**
 * Compares by the recent time of the account. Of the same account, windows come last, as each is only a part of a long
 * search; then by the time of the job, as steps may take long.
 */
function isBefore(one: ActiveJob, other: ActiveJob): boolean {
  if (one.account_id === other.account_id)
    return one.isWindow === other.isWindow ? one.usedMs < other.usedMs : other.isWindow;
  return (usedBy.get(one.account_id) ?? 0) < (usedBy.get(other.account_id) ?? 0);
}

function started(each: ActiveJob): { steps: Job; startMs: number } {
  each.begun ??= { startMs: performance.now(), steps: each.start() };
  return each.begun;
}

/** Determines the candidates of all jobs before a change: all threads of a search must use the same functions. */
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

function hasEnded(each: ActiveJob): boolean {
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

function beginSearch({ job, order, share, progress: memory }: Extract<ToSearcher, { job: number }>): void {
  const progress = createProgress(share.shares, order.limit, memory);
  progress.begin();
  const { cpuMs = Number.POSITIVE_INFINITY } = order;
  const going: Omit<ActiveJob, 'change'> = {
    job,
    account_id: order.scope.account_id,
    isWindow: order.window !== undefined,
    start: () =>
      startJob(searched, order, progress, share, {
        emit: (one) => going.found.push(one),
        onLong: (aloneTo) => say({ job, aloneTo }),
        hasCpu: () => going.usedMs < cpuMs,
      }),
    isOver: () => going.usedMs >= cpuMs || isJobOver(order, progress),
    usedMs: 0,
    found: [],
  };
  begin(going);
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
  } else if ('functions' in message) {
    Atomics.add(turns, 0, 1);
    startAll();
    searched.catalogue.change(message.functions);
    // Sorting waits for the last page; otherwise each page would be sorted into all earlier ones.
    isMoreToCome = message.isMoreToCome;
    if (!isReady) {
      // All functions that existed when this thread was started.
      searched.catalogue.settle();
      isReady = true;
      say({ started: true });
    }
    if (isMoreToCome) return;
    if (searched.catalogue.unsettled > MOST_UNSETTLED) {
      searched.catalogue.settle();
      release();
    }
    ready.refresh();
  } else {
    beginSearch(message);
  }
});
