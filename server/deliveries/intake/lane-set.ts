/** Waiting items in one lane per destination. Lanes that may send an item take turns. */

export type Lane<T> = { id: string; waiting: T[]; inFlight: number; ready: boolean };

export type LaneSet<T> = {
  /** The lane of a destination; created if missing. */
  lane(id: string): Lane<T>;
  /** Appends an item to the lane of its destination. */
  add(item: T): void;
  /** Adds the lane to the rotation if one of its items may be sent. */
  makeReady(lane: Lane<T>): void;
  hasReady(): boolean;
  /** Passes the next item of the next lane in the rotation to `letOut`, if the lane may still send. */
  takeTurn(letOut: (lane: Lane<T>, item: T) => void): void;
  /** Removes and returns the waiting items of a lane. */
  empty(lane: Lane<T>): T[];
  /** Removes and returns the waiting items of all lanes. */
  emptyAll(): T[];
  /** Removes the lane if it is empty. */
  prune(lane: Lane<T>): void;
  /** Adds the lane to the rotation after its allowance may have grown. */
  allowanceGrew(id: string): void;
  waitingIn(id: string): number;
  /** Number of items waiting and in flight. */
  sizeOf(id: string): number;
  /** Ids of lanes with at least this many items. */
  withAtLeast(size: number): string[];
  /** Number of items waiting in all lanes. */
  waiting(): number;
  items(): T[];
};

/** `allowance`: maximum number of items of a lane in flight. `mayStart`: whether its rate permits one now. */
export function createLaneSet<T extends { destination_id: string }>(
  allowance: (id: string) => number,
  mayStart: (id: string) => boolean,
): LaneSet<T> {
  const lanes = new Map<string, Lane<T>>();
  const ready: Lane<T>[] = [];
  let waiting = 0;

  const isAllowed = (lane: Lane<T>) =>
    lane.waiting.length > 0 && lane.inFlight < allowance(lane.id) && mayStart(lane.id);
  const waitingIn = (id: string) => lanes.get(id)?.waiting.length ?? 0;
  const sizeOf = (id: string) => {
    const lane = lanes.get(id);
    return lane ? lane.waiting.length + lane.inFlight : 0;
  };

  function laneOf(id: string): Lane<T> {
    let lane = lanes.get(id);
    if (!lane) {
      lane = { id, waiting: [], inFlight: 0, ready: false };
      lanes.set(id, lane);
    }
    return lane;
  }

  function makeReady(lane: Lane<T>) {
    if (lane.ready || !isAllowed(lane)) return;
    lane.ready = true;
    ready.push(lane);
  }

  return {
    lane: laneOf,
    add(item) {
      const lane = laneOf(item.destination_id);
      lane.waiting.push(item);
      waiting++;
      makeReady(lane);
    },
    makeReady,
    hasReady: () => ready.length > 0,
    takeTurn(letOut) {
      const lane = ready.shift();
      if (!lane) return;
      lane.ready = false;
      const item = isAllowed(lane) ? lane.waiting.shift() : undefined;
      if (!item) return;
      waiting--;
      letOut(lane, item);
      makeReady(lane);
    },
    empty(lane) {
      waiting -= lane.waiting.length;
      return lane.waiting.splice(0);
    },
    emptyAll() {
      ready.length = 0;
      waiting = 0;
      for (const lane of lanes.values()) lane.ready = false;
      return [...lanes.values()].flatMap((lane) => lane.waiting.splice(0));
    },
    prune(lane) {
      if (lane.waiting.length === 0 && lane.inFlight === 0) lanes.delete(lane.id);
    },
    allowanceGrew(id) {
      const lane = lanes.get(id);
      if (lane) makeReady(lane);
    },
    waitingIn,
    sizeOf,
    withAtLeast: (size) => [...lanes.keys()].filter((id) => sizeOf(id) >= size),
    waiting: () => waiting,
    items: () => [...lanes.values()].flatMap((lane) => lane.waiting),
  };
}
