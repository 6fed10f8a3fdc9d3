/**
 * Slots for the items in flight on this node. A slow attempt releases its slot to another, so that many receivers that
 * do not respond cannot occupy all slots. The total number in flight stays bounded.
 */
export type SlotLimits = { quick: number; all: number; longMs: number };
export type Slots<T> = {
  /** Whether a slot is free; if not, `onFree` is called when an attempt becomes slow. */
  hasRoom(): boolean;
  take(item: T): Slot;
  free(slot: Slot, item: T): void;
  taken(): number;
  /** The items in flight. */
  items(): Iterable<T>;
  /** Resolves when no slot is in use. */
  idle(): Promise<void>;
};
export type Slot = { atMs: number; state: 'QUICK' | 'LONG' | 'FREE' };

export function createSlots<T>(limits: SlotLimits, onFree: () => void): Slots<T> {
  /** In order of time; free slots are removed at the front. */
  const order: Slot[] = [];
  const items = new Set<T>();
  const idlers: (() => void)[] = [];
  let quick = 0;
  let timer: NodeJS.Timeout | undefined;

  function age(nowMs: number) {
    for (let first = order[0]; first; first = order[0]) {
      if (first.state === 'QUICK' && nowMs - first.atMs < limits.longMs) return;
      order.shift();
      if (first.state !== 'QUICK') continue;
      first.state = 'LONG';
      quick--;
    }
  }

  function wakeWhenLong(nowMs: number) {
    const [first] = order;
    if (timer || !first) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        onFree();
      },
      Math.max(1, Math.ceil(first.atMs + limits.longMs - nowMs)),
    ).unref();
  }

  return {
    hasRoom() {
      if (items.size >= limits.all) return false;
      if (quick < limits.quick) return true;
      const nowMs = performance.now();
      age(nowMs);
      if (quick < limits.quick) return true;
      wakeWhenLong(nowMs);
      return false;
    },
    take(item) {
      const slot: Slot = { atMs: performance.now(), state: 'QUICK' };
      order.push(slot);
      items.add(item);
      quick++;
      if (order[0]?.state === 'FREE' || order.length > limits.all) age(slot.atMs);
      return slot;
    },
    free(slot, item) {
      if (slot.state === 'QUICK') quick--;
      slot.state = 'FREE';
      items.delete(item);
      if (items.size === 0) for (const idle of idlers.splice(0)) idle();
    },
    taken: () => items.size,
    items: () => items.values(),
    idle: () => (items.size === 0 ? Promise.resolve() : new Promise((ok) => idlers.push(ok))),
  };
}
