/**
 * Limits how much output of a process the service reads and throws away: text beyond the log of a run, invalid or
 * forged reports. A process that has used up its budget is not read until the budget has grown again. Its pipe fills,
 * so that its next write waits: the time is the function's, which ends at its time limit, not the service's.
 */
import type { Readable } from 'node:stream';

const BURST_CHARS = 4 * 1024 * 1024;
const CHARS_PER_MS = 1024;

export class OutputBudget {
  readonly #streams: readonly Readable[];
  #left = BURST_CHARS;
  #countedAt = performance.now();
  #pause: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(streams: readonly Readable[]) {
    this.#streams = streams;
  }

  /** Counts output that was of no use. */
  charge(chars: number): void {
    if (this.#isOver) return;
    const now = performance.now();
    this.#left = Math.min(BURST_CHARS, this.#left + (now - this.#countedAt) * CHARS_PER_MS) - chars;
    this.#countedAt = now;
    if (this.#left >= 0 || this.#pause) return;
    for (const stream of this.#streams) stream.pause();
    this.#pause = setTimeout(() => this.#resume(), Math.ceil(-this.#left / CHARS_PER_MS)).unref();
  }

  /** The process has ended: what its pipes still contain is read. */
  close(): void {
    this.#isOver = true;
    this.#resume();
  }

  #resume(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    for (const stream of this.#streams) stream.resume();
  }
}
