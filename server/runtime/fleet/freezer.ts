/** Stops idle processes until their next run. */
import type { Isolate } from './isolate.ts';

type Freezable = {
  isolate: Pick<Isolate, 'freeze' | 'thaw'>;
  /** Stopped until its next run. */
  frozen: boolean;
};

export class Freezer {
  readonly #afterMs: number;
  readonly #idle = new Map<Freezable, NodeJS.Timeout>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  freezeLater(slot: Freezable): void {
    const timer = setTimeout(() => {
      slot.frozen = slot.isolate.freeze();
    }, this.#afterMs);
    this.#idle.set(slot, timer.unref());
  }

  thaw(slot: Freezable): void {
    this.forget(slot);
    if (slot.frozen) slot.isolate.thaw();
    slot.frozen = false;
  }

  forget(slot: Freezable): void {
    clearTimeout(this.#idle.get(slot));
    this.#idle.delete(slot);
  }
}
