/**
 * Places for what is in flight on this node. An attempt that takes long leaves its place to another, so that many
 * receivers that don't answer can't take them all; how many may be in flight in all stays bounded.
 */
export type SlotLimits = { quick: number; all: number; longMs: number };
export type Slots = {
  /** Whether one is left now; if not, `onFree` is called when one has been taken for long. */
  hasRoom(): boolean;
  take(): Slot;
  free(slot: Slot): void;
  taken(): number;
};
export type Slot = { atMs: number; state: 'QUICK' | 'LONG' | 'FREE' };

export function createSlots(limits: SlotLimits, onFree: () => void): Slots {
  /** In order of time; the free ones among them leave when they come to the front. */
  const order: Slot[] = [];
  let quick = 0;
  let all = 0;
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
      if (all >= limits.all) return false;
      if (quick < limits.quick) return true;
      const nowMs = performance.now();
      age(nowMs);
      if (quick < limits.quick) return true;
      wakeWhenLong(nowMs);
      return false;
    },
    take() {
      const slot: Slot = { atMs: performance.now(), state: 'QUICK' };
      order.push(slot);
      quick++;
      all++;
      if (order[0]?.state === 'FREE' || order.length > limits.all) age(slot.atMs);
      return slot;
    },
    free(slot) {
      if (slot.state === 'QUICK') quick--;
      slot.state = 'FREE';
      all--;
    },
    taken: () => all,
  };
}
