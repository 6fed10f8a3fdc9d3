/**
 * What this node holds of the queue: leased deliveries, in one lane for each destination. A lane lets a few out at once
 * and the rest wait their turn; ready lanes take turns. So a destination that doesn't answer fills its own lane and
 * nobody else's. A full lane takes no more: what comes stays in the table, and until that has been fetched the lane is
 * `behind`, so that nothing newer overtakes it. How many a lane lets out is its breaker's to say; when that opens, what
 * waits in the lane goes back to the table.
 */
import { BREAKER_RULES, type BreakerRules, createBreakers, type Verdict } from './breaker.ts';
import { createSlots, type SlotLimits } from './slots.ts';

export type Lanes<T> = {
  /** Starts handing out, one call of `send` for each. */
  open(handlers: Handlers<T>): void;
  /** Takes everything back that waits. */
  takeBack(): T[];
  /** Hands out no more; what comes from now on is given back. */
  close(): void;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  /** Whether a new delivery may come here directly instead of through the table. */
  hasRoom(destination_id: string): boolean;
  push(item: T): void;
  /** Whether what a person asked for may come here, whatever the lane and its breaker say. */
  takesUrgent(): boolean;
  pushUrgent(item: T): void;
  /** These may have been leased to this node, and it won't send them. */
  returned(items: T[]): void;
  /** A new delivery stayed in the table. */
  spilled(destination_id: string): void;
  /** Whether such a one could go out soon; a lane with enough to do asks for more by itself (`onRoom`). */
  wants(destination_id: string): boolean;
  /** Before fetching from the table. */
  fetching(): Fetch;
  /**
   * After it: each lane's share of at most `most`, and the lane at which it was full (null: it went through to the last).
   * The next fetch goes on from there; answers whether that should be at once.
   */
  fetched(fetch: Fetch, shares: Map<string, number>, most: number, upTo: string | null): boolean;
  /** Somebody changed the destination: what its breaker knew no longer counts. */
  changed(destination_id: string): void;
  /** Destinations that fail and get nothing for now, and until when, as far as this node knows. */
  leftAlone(): { id: string; untilMs: number }[];
  /** What waits here and what is in flight. */
  held(): T[];
  /** How many attempts are in flight, and how many breakers are not closed. */
  figures(): { inFlight: number; waiting: number; broken: number };
};

export type Handlers<T> = {
  send: (item: T) => Promise<Verdict>;
  onRoom: () => void;
  /** What was leased and won't be sent now. */
  onUnused: (items: T[]) => void;
  onBreaker: (destination_id: string, change: 'OPENED' | 'CLOSED') => void;
};
/** Lanes `after` an id, but not those `without` room, and of those in `single` only one each; `room` in all. */
export type Fetch = { after: string; without: string[]; single: string[]; room: number; mark: number };

type Lane<T> = { id: string; waiting: T[]; inFlight: number; ready: boolean };

export type LaneLimits = { inFlightPerLane: number; slots: SlotLimits; perLane: number; waiting: number };
const LIMITS: LaneLimits = {
  inFlightPerLane: 8,
  slots: { quick: 128, all: 1024, longMs: 250 },
  perLane: 64,
  waiting: 2000,
};

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

