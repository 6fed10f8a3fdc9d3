import { ChurnMap } from '../../lib/churn-map.ts';
import type { LogLine } from '../../runtime/run-log.ts';
import type { RunEnd } from '../store/run-batch.ts';
import type { Mark } from '../store/run-lines.ts';
import { later, type PendingRun, type RunKey, type Sent } from './pending-run.ts';

const BATCH_RUNS = 500;
const BATCH_LINES = 2000;
const BATCH_BYTES = 4 * 1024 * 1024;
const MOST_RUNS = 5000;
const MOST_BYTES = 64 * 1024 * 1024;

/** The runs of this node that are not stored completely, and their size. */
export class RunBuffer {
  /** Runs in progress, or not stored completely. */
  readonly #open = new ChurnMap<string, PendingRun>();
  /** Runs with something to store. */
  readonly #dirty = new ChurnMap<string, PendingRun>();
  #bytes = 0;
  #lines = 0;

  get isFull(): boolean {
    return this.#open.size > MOST_RUNS || this.#bytes > MOST_BYTES;
  }

  /** Lines of all runs. */
  get lines(): number {
    return this.#lines;
  }

  /** Runs with something to store. */
  get size(): number {
    return this.#dirty.size;
  }

  open(entry: PendingRun): void {
    this.#open.set(entry.key.run_id, entry);
  }

  /** Runs in progress or not stored completely, for which `isMeant` is true. */
  *matching(isMeant: (key: RunKey) => boolean): Generator<PendingRun> {
    for (const entry of this.#open.values()) if (isMeant(entry.key)) yield entry;
  }

  mark(entry: PendingRun, what: Mark, timestamp: number): void {
    entry.lines.push({ seq: entry.said++, at_ms: later(entry, timestamp), mark: what });
    this.#lines += 1;
  }

  say(entry: PendingRun, { timestamp, level, message }: LogLine): void {
    const text = (message.includes('\0') ? message.replaceAll('\0', '\ufffd') : message).toWellFormed();
    entry.lines.push({ seq: entry.said++, at_ms: later(entry, timestamp), level, message: text });
    this.#weigh(entry, text.length);
    this.#lines += 1;
  }

  finish(entry: PendingRun, end: RunEnd): void {
    entry.end = end;
    const nowMs = Date.now();
    this.mark(entry, 'END', nowMs);
    this.mark(entry, 'REPORT', nowMs);
    this.#weigh(entry, end.request.length + (end.response_body?.length ?? 0));
  }

  #weigh(entry: PendingRun, weight: number): void {
    entry.bytes += weight;
    this.#bytes += weight;
  }

  /** Schedules a flush of the run. */
  expect(entry: PendingRun, atMs: number): void {
    // A run that has ended is stored in one piece, so its start is no longer urgent.
    const { run_id } = entry.key;
    entry.dueMs = this.#dirty.has(run_id) && !entry.end ? Math.min(entry.dueMs, atMs) : atMs;
    this.#dirty.set(run_id, entry);
  }

  /** The time of the next flush; infinite when nothing is buffered. */
  dueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const entry of this.#dirty.values()) dueMs = Math.min(dueMs, entry.dueMs);
    return dueMs;
  }

  /** Removes a batch of what is due. */
  take(): Sent[] {
    const batch: Sent[] = [];
    let room = BATCH_LINES;
    let size = 0;
    const nowMs = performance.now();
    for (const entry of this.#dirty.values()) {
      // The run may end before its start is due: then one row stores both.
      if (!entry.isStored && !entry.end && entry.dueMs > nowMs) continue;
      if (batch.length === BATCH_RUNS || room === 0 || size > BATCH_BYTES) break;
      const some = entry.lines.length > room ? entry.lines.splice(0, room) : entry.lines;
      if (some === entry.lines) {
        entry.lines = [];
        this.#dirty.delete(entry.key.run_id);
      } else entry.dueMs = 0;
      room -= some.length;
      size += entry.bytes;
      // The end is stored after all lines, so that an ended run is complete.
      const end = entry.lines.length > 0 ? undefined : entry.end;
      batch.push({ entry, withStart: !entry.isStored, lines: some, end });
    }
    return batch;
  }

  /** Records that a part was stored. */
  stored({ entry, lines: said, end }: Sent): void {
    entry.isStored = true;
    entry.tries = 0;
    this.#lines -= said.length;
    for (const notify of entry.onStored.splice(0)) notify();
    if (!end && !this.#dirty.has(entry.key.run_id)) this.#weigh(entry, -entry.bytes);
  }

  /** Restores a part that could not be stored. */
  putBack({ entry, lines: said }: Sent): void {
    entry.lines = [...said, ...entry.lines];
    entry.tries += 1;
  }

  again(entry: PendingRun): void {
    entry.dueMs = 0;
    this.#dirty.set(entry.key.run_id, entry);
  }

  /** Removes a run that was stored completely, or was abandoned. */
  close(entry: PendingRun): void {
    this.#open.delete(entry.key.run_id);
    this.#dirty.delete(entry.key.run_id);
    this.#weigh(entry, -entry.bytes);
    this.#lines -= entry.lines.length;
    entry.lines = [];
    for (const notify of entry.onStored.splice(0)) notify();
    entry.onEnded();
  }
}
