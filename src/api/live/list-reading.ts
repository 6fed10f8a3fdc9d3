/**
 * The state the live stream needs for each paged list: whether a user is reading it, so that new rows are held back;
 * which rows are visible; and which rows changed since they were fetched. The table sets the first two, live-lists.ts
 * the rest.
 */

/** Counting of new rows stops here; the pill then shows "10,000+". */
export const WAITING_MAX = 10_000;

export interface ListReading {
  /** New rows are held back: the list is scrolled, the pointer or the focus is on a row, or a panel is open. */
  held: boolean;
  /** Ids of the rows in view and a few around them; undefined if no table reports them. */
  visible: readonly string[] | undefined;
  /** Ids of new rows that are not displayed yet. */
  readonly waiting: Set<string>;
  /** More new rows exist than were counted. */
  waitingMore: boolean;
  /** Ids of rows that changed since they were fetched. They are fetched again once visible. */
  readonly stale: Set<string>;
  /** Changes arrived that the rows lack: no page displayed the list, or the stream was down. */
  behind: boolean;
}

const readings = new Map<string, ListReading>();
const listeners = new Set<() => void>();
let onNeed: () => void = () => undefined;

/** The reading state of a list, by the hash of its query key. */
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

/** Holds new rows back, or stops doing so. */
export function holdList(hash: string, held: boolean): void {
  const reading = readingOf(hash);
  if (reading.held === held) return;
  reading.held = held;
  if (!held && (reading.waiting.size > 0 || reading.behind)) onNeed();
}

/** Sets the rows in view. Those that changed while out of view are fetched again. */
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

/** For useSyncExternalStore: notifies when the number of new rows of any list changes. */
export function subscribeWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `need` is called when rows must be fetched without a change: stale rows came into view, or a hold ended. */
export function setOnNeed(need: () => void): void {
  onNeed = need;
}
