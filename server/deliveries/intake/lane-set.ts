/** Waiting items in one lane for each destination. Lanes that may let an item out take turns. */

export type Lane<T> = { id: string; waiting: T[]; inFlight: number; ready: boolean };

export type LaneSet<T> = {
  /** Created where there is none. */
  lane(id: string): Lane<T>;
  /** Appends an item to the lane of its destination. */
  add(item: T): void;
  /** Puts the lane in the rotation, if it has an item that may go out. */
  makeReady(lane: Lane<T>): void;
  hasReady(): boolean;
  /** Lets the next item of the lane out whose turn it is, if that still may. */
  takeTurn(letOut: (lane: Lane<T>, item: T) => void): void;
  /** Removes and returns the waiting items of a lane. */
  empty(lane: Lane<T>): T[];
  /** The same of all lanes. */
  emptyAll(): T[];
  /** Removes the lane, if it holds nothing. */
  prune(lane: Lane<T>): void;
  /** Makes a lane ready whose allowance may have grown. */
  allowanceGrew(id: string): void;
  waitingIn(id: string): number;
  /** Waiting and in flight. */
  sizeOf(id: string): number;
  /** Lanes that hold at least this many. */
  withAtLeast(size: number): string[];
  /** Waiting in all lanes. */
  waiting(): number;
  items(): T[];
};

/** `allowance`: how many of a lane may be in flight now. */
export function createLaneSet<T extends { destination_id: string }>(allowance: (id: string) => number): LaneSet<T> {
  const lanes = new Map<string, Lane<T>>();
  const ready: Lane<T>[] = [];
  let waiting = 0;

  const isAllowed = (lane: Lane<T>) => lane.waiting.length > 0 && lane.inFlight < allowance(lane.id);
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
