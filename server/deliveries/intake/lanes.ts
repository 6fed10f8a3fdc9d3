/**
 * Leased deliveries of this node, in one lane per destination. A lane sends a limited number at a time; ready lanes
 * take turns. A destination that does not respond therefore fills only its own lane. A full lane accepts no more: new
 * deliveries stay in the table, and the lane is in the backlog until they are fetched, so that newer deliveries do not
 * overtake them. The circuit breaker limits the number in flight; when it opens, the waiting deliveries of the lane
 * return to the table.
 *
 * Each part has its own state: waiting deliveries (lane-set.ts), deliveries in flight (slots.ts), lanes with deliveries
 * in the table (backlog.ts), limits that users set (pacer.ts), and the breakers.
 */
import {
  BREAKER_RULES,
  type BreakerRules,
  type Breakers,
  createBreakers,
  type Verdict,
} from '../destinations/breaker.ts';
import { type Backlog, createBacklog, type Fetch } from './backlog.ts';
import { createLaneSet, type Lane, type LaneSet } from './lane-set.ts';
import { createPacer, createWakers, type Pacer } from './pacer.ts';
import { createSlots, type SlotLimits } from './slots.ts';

export type Lanes<T> = {
  /** Starts sending, with one call of `send` per delivery. */
  open(handlers: Handlers<T>): void;
  /** Removes and returns all waiting deliveries. */
  takeBack(): T[];
  /** Stops sending; deliveries added later are returned. */
  close(): void;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  /** Whether a new delivery may enter directly instead of through the table. */
  hasRoom(destination_id: string): boolean;
  push(item: T): void;
  /** Whether a manual delivery may enter, regardless of its lane and breaker. */
  takesUrgent(): boolean;
  pushUrgent(item: T): void;
  /** Releases deliveries that may have been leased to this node and will not be sent. */
  returned(items: T[]): void;
  /** Records that a new delivery stayed in the table. */
  spilled(destination_id: string): void;
  /** The same at a paused destination: no fetch reads it before `paceChanged`. */
  spilledPaused(destination_id: string): void;
  /** Whether a delivery in the table could be sent soon. A busy lane requests more when it runs low (`onRoom`). */
  wants(destination_id: string): boolean;
  /** The parameters of the next fetch from the table. */
  fetching(): Fetch;
  /** Ends a fetch. */
  fetched: Backlog['fetched'];
  /** Resets the breaker of a changed destination. */
  changed(destination_id: string): void;
  /**
   * The destination was paused or resumed, or its limits changed: its waiting deliveries return to the table, and new
   * ones do not overtake them.
   */
  paceChanged(destination_id: string): void;
  /** The limits of lanes; their deliveries are fetched by sending/limited-sending.ts. */
  pacer: Omit<Pacer, 'readyIn' | 'started'>;
  /** How many more deliveries all lanes with limits may hold; they leave half of the node to the others. */
  limitedRoom(): number;
  /** How many more deliveries a lane with limits should hold, to send without a pause. */
  lackOf(destination_id: string): Lack;
  /** The circuit breaker of a destination opened on another node, for this long. */
  opened(destination_id: string, pauseMs: number): void;
  /** Releases the waiting deliveries of a destination, some of which may have been canceled. */
  recall(destination_id: string): void;
  /** Destinations with an open circuit breaker on this node, each with the time of its next probes. */
  openCircuits(): { id: string; untilMs: number }[];
  /** Deliveries waiting and in flight. */
  held(): T[];
  /** Numbers of attempts in flight, waiting deliveries, and breakers that are not closed. */
  figures(): { inFlight: number; waiting: number; broken: number };
};

export type Handlers<T> = {
  send: (item: T) => Promise<Verdict>;
  onRoom: () => void;
  /** A lane with limits runs low. */
  onLimitedRoom: () => void;
  /** Releases leases that are not used. */
  onUnused: (items: T[]) => void;
  /** `item`: the delivery whose attempt was the cause. `pauseMs`: how long the breaker is open. */
  onBreaker: (item: T, change: 'OPENED' | 'CLOSED', pauseMs: number) => void;
};

export type LaneLimits = { inFlightPerLane: number; slots: SlotLimits; perLane: number; waiting: number };
const LIMITS: LaneLimits = {
  inFlightPerLane: 8,
  slots: { quick: 128, all: 1024, longMs: 250 },
  perLane: 64,
  waiting: 2000,
};

/**
 * A lane with limits holds the deliveries of this many rounds, so that their leases do not expire while they wait, and
 * only those that may start within this time.
 */
const LANE_ROUNDS = 8;
const AHEAD_MS = 1500;

