/** One search in progress: the parts that threads have of it, and the answer that they become. */

import { NONE_ALONE } from '../documents.ts';
import type { FoundFunction, FromSearcher, Order } from '../messages.ts';
import { createProgress, type Progress } from '../progress.ts';
import { RegexError } from '../query/regex-error.ts';
import { type Answer, createResultCollector, type ResultCollector } from '../result-collector.ts';
import { sharedClockMs } from '../shared-clock.ts';
import type { SearchListener } from './search-thread.ts';
import type { Thread } from './threads.ts';

export type SearchWays = {
  /** No caller waits for the answer any more: the threads stop. */
  signal?: AbortSignal | undefined;
  /** Something was found; `look` shows the best so far, in their order. */
  onFound?: ((look: () => FoundFunction[]) => void) | undefined;
};

type Setting = {
  job: number;
  order: Order;
  ways: SearchWays;
  /** The threads that take part, the first one first. */
  asked: Thread[];
  /** Whether the threads got changes since, or one of those asked can't be used any more. */
  isOutdated: () => boolean;
  /** A thread was lost the first time. */
  isRepeated: boolean;
  again: (isRepeated: boolean) => Promise<Answer>;
  onFailure: (reason: string | undefined) => void;
};

/** How late the threads may be before a search ends with what there is. */
const LATE_MS = 30;

export class SearchRun implements SearchListener {
  readonly #setting: Setting;
  readonly #progress: Progress;
  readonly #finds: ResultCollector;
  readonly #answer = Promise.withResolvers<Answer>();
  #late: NodeJS.Timeout | undefined;
  #isWhole = true;
  /** Parts that threads are at, and parts that were ever given out. */
  #open = 0;
  #begun = 0;
  #isOver = false;

  constructor(setting: Setting) {
    const { asked, order } = setting;
    this.#setting = setting;
    this.#progress = createProgress(asked.length, order.limit);
    this.#finds = createResultCollector(order.limit, this.#progress);
  }

  /** Up to the place `alone` the first thread searches alone. Rejects with RegexError. */
  begin(alone: number): Promise<Answer> {
    const { order, ways, asked } = this.#setting;
    this.#late = setTimeout(this.#stop, order.untilMs - sharedClockMs() + LATE_MS);
    ways.signal?.addEventListener('abort', this.#stop);
    for (const share of asked.keys()) if (share === 0 || alone === NONE_ALONE) this.#take(share, alone);
    return this.#answer.promise;
  }

  found(more: FoundFunction[]): void {
    this.#finds.add(more);
    this.#setting.ways.onFound?.(this.#finds.best);
  }

  takesLong(aloneTo: number): void {
    if (this.#isOver) return;
    const { asked, isOutdated, isRepeated } = this.#setting;
    // All of them choose from the changes they got, and the others got more; or one was lost.
    if (isOutdated()) this.#beginAgain(isRepeated);
    else for (const share of asked.keys()) if (share > 0) this.#take(share, aloneTo);
  }

  end({ end: how, rest = [], reason, position }: Extract<FromSearcher, { end: unknown }>): void {
    if (this.#isOver) return;
    if (rest.length > 0) this.found(rest);
    if (how === 'FAILED') this.#setting.onFailure(reason);
    if (how !== 'ALL') this.#isWhole = false;
    if (how === 'INVALID') {
      this.#close();
      this.#answer.reject(new RegexError(reason ?? '', position ?? 0));
    } else this.#endPart();
  }

  lost(): void {
    if (this.#isOver) return;
    // The other threads have the whole index. Once only: it may be this search that ends threads.
    if (this.#setting.isRepeated) {
      this.#isWhole = false;
      this.#endPart();
    } else this.#beginAgain(true);
  }

  #take(share: number, alone: number): void {
    const { job, order, asked } = this.#setting;
    this.#open += 1;
    this.#begun += 1;
    const part = { share, shares: asked.length, alone };
    const message = { job, order, progress: this.#progress.memory, share: part };
    asked[share]?.ask(message, () => this.#progress.begun() >= this.#begun, this);
  }

  #endPart(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#end();
  }

  #end(): void {
    this.#close();
    this.#answer.resolve(this.#finds.answer(this.#isWhole));
  }

  /** Time is up, or no caller waits any more. */
  readonly #stop = (): void => {
    this.#progress.stop();
    this.#isWhole = false;
    this.#end();
  };

  #beginAgain(isRepeated: boolean): void {
    this.#close();
    this.#progress.stop();
    this.#answer.resolve(this.#setting.again(isRepeated));
  }

  #close(): void {
    this.#isOver = true;
    clearTimeout(this.#late);
    this.#setting.ways.signal?.removeEventListener('abort', this.#stop);
  }
}