export function createLanes<T extends { destination_id: string }>(
  rules: BreakerRules = BREAKER_RULES,
  limits: LaneLimits = LIMITS,
): Lanes<T> {
  const lanes = new Map<string, Lane<T>>();
  const ready: Lane<T>[] = [];
  /** Lanes with older deliveries in the table, each with the number of the latest spill. */
  const behind = new Map<string, number>();
  const sending = new Set<T>();
  const slots = createSlots(limits.slots, pump);
  const breakers = createBreakers(rules, { most: limits.inFlightPerLane, onHalfOpen: onAllowed });
  let spills = 0;
  let waiting = 0;
  let next = BEFORE_ALL;
  let handlers: Handlers<T> | undefined;
  let closed = false;
  const idlers: (() => void)[] = [];

  function laneOf(id: string): Lane<T> {
    let lane = lanes.get(id);
    if (!lane) {
      lane = { id, waiting: [], inFlight: 0, ready: false };
      lanes.set(id, lane);
    }
    return lane;
  }

  const wants = (id: string) => breakers.allowance(id) > (lanes.get(id)?.waiting.length ?? 0);
  const isOpen = () => handlers !== undefined && !closed;
  const isAllowed = (lane: Lane<T>) => lane.waiting.length > 0 && lane.inFlight < breakers.allowance(lane.id);

  function makeReady(lane: Lane<T>) {
    if (lane.ready || !isAllowed(lane)) return;
    lane.ready = true;
    ready.push(lane);
  }

  function pump() {
    while (handlers && !closed && ready.length > 0 && slots.hasRoom()) {
      const lane = ready.shift();
      if (!lane) return;
      lane.ready = false;
      const item = isAllowed(lane) ? lane.waiting.shift() : undefined;
      if (!item) continue;
      waiting--;
      letOut(lane, item, handlers);
      makeReady(lane);
    }
  }

  function letOut(lane: Lane<T>, item: T, { send }: Handlers<T>) {
    const slot = slots.take();
    const ticket = breakers.begin(lane.id);
    lane.inFlight++;
    sending.add(item);
    void send(item).then((verdict) => {
      slots.free(slot);
      sending.delete(item);
      lane.inFlight--;
      const change = breakers.end(lane.id, ticket, verdict);
      if (change) onChange(lane, change);
      makeReady(lane);
      pump();
      if (behind.has(lane.id) && wants(lane.id) && !closed) handlers?.onRoom();
      if (lane.waiting.length === 0 && lane.inFlight === 0) lanes.delete(lane.id);
      if (slots.taken() === 0) for (const idle of idlers.splice(0)) idle();
    });
  }

  function onChange(lane: Lane<T>, change: 'OPENED' | 'CLOSED') {
    handlers?.onBreaker(lane.id, change);
    if (change === 'CLOSED' || lane.waiting.length === 0) return;
    const unused = lane.waiting.splice(0);
    waiting -= unused.length;
    giveBack(lane.id, unused);
  }

  function giveBack(id: string, items: T[]) {
    behind.set(id, ++spills);
    handlers?.onUnused(items);
  }

  function push(item: T) {
    const id = item.destination_id;
    if (closed || (handlers && breakers.allowance(id) === 0)) return giveBack(id, [item]);
    const lane = laneOf(id);
    lane.waiting.push(item);
    waiting++;
    makeReady(lane);
    pump();
  }

  /** More may go out of this lane than before, and what that is may lie in the table. */
  function onAllowed(id: string) {
    const lane = lanes.get(id);
    if (lane) makeReady(lane);
    pump();
    if (!closed) handlers?.onRoom();
  }

  const sizeOf = (id: string) => {
    const lane = lanes.get(id);
    return lane ? lane.waiting.length + lane.inFlight : 0;
  };
  /** How much a lane holds; a broken one holds what it may let out. */
  const roomOf = (id: string) => {
    const allowance = breakers.allowance(id);
    return allowance === 0 || breakers.isHalfOpen(id) ? allowance : limits.perLane;
  };

  return {
    open(given) {
      handlers = given;
      pump();
    },
    takeBack() {
      const left = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
      ready.length = 0;
      waiting = 0;
      for (const lane of lanes.values()) lane.ready = false;
      return left;
    },
    close() {
      closed = true;
      breakers.close();
    },
    idle: () => (slots.taken() === 0 ? Promise.resolve() : new Promise((ok) => idlers.push(ok))),
    hasRoom: (id) => isOpen() && !behind.has(id) && waiting < limits.waiting && sizeOf(id) < roomOf(id),
    push,
    takesUrgent: isOpen,
    pushUrgent(item) {
      if (handlers && !closed) letOut(laneOf(item.destination_id), item, handlers);
      else push(item);
    },
    returned(items) {
      if (items.length > 0) handlers?.onUnused(items);
    },
    spilled(id) {
      behind.set(id, ++spills);
    },
    wants,
    fetching() {
      const broken = breakers.broken();
      const full = [...lanes.keys()].filter((id) => sizeOf(id) >= limits.perLane);
      return {
        after: next,
        without: [...full, ...broken.filter((id) => sizeOf(id) >= roomOf(id))],
        single: broken.filter((id) => sizeOf(id) < roomOf(id)),
        room: limits.waiting - waiting,
        mark: spills,
      };
    },
    fetched({ after, without, single, mark }, shares, most, upTo) {
      const leftOut = new Set(without);
      for (const [id, count] of shares)
        if (id === upTo || count >= (single.includes(id) ? 1 : most)) behind.set(id, ++spills);
      for (const [id, spill] of behind) {
        const lookedAt = shares.has(id) || (id > after && (upTo === null || id < upTo) && !leftOut.has(id));
        if (lookedAt && spill <= mark) behind.delete(id);
      }
      next = upTo ?? BEFORE_ALL;
      return upTo !== null || after !== BEFORE_ALL;
    },
    changed(id) {
      breakers.reset(id);
      onAllowed(id);
    },
    leftAlone: breakers.open,
    held: () => [...sending, ...[...lanes.values()].flatMap(({ waiting }) => waiting)],
    figures: () => ({ inFlight: slots.taken(), waiting, broken: breakers.broken().length }),
  };
}
