/**
 * Schedules the requests for live changes. Changes are collected and applied in rounds. Each request of a round delays
 * the next round, so a tab makes at most one request per `READ_MS` however many changes arrive. The first change after
 * a pause is applied almost immediately. Changes made by users (a trigger edited, a function deleted) are rare and skip
 * the delay while the tab's credit for them lasts. A hidden tab makes no requests until it is visible.
 */
import type { LiveChange } from '../../../contract/live.ts';
import { queryClient } from '../query-client.ts';
import { forgetReading, readingOf, setOnNeed } from './list-reading.ts';
import { applyChanges, readShown, refreshAll } from './live-changes.ts';
import { figuresDueMs } from './live-figures.ts';
import { isLiveList } from './live-lists.ts';

const GATHER_MS = 60;
const READ_MS = 700;
/** The page has just loaded its data. */
const FIRST_PAUSE_MS = 3_000;
/** A hidden tab with more pending changes refetches everything instead. */
const CHANGES_MAX = 2_000;
/** Requests for user changes that may skip the delay, and how many are regained per second. */
const CREDIT_MAX = 12;
const CREDIT_PER_SECOND = 1;
const USER_CHANGES: ReadonlySet<LiveChange['noun']> = new Set([
  'trigger',
  'function',
  'connection',
  'saved_filter',
  'saved_request',
  'account',
]);

export interface Rounds {
  add(changes: readonly LiveChange[]): void;
  /** Changes were missed: refetch all displayed data. */
  readAll(): void;
  stop(): void;
}

const keyOf = (change: LiveChange) => JSON.stringify({ ...change, status: undefined });

export function startRounds(): Rounds {
  const waiting = new Map<string, LiveChange>();
  let wantsAll = false;
  let wantsRound = false;
  let running = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseUntil = performance.now() + FIRST_PAUSE_MS;
  let credit = CREDIT_MAX;
  let creditAt = performance.now();

  function urgentChanges(): LiveChange[] {
    const now = performance.now();
    credit = Math.min(CREDIT_MAX, credit + ((now - creditAt) / 1_000) * CREDIT_PER_SECOND);
    creditAt = now;
    return credit < 1 ? [] : [...waiting.values()].filter(({ noun }) => USER_CHANGES.has(noun));
  }
  function schedule() {
    if (timer !== undefined || running || document.hidden) return;
    const dueMs = waiting.size > 0 || wantsAll || wantsRound ? 0 : figuresDueMs();
    if (dueMs === undefined) return;
    const pauseMs = urgentChanges().length > 0 ? 0 : pauseUntil - performance.now();
    timer = setTimeout(() => void round(), Math.max(GATHER_MS, dueMs, pauseMs));
  }
  async function round() {
    timer = undefined;
    running = true;
    const startedAt = performance.now();
    const isEarly = startedAt < pauseUntil;
    const changes = isEarly ? urgentChanges() : [...waiting.values()];
    for (const change of changes) waiting.delete(keyOf(change));
    const all = wantsAll && !isEarly;
    if (!isEarly) wantsAll = wantsRound = false;
    const reads = await (isEarly ? readShown(changes) : all ? refreshAll() : applyChanges(changes));
    running = false;
    if (isEarly) credit -= reads;
    pauseUntil = Math.max(startedAt, pauseUntil) + reads * READ_MS;
    schedule();
  }
  function show() {
    if (!document.hidden) schedule();
  }
  document.addEventListener('visibilitychange', show);
  const need = () => {
    wantsRound = true;
    schedule();
  };
  setOnNeed(need);
  const stopWatching = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (!isLiveList(query)) return;
    if (type === 'removed') forgetReading(query.queryHash);
    // the list changed while no page displayed it
    if (type === 'observerAdded' && readingOf(query.queryHash).behind) need();
  });
  return {
    add(changes) {
      for (const change of changes) waiting.set(keyOf(change), change);
      // these start the scheduled round earlier
      if (changes.some(({ noun }) => USER_CHANGES.has(noun))) {
        clearTimeout(timer);
        timer = undefined;
      }
      if (waiting.size > CHANGES_MAX) {
        waiting.clear();
        wantsAll = true;
      }
      schedule();
    },
    readAll() {
      wantsAll = true;
      pauseUntil = 0;
      clearTimeout(timer);
      timer = undefined;
      schedule();
    },
    stop() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', show);
      stopWatching();
    },
  };
}
