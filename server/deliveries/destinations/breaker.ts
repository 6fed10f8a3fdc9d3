/**
 * Concurrency limit and circuit breaker of each destination, from its recent attempts on this node. Five failures in a
 * row open the breaker, here and on the other nodes of the cluster: nothing is sent for a pause, then up to three
 * deliveries probe the receiver (half-open). If the probes fail, the pause doubles, up to 10 seconds. A response that
 * counts as alive closes the breaker. A dead destination therefore costs at most three requests in 10 seconds, and each
 * of 10,000 waiting deliveries is attempted within a day (destination-health.ts needs these outcomes). The concurrency
 * limit of an overloaded receiver (429, 503, timeout) is halved, and grows by one after every 20 successes.
 *
 * A prompt 4xx response counts as alive: the receiver read the request and rejected this one event. The event is
 * retried on its own schedule and must not delay the others.
 */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Completion } from '../store/queue/delivery-queue.ts';

export type BreakerRules = { failures: number; firstPauseMs: number; longestPauseMs: number };

export const BREAKER_RULES: BreakerRules = { failures: 5, firstPauseMs: 5000, longestPauseMs: 10_000 };

/** How many deliveries may probe a half-open destination at a time. */
export const PROBES = 3;

/** The verdict of an attempt on its receiver; undefined: none. */
export type Verdict = 'ALIVE' | 'FAILED' | 'OVERLOADED' | undefined;

/**
 * Failures caused by the destination's settings: the next attempt costs the receiver nothing, and a pause does not
 * help.
 */
const NOT_THE_RECEIVER: (DeliveryReason | null)[] = [
  'TEMPLATE_ERROR',
  'TRANSFORM_ERROR',
  'BLOCKED_ADDRESS',
  'GONE',
  'CONNECTION_FAILED',
  'CONNECTION_DELETED',
];

/** A slower 4xx may come from a proxy that gave up on its upstream. */
const PROMPT_MS = 5000;
/** 4xx statuses about the state of the receiver instead of this request; 421 is that of a closing mail server. */
const NOT_ABOUT_THE_REQUEST: readonly (number | null)[] = [408, 421, 425, 429];

/** Judges the receiver by the outcome of one attempt. */
export function verdictOf({ status, reason, sent }: Completion): Verdict {
  if (!sent || NOT_THE_RECEIVER.includes(reason)) return undefined;
  if (status === 'SUCCEEDED' || reason === 'MESSAGE_REJECTED' || reason === 'APP_ERROR') return 'ALIVE';
  const { response_status, duration_ms } = sent;
  if (reason === 'TIMEOUT' || response_status === 429 || response_status === 503) return 'OVERLOADED';
  if (reason === 'HTTP_STATUS' && isRejection(response_status)) return duration_ms <= PROMPT_MS ? 'ALIVE' : undefined;
  return 'FAILED';
}

const isRejection = (status: number | null) =>
  status !== null && status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);

/** Counters of the breaker when an attempt began, so that `end` ignores results of an earlier state. */
export type Ticket = { opened: number; halved: number };
export type Breakers = {
  /** The number of attempts that may be in flight: 0 while the breaker is open, `PROBES` while it is half-open. */
  allowance(id: string): number;
  begin(id: string): Ticket;
  /** Returns the state change of the breaker, if any. */
  end(id: string, ticket: Ticket, verdict: Verdict): 'OPENED' | 'CLOSED' | undefined;
  isHalfOpen(id: string): boolean;
  /** Open or half-open. */
  isBroken(id: string): boolean;
  /** Destinations whose breaker is open or half-open. */
  broken(): string[];
  /** Destinations whose breaker is open, with the time of the next probes. */
  open(): { id: string; untilMs: number }[];
  /** The pause of an open breaker, which begins when it opens. */
  pauseOf(id: string): number;
  /**
   * Opens the breaker, as another node did for this long. Its probes are later than those of that node, which usually
   * closes the breaker or opens it again before.
   */
  openAs(id: string, pauseMs: number): void;
  /** Deletes the state of a destination, after a change to it. */
  reset(id: string): void;
  /** Stops all timers. */
  close(): void;
};

type State = 'CLOSED' | 'OPEN' | 'HALF_OPEN';
type Health = Ticket & {
  state: State;
  /** Consecutive failures that count. */
  failures: number;
  pauseMs: number;
  openedForMs: number;
  /** End of the pause, Unix time. */
  untilMs: number;
  timer: NodeJS.Timeout | undefined;
  allowance: number;
  /** Since the allowance last changed. */
  successes: number;
};