export function createLanes<T extends { destination_id: string }>(
  rules: BreakerRules = BREAKER_RULES,
  limits: LaneLimits = LIMITS,
): Lanes<T> {
  const pacer = createPacer();
  const most = (id: string) => pacer.inFlightOf(id) ?? limits.inFlightPerLane;
  const breakers = createBreakers(rules, { most, onHalfOpen: onAllowed });
  const lanes = createLaneSet<T>(breakers.allowance, mayStart);
  const wakers = createWakers(wake);
  const backlog = createBacklog();
  const slots = createSlots<T>(limits.slots, pump);
  let handlers: Handlers<T> | undefined;
  let closed = false;

  const lackOf = (id: string) => lackIn(lanes, breakers, pacer, 2 * limits.perLane, id);
  const isOpen = () => handlers !== undefined && !closed;
  const wants = (id: string) => breakers.allowance(id) > lanes.waitingIn(id);

  function mayStart(id: string): boolean {
    if (!pacer.has(id)) return true;
    const waitMs = pacer.readyIn(id);
    // Without a reservation the next fetch wakes the lane.
    if (waitMs > 0 && waitMs < Number.POSITIVE_INFINITY && !closed) wakers.wakeIn(id, waitMs);
    return waitMs === 0;
  }

  function wake(id: string) {
    lanes.allowanceGrew(id);
    pump();
  }

  function pump() {
    while (isOpen() && lanes.hasReady() && slots.hasRoom()) lanes.takeTurn(letOut);
  }

  function letOut(lane: Lane<T>, item: T) {
    const slot = slots.take(item);
    const ticket = breakers.begin(lane.id);
    lane.inFlight++;
    pacer.started(lane.id, lane.waiting.length === 0);
    nudgeIfLow(lane.id);
    void handlers?.send(item).then((verdict) => {
      slots.free(slot, item);
      lane.inFlight--;
      const change = breakers.end(lane.id, ticket, verdict);
      if (change) handlers?.onBreaker(item, change, breakers.pauseOf(lane.id));
      if (change === 'OPENED') recall(lane.id);
      lanes.makeReady(lane);
      pump();
      if (backlog.has(lane.id) && wants(lane.id) && !closed) handlers?.onRoom();
      nudgeIfLow(lane.id);
      lanes.prune(lane);
    });
  }

  function nudgeIfLow(id: string) {
    if (!pacer.has(id) || closed) return;
    const { lack, waiting } = lackOf(id);
    if (lack > waiting) handlers?.onLimitedRoom();
  }

  function giveBack(id: string, items: T[]) {
    backlog.add(id);
    handlers?.onUnused(items);
  }

  function recall(id: string) {
    if (lanes.waitingIn(id) > 0) giveBack(id, lanes.empty(lanes.lane(id)));
  }

  function push(item: T) {
    const id = item.destination_id;
    if (closed || (handlers && breakers.allowance(id) === 0)) return giveBack(id, [item]);
    lanes.add(item);
    pump();
  }

  /** The lane may send more than before, from memory or from the table. */
  function onAllowed(id: string) {
    wake(id);
    if (closed) return;
    handlers?.onRoom();
    handlers?.onLimitedRoom();
  }

  /** A lane with an open or half-open breaker holds only what it may send. */
  const capacityOf = (id: string) => (breakers.isBroken(id) ? breakers.allowance(id) : limits.perLane);

  return {
    open(given) {
      handlers = given;
      pump();
    },
    takeBack: lanes.emptyAll,
    close() {
      closed = true;
      breakers.close();
      wakers.close();
    },
    idle: slots.idle,
    hasRoom: (id) =>
      isOpen() && !backlog.has(id) && lanes.waiting() < limits.waiting && lanes.sizeOf(id) < capacityOf(id),
    push,
    takesUrgent: isOpen,
    pushUrgent(item) {
      if (isOpen()) letOut(lanes.lane(item.destination_id), item);
      else push(item);
    },
    returned(items) {
      if (items.length > 0) handlers?.onUnused(items);
    },
    spilled: backlog.add,
    spilledPaused: backlog.addPaused,
    wants,
    fetching: () => ({
      ...backlog.position(),
      ...chooseLanes(lanes, breakers, limits.perLane),
      room: limits.waiting - lanes.waiting(),
    }),
    fetched: backlog.fetched,
    changed(id) {
      breakers.reset(id);
      onAllowed(id);
    },
    paceChanged(id) {
      recall(id);
      backlog.add(id);
      onAllowed(id);
    },
    pacer: waking(pacer, wake),
    limitedRoom: () => limits.waiting / 2 - pacer.ids().reduce((sum, id) => sum + lanes.waitingIn(id), 0),
    lackOf,
    recall,
    opened(id, pauseMs) {
      breakers.openAs(id, pauseMs);
      recall(id);
    },
    openCircuits: breakers.open,
    held: () => [...slots.items(), ...lanes.items()],
    figures: () => ({ inFlight: slots.taken(), waiting: lanes.waiting(), broken: breakers.broken().length }),
  };
}

/** A changed limit or a reservation may let a lane continue. */
function waking(pacer: Pacer, wake: (id: string) => void): Pacer {
  return {
    ...pacer,
    set(id, ...limit) {
      pacer.set(id, ...limit);
      wake(id);
    },
    reserve(id, count) {
      const ms = pacer.reserve(id, count);
      wake(id);
      return ms;
    },
  };
}

type Lack = { lack: number; waiting: number; isProbed: boolean };

function lackIn(
  lanes: Pick<LaneSet<unknown>, 'sizeOf' | 'waitingIn'>,
  breakers: Breakers,
  pacer: Pacer,
  most: number,
  id: string,
): Lack {
  const waiting = lanes.waitingIn(id);
  const isProbed = breakers.isHalfOpen(id);
  if (isProbed) return { lack: lanes.sizeOf(id) === 0 ? breakers.allowance(id) : 0, waiting, isProbed };
  const room = Math.min(most, LANE_ROUNDS * breakers.allowance(id));
  return { lack: Math.max(0, Math.min(room, pacer.allowedWithin(id, AHEAD_MS)) - waiting), waiting, isProbed };
}

/** Probes of a half-open lane are fetched together, and the next ones when these have ended. */
function chooseLanes(
  lanes: Pick<LaneSet<unknown>, 'sizeOf' | 'withAtLeast'>,
  breakers: Breakers,
  perLane: number,
): Pick<Fetch, 'without' | 'probed'> {
  const isProbed = (id: string) => breakers.isHalfOpen(id) && lanes.sizeOf(id) === 0;
  const broken = breakers.broken();
  return {
    without: [...lanes.withAtLeast(perLane), ...broken.filter((id) => !isProbed(id))],
    probed: broken.filter(isProbed),
  };
}
