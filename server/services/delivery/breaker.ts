/**
 * How much each destination may get at a time, by how it has been doing on this node. After five failures in a row its
 * breaker opens: nothing goes out for a pause, then one delivery tries (half open); if that fails the pause doubles, a
 * success closes the breaker. Whoever waits loses no attempt. One that says it has too much (429, 503) or is too slow to
 * answer gets half as much at a time, and one more after every twenty successes.
 */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Completion } from '../../store/delivery-queue.ts';

export type BreakerRules = { failures: number; firstPauseMs: number; longestPauseMs: number };

export const BREAKER_RULES: BreakerRules = { failures: 5, firstPauseMs: 5000, longestPauseMs: 300_000 };

/** What an attempt says of its receiver; undefined: nothing. */
export type Verdict = 'WORKED' | 'FAILED' | 'OVERLOADED' | undefined;

/** These are about the destination's settings: the next attempt costs the receiver nothing, and time mends nothing. */
const NOT_THE_RECEIVER: (DeliveryReason | null)[] = ['TEMPLATE_ERROR', 'BLOCKED_ADDRESS', 'GONE'];

export function verdictOf({ status, reason, sent }: Completion): Verdict {
  if (!sent || NOT_THE_RECEIVER.includes(reason)) return undefined;
  if (status === 'SUCCEEDED') return 'WORKED';
  const tooMuch = reason === 'TIMEOUT' || sent.response_status === 429 || sent.response_status === 503;
  return tooMuch ? 'OVERLOADED' : 'FAILED';
}

/** What an attempt has to bring back: what had been decided when it began. */
export type Ticket = { opened: number; halved: number };
export type Breakers = {
  /** How many may be in flight now: none while the breaker is open, one while it is half open. */
  allowance(id: string): number;
  begin(id: string): Ticket;
  /** Answers what that did to the breaker. */
  end(id: string, ticket: Ticket, verdict: Verdict): 'OPENED' | 'CLOSED' | undefined;
  isHalfOpen(id: string): boolean;
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
/** What is known of so many destinations at the most; the others count as well. */
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

  function worked(id: string): 'CLOSED' | undefined {
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
      return health.state === 'OPEN' ? 0 : 1;
    },
    begin(id) {
      const { opened, halved } = known.get(id) ?? { opened: 0, halved: 0 };
      return { opened, halved };
    },
    end(id, ticket, verdict) {
      if (verdict === undefined) return undefined;
      return verdict === 'WORKED' ? worked(id) : failed(id, ticket, verdict === 'OVERLOADED');
    },
    isHalfOpen: (id) => known.get(id)?.state === 'HALF_OPEN',
    open: () => [...known].flatMap(([id, { state, untilMs }]) => (state === 'OPEN' ? [{ id, untilMs }] : [])),
    broken: () => [...known].filter(([, { state }]) => state !== 'CLOSED').map(([id]) => id),
    reset,
    close() {
      for (const { timer } of known.values()) clearTimeout(timer);
    },
  };
}
