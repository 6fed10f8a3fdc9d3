/**
 * Concurrency limit and circuit breaker of each destination, by its recent attempts on this node. Five failures in a
 * row open the breaker: nothing is sent for a pause, then up to three deliveries probe the receiver (half-open). If
 * they fail the pause doubles, up to 10 seconds; a sign of life closes the breaker. So a dead destination costs three
 * requests in 10 seconds at most, and 10,000 deliveries that wait for it are each attempted within a day
 * (destination-health.ts needs such outcomes). A receiver that is overloaded (429, 503, time-out) gets half
 * as many requests at a time, and one more after every twenty good ones.
 *
 * A prompt 4xx response is a sign of life: the receiver read the request and rejected this one event. The event is
 * retried on its own schedule and must not hold up the others.
 */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Completion } from '../store/delivery-queue.ts';

export type BreakerRules = { failures: number; firstPauseMs: number; longestPauseMs: number };

export const BREAKER_RULES: BreakerRules = { failures: 5, firstPauseMs: 5000, longestPauseMs: 10_000 };

/** How many deliveries may probe a half-open destination at a time. */
export const PROBES = 3;

/** What an attempt says of its receiver; undefined: nothing. */
export type Verdict = 'ALIVE' | 'FAILED' | 'OVERLOADED' | undefined;

/** About the destination's settings: the next attempt costs the receiver nothing, and waiting doesn't help. */
const NOT_THE_RECEIVER: (DeliveryReason | null)[] = ['TEMPLATE_ERROR', 'BLOCKED_ADDRESS', 'GONE'];

/** A slower 4xx may come from a proxy that gave up on its upstream. */
const PROMPT_MS = 5000;
/** 4xx statuses about the state of the receiver instead of this request. */
const NOT_ABOUT_THE_REQUEST: readonly (number | null)[] = [408, 425, 429];

/** Judges the receiver by the outcome of one attempt. */
export function verdictOf({ status, reason, sent }: Completion): Verdict {
  if (!sent || NOT_THE_RECEIVER.includes(reason)) return undefined;
  if (status === 'SUCCEEDED') return 'ALIVE';
  const { response_status, duration_ms } = sent;
  if (reason === 'TIMEOUT' || response_status === 429 || response_status === 503) return 'OVERLOADED';
  if (reason === 'HTTP_STATUS' && isRejection(response_status)) return duration_ms <= PROMPT_MS ? 'ALIVE' : undefined;
  return 'FAILED';
}

const isRejection = (status: number | null) =>
  status !== null && status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);

/** What an attempt has to bring back: what had been decided when it began. */
export type Ticket = { opened: number; halved: number };
export type Breakers = {
  /** How many may be in flight now: none while the breaker is open, a few probes while it is half-open. */
  allowance(id: string): number;
  begin(id: string): Ticket;
  /** Answers what that did to the breaker. */
  end(id: string, ticket: Ticket, verdict: Verdict): 'OPENED' | 'CLOSED' | undefined;
  isHalfOpen(id: string): boolean;
  /** Open or half-open. */
  isBroken(id: string): boolean;
  /** Those that aren't closed. */
  broken(): string[];
  /** Those that are open, and when each next lets one try. */
  open(): { id: string; untilMs: number }[];
  /** Forgets what was: somebody changed the destination. */
  reset(id: string): void;
  /** No more pauses end. */
  close(): void;
};

type State = 'CLOSED' | 'OPEN' | 'HALF_OPEN';
type Health = Ticket & {
  state: State;
  /** In a row, as far as they count. */
  failures: number;
  pauseMs: number;
  /** When the pause ends, by the wall clock. */
  untilMs: number;
  timer: NodeJS.Timeout | undefined;
  allowance: number;
  /** Since the allowance last changed. */
  successes: number;
};

const SUCCESSES_FOR_ONE_MORE = 20;
/** State is kept for at most this many destinations; the others count as healthy. */
const MOST_KNOWN = 10_000;

export function createBreakers(
  rules: BreakerRules,
  { most, onHalfOpen }: { most: number; onHalfOpen: (id: string) => void },
): Breakers {
  /** Only of those that are not simply well. */
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
      untilMs: 0,
      timer: undefined,
      allowance: most,
      successes: 0,
    };
    const [oldest] = known.size >= MOST_KNOWN ? known.keys() : [];
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
    if (health.allowance >= most) known.delete(id);
    return state === 'CLOSED' ? undefined : 'CLOSED';
  }

  function failed(id: string, ticket: Ticket, overloaded: boolean): 'OPENED' | undefined {
    const health = healthOf(id);
    // What began before the breaker last opened has been counted; what a person sends while it is open is no probe.
    if (ticket.opened !== health.opened || health.state === 'OPEN') return undefined;
    health.successes = 0;
    if (overloaded && ticket.halved === health.halved) {
      health.allowance = Math.max(1, Math.floor(health.allowance / 2));
      health.halved++;
    }
    if (health.state === 'CLOSED' && ++health.failures < rules.failures) return undefined;
    breaks(id, health);
    return 'OPENED';
  }

  function breaks(id: string, health: Health) {
    health.state = 'OPEN';
    health.opened++;
    health.allowance = 1;
    health.untilMs = Date.now() + health.pauseMs;
    health.timer = setTimeout(() => {
      health.state = 'HALF_OPEN';
      onHalfOpen(id);
    }, health.pauseMs).unref();
    health.pauseMs = Math.min(health.pauseMs * 2, rules.longestPauseMs);
  }

  return {
    allowance(id) {
      const health = known.get(id);
      if (!health) return most;
      if (health.state === 'CLOSED') return health.allowance;
      return health.state === 'OPEN' ? 0 : Math.min(PROBES, most);
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
    broken: () => [...known].filter(([, { state }]) => state !== 'CLOSED').map(([id]) => id),
    reset,
    close() {
      for (const { timer } of known.values()) clearTimeout(timer);
    },
  };
}
