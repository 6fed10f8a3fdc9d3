/**
 * Limits the output of functions that the service reads. Beyond a limit, the service reads the output of that process
 * later, so the function waits in its next write.
 */
import type { Readable } from 'node:stream';

export type OutputShare = {
  /** Counts output; returns the milliseconds to wait before reading more. */
  take(amount: number): number;
};

const MAX_ACCOUNTS = 10_000;

/** A limit of `burst` at once, refilled at `perMs`. */
export function createOutputShare(burst: number, perMs: number, now = () => performance.now()): OutputShare {
  let left = burst;
  let atMs = now();
  return {
    take(amount) {
      const nowMs = now();
      left = Math.min(burst, left + (nowMs - atMs) * perMs) - amount;
      atMs = nowMs;
      return left >= 0 ? 0 : -left / perMs;
    },
  };
}

/** The shares of all accounts: a second's worth at once, refilled at `bytesPerSecond`. */
export function createOutputShares(bytesPerSecond: number, now?: () => number) {
  const shares = new Map<string, OutputShare>();
  return (account_id: string): OutputShare => {
    const known = shares.get(account_id);
    if (known) return known;
    const share = createOutputShare(bytesPerSecond, bytesPerSecond / 1000, now);
    const [oldest] = shares.keys();
    if (shares.size >= MAX_ACCOUNTS && oldest !== undefined) shares.delete(oldest);
    shares.set(account_id, share);
    return share;
  };
}

/** Output of a process that the service may read and throw away: characters at once, and each millisecond. */
const USELESS = { burst: 4 * 1024 * 1024, perMs: 1024 };

/**
 * Reads the streams of one process at the pace of its account. Text beyond the log of a run, and invalid or forged
 * reports, also count towards a limit of the process. The streams pause until the longer of both waits is over.
 */
export class OutputPace {
  readonly #streams: readonly Readable[];
  readonly #useless = createOutputShare(USELESS.burst, USELESS.perMs);
  #share: OutputShare | undefined;
  #untilMs = 0;
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
    this.#wait(this.#share?.take(bytes) ?? 0);
  }

  /** Counts output that was of no use. */
  countUseless(chars: number): void {
    this.#wait(this.#useless.take(chars));
  }

  /** The process has ended: read the rest at once. */
  close(): void {
    this.#isOver = true;
    this.#resume();
  }

  #wait(waitMs: number): void {
    const untilMs = performance.now() + waitMs;
    if (this.#isOver || waitMs < 1 || untilMs <= this.#untilMs) return;
    for (const stream of this.#streams) stream.pause();
    clearTimeout(this.#timer);
    this.#untilMs = untilMs;
    this.#timer = setTimeout(() => this.#resume(), Math.ceil(waitMs)).unref();
  }

  #resume(): void {
    clearTimeout(this.#timer);
    this.#untilMs = 0;
    for (const stream of this.#streams) stream.resume();
  }
}