const SUCCESSES_FOR_ONE_MORE = 20;
/** Time for the probes of another node, and the message about their result. */
const OTHERS_MS = 2000;
/** State is kept for at most this many destinations; the others count as healthy. */
const TRACKED_MAX = 10_000;

export function createBreakers(
  rules: BreakerRules,
  { most, onHalfOpen }: { most: (id: string) => number; onHalfOpen: (id: string) => void },
): Breakers {
  /** Destinations with recent failures; all others are healthy. */
  const known = new Map<string, Health>();

  function healthOf(id: string): Health {
    const health = known.get(id);
    if (health) return health;
    const well: Health = {
      state: 'CLOSED',
      failures: 0,
      opened: 0,
      halved: 0,
      pauseMs: rules.firstPauseMs,
      openedForMs: 0,
      untilMs: 0,
      timer: undefined,
      allowance: most(id),
      successes: 0,
    };
    const [oldest] = known.size >= TRACKED_MAX ? known.keys() : [];
    if (oldest !== undefined) reset(oldest);
    known.set(id, well);
    return well;
  }

  function reset(id: string) {
    clearTimeout(known.get(id)?.timer);
    known.delete(id);
  }

  function alive(id: string): 'CLOSED' | undefined {
    const health = known.get(id);
    if (!health) return undefined;
    const { state } = health;
    clearTimeout(health.timer);
    Object.assign(health, { state: 'CLOSED', failures: 0, pauseMs: rules.firstPauseMs });
    if (++health.successes >= SUCCESSES_FOR_ONE_MORE) {
      health.allowance++;
      health.successes = 0;
    }
    if (health.allowance >= most(id)) known.delete(id);
    return state === 'CLOSED' ? undefined : 'CLOSED';
  }

  function failed(id: string, ticket: Ticket, overloaded: boolean): 'OPENED' | undefined {
    const health = healthOf(id);
    // Attempts from before the breaker opened are already counted. A manual attempt while it is open is not a probe.
    if (ticket.opened !== health.opened || health.state === 'OPEN') return undefined;
    health.successes = 0;
    if (overloaded && ticket.halved === health.halved) {
      health.allowance = Math.max(1, Math.floor(health.allowance / 2));
      health.halved++;
    }
    if (health.state === 'CLOSED' && ++health.failures < rules.failures) return undefined;
    openBreaker(id, health, health.pauseMs);
    return 'OPENED';
  }

  /** The probes of this node begin `laterMs` after the pause. */
  function openBreaker(id: string, health: Health, pauseMs: number, laterMs = 0) {
    health.state = 'OPEN';
    health.opened++;
    health.allowance = 1;
    health.openedForMs = pauseMs;
    health.pauseMs = Math.min(pauseMs * 2, rules.longestPauseMs);
    health.untilMs = Date.now() + pauseMs + laterMs;
    clearTimeout(health.timer);
    health.timer = setTimeout(() => {
      health.state = 'HALF_OPEN';
      onHalfOpen(id);
    }, pauseMs + laterMs).unref();
  }

  return {
    allowance(id) {
      const health = known.get(id);
      if (!health) return most(id);
      if (health.state === 'CLOSED') return Math.min(health.allowance, most(id));
      return health.state === 'OPEN' ? 0 : Math.min(PROBES, most(id));
    },
    begin(id) {
      const { opened, halved } = known.get(id) ?? { opened: 0, halved: 0 };
      return { opened, halved };
    },
    end(id, ticket, verdict) {
      if (verdict === undefined) return undefined;
      return verdict === 'ALIVE' ? alive(id) : failed(id, ticket, verdict === 'OVERLOADED');
    },
    isBroken: (id) => (known.get(id)?.state ?? 'CLOSED') !== 'CLOSED',
    isHalfOpen: (id) => known.get(id)?.state === 'HALF_OPEN',
    open: () => [...known].flatMap(([id, { state, untilMs }]) => (state === 'OPEN' ? [{ id, untilMs }] : [])),
    pauseOf: (id) => known.get(id)?.openedForMs ?? 0,
    openAs(id, pauseMs) {
      const health = healthOf(id);
      // Probes of this node are in flight: their result counts.
      if (health.state === 'HALF_OPEN') return;
      // At different times, if the node that probes first has ended.
      openBreaker(id, health, pauseMs, OTHERS_MS * (1 + Math.random()));
    },
    broken: () => [...known].filter(([, { state }]) => state !== 'CLOSED').map(([id]) => id),
    reset,
    close() {
      for (const { timer } of known.values()) clearTimeout(timer);
    },
  };
}
