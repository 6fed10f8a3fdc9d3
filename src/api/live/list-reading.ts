/**
 * What the live stream has to know of each list in pages: whether someone reads it, so that new rows wait; which rows
 * are visible; and which rows changed since they were read. The table says the first two, live-lists.ts the rest.
 */

/** New rows counted at most; beyond that the pill says "10,000+". */
export const WAITING_MAX = 10_000;

export interface ListReading {
  /** New rows wait: the list is scrolled, the pointer or the focus is on a row, a panel is open. */
  held: boolean;
  /** Ids of the rows in view, and a few around them; undefined where no table says. */
  visible: readonly string[] | undefined;
  /** Ids of new rows that are not shown yet. */
  readonly waiting: Set<string>;
  /** There are more new rows than those counted. */
  waitingMore: boolean;
  /** Ids of rows that changed since they were read. They are read again once they are visible. */
  readonly stale: Set<string>;
  /** Changes came that the rows don't have yet: while nothing showed the list, or while the stream was down. */
  behind: boolean;
}

const readings = new Map<string, ListReading>();
const listeners = new Set<() => void>();
let onNeed: () => void = () => undefined;

/** The reading of a list, by the hash of its query's key. */
export function readingOf(hash: string): ListReading {
  let reading = readings.get(hash);
  if (!reading) {
    reading = {
      held: false,
      visible: undefined,
      waiting: new Set(),
      waitingMore: false,
      stale: new Set(),
      behind: false,
    };
    readings.set(hash, reading);
  }
  return reading;
}

export function forgetReading(hash: string): void {
  readings.delete(hash);
}

/** Holds new rows back, or lets them in again. */
export function holdList(hash: string, held: boolean): void {
  const reading = readingOf(hash);
  if (reading.held === held) return;
  reading.held = held;
  if (!held && (reading.waiting.size > 0 || reading.behind)) onNeed();
}

/** Which rows are in view. Those that changed while they were not are read again. */
export function showRows(hash: string, ids: readonly string[] | undefined): void {
  const reading = readingOf(hash);
  reading.visible = ids;
  if (reading.stale.size > 0 && ids?.some((id) => reading.stale.has(id))) onNeed();
}

export function addWaiting(reading: ListReading, ids: Iterable<string>): void {
  for (const id of ids) {
    if (reading.waiting.size < WAITING_MAX) reading.waiting.add(id);
    else if (!reading.waiting.has(id)) reading.waitingMore = true;
  }
  for (const listener of listeners) listener();
}

export function clearWaiting(reading: ListReading): void {
  reading.behind = false;
  if (reading.waiting.size === 0 && !reading.waitingMore) return;
  reading.waiting.clear();
  reading.waitingMore = false;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore: called when the new rows of any list were counted again. */
export function subscribeWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called when rows have to be read although none of them changed: they came into view, or new rows may come in. */
export function setOnNeed(need: () => void): void {
  onNeed = need;
}
