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

/** What is not stored yet of the runs in progress here, and its size. */
export class RunBuffer {
  /** Those that are not over, or not stored. */
  readonly #open = new ChurnMap<string, PendingRun>();
  /** Those that have something to store. */
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

  /** Runs that have something to store. */
  get size(): number {
    return this.#dirty.size;
  }

  open(entry: PendingRun): void {
    this.#open.set(entry.key.run_id, entry);
  }

  /** Runs that are not over, or not stored. */
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

  /** It is to leave by then. */
  expect(entry: PendingRun, atMs: number): void {
    // What is over leaves as a whole, so its beginning needs no haste any more.
    const { run_id } = entry.key;
    entry.dueMs = this.#dirty.has(run_id) && !entry.end ? Math.min(entry.dueMs, atMs) : atMs;
    this.#dirty.set(run_id, entry);
  }

  /** When the first of them is to leave; never, where none is. */
  dueMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const entry of this.#dirty.values()) dueMs = Math.min(dueMs, entry.dueMs);
    return dueMs;
  }

  /** A batch of what is to leave now. */
  take(): Sent[] {
    const batch: Sent[] = [];
    let room = BATCH_LINES;
    let size = 0;
    const nowMs = performance.now();
    for (const entry of this.#dirty.values()) {
      // It may be over before its beginning has to be there: then one row does for both.
      if (!entry.isStored && !entry.end && entry.dueMs > nowMs) continue;
      if (batch.length === BATCH_RUNS || room === 0 || size > BATCH_BYTES) break;
      const some = entry.lines.length > room ? entry.lines.splice(0, room) : entry.lines;
      if (some === entry.lines) {
        entry.lines = [];
        this.#dirty.delete(entry.key.run_id);
      } else entry.dueMs = 0;
      room -= some.length;
      size += entry.bytes;
      // A run that is over is complete: its end doesn't go before its lines.
      const end = entry.lines.length > 0 ? undefined : entry.end;
      batch.push({ entry, withStart: !entry.isStored, lines: some, end });
    }
    return batch;
  }

  /** It is stored. */
  stored({ entry, lines: said, end }: Sent): void {
    entry.isStored = true;
    entry.tries = 0;
    this.#lines -= said.length;
    for (const notify of entry.onStored.splice(0)) notify();
    if (!end && !this.#dirty.has(entry.key.run_id)) this.#weigh(entry, -entry.bytes);
  }

  /** It was not stored, and is to leave again. */
  putBack({ entry, lines: said }: Sent): void {
    entry.lines = [...said, ...entry.lines];
    entry.tries += 1;
  }

  again(entry: PendingRun): void {
    entry.dueMs = 0;
    this.#dirty.set(entry.key.run_id, entry);
  }

  /** All of it is stored, or was abandoned. */
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
