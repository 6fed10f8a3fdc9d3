/**
 * Limits the output of functions that the service reads, in bytes per second and account. Beyond it, the service reads
 * the output of that process later, so the function waits in its next write.
 */
import type { Readable } from 'node:stream';

export type OutputShare = {
  /** Counts bytes; returns the milliseconds to wait before reading more. */
  take(bytes: number): number;
};

const MAX_ACCOUNTS = 10_000;

/** The shares of all accounts: a second's worth at once, refilled at `bytesPerSecond`. */
export function createOutputShares(bytesPerSecond: number, now = () => performance.now()) {
  const shares = new Map<string, OutputShare>();
  return (account_id: string): OutputShare => {
    let share = shares.get(account_id);
    if (share) return share;
    let left = bytesPerSecond;
    let atMs = now();
    share = {
      take(bytes) {
        const nowMs = now();
        left = Math.min(bytesPerSecond, left + ((nowMs - atMs) / 1000) * bytesPerSecond) - bytes;
        atMs = nowMs;
        return left >= 0 ? 0 : (-left / bytesPerSecond) * 1000;
      },
    };
    const [oldest] = shares.keys();
    if (shares.size >= MAX_ACCOUNTS && oldest !== undefined) shares.delete(oldest);
    shares.set(account_id, share);
    return share;
  };
}

/** Reads the streams of one process at the pace of its account. */
export class OutputPace {
  readonly #streams: readonly Readable[];
  #share: OutputShare | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(...streams: Readable[]) {
    this.#streams = streams;
  }

  /** The account whose share the output counts towards. */
  use(share: OutputShare): void {
    this.#share = share;
  }

  count(bytes: number): void {
    if (this.#isOver) return;
    const waitMs = this.#share?.take(bytes) ?? 0;
    if (waitMs < 1 || this.#timer) return;
    for (const stream of this.#streams) stream.pause();
    this.#timer = setTimeout(() => this.#resume(), waitMs);
  }

  /** The process has ended: read the rest at once. */
  close(): void {
    this.#isOver = true;
    this.#resume();
  }

  #resume(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const stream of this.#streams) stream.resume();
  }
}
