/** The outcome of an attempt for its delivery: state, reason, and time of the next attempt. Pure. */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Response, SendResult } from '../targets/result.ts';

export type Outcome = {
  status: 'SUCCEEDED' | 'FAILED';
  reason: DeliveryReason | null;
  message: string | null;
  /** Milliseconds to the next attempt; null when there is none. */
  retry_ms: number | null;
  /** The same for a schedule that has just begun. Null if a retry cannot succeed. */
  restart_ms: number | null;
  /** Attempts of the schedule that fell due while the delivery was held. */
  used: number;
};

type Verdict = Pick<Outcome, 'reason' | 'message'>;

/** Failures that a retry would only repeat. */
const FINAL: DeliveryReason[] = ['GONE', 'BLOCKED_ADDRESS', 'TEMPLATE_ERROR', 'MESSAGE_REJECTED'];
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
/** A failure response with this header and value ends the retries of its delivery. */
const ABORT = { header: 'webhook-delivery', value: 'abort-message' };

/**
 * `step`: attempts made since the schedule began. `random`: from 0 to 1. `heldMs`: how long the circuit breaker has
 * held the delivery past its due time. Attempts of the schedule that were due in that time count as used, so that a
 * delivery is FAILED when its schedule is over, however long it was held.
 */
export function judge(
  result: SendResult,
  schedule: readonly number[],
  step: number,
  random = Math.random(),
  heldMs = 0,
): Outcome {
  const { reason, message } = verdictOf(result);
  const none = { retry_ms: null, restart_ms: null, used: 0 };
  if (reason === null) return { status: 'SUCCEEDED', reason, message, ...none };
  if (FINAL.includes(reason)) return { status: 'FAILED', reason, message, ...none };
  if (isAborted(result.response))
    return { status: 'FAILED', reason, message: `${message ?? ''} It asked for no more attempts.`.trim(), ...none };
  const asked = retryAfterMs(result.response);
  const next = nextOf(schedule, step, heldMs);
  return {
    status: 'FAILED',
    reason,
    message,
    retry_ms: waitMs(next.waitMs, asked, random),
    restart_ms: waitMs(nextOf(schedule, 0, 0).waitMs, asked, random),
    used: next.used,
  };
}

/**
 * The wait until the first remaining attempt of the schedule, and the number of attempts before it that count as used.
 */
function nextOf(schedule: readonly number[], step: number, heldMs: number): { waitMs: number | null; used: number } {
  let atMs = 0;
  for (let used = 0; ; used++) {
    const seconds = schedule[step + used];
    if (seconds === undefined) return { waitMs: null, used };
    atMs += seconds * 1000;
    if (atMs >= heldMs) return { waitMs: atMs - heldMs, used };
  }
}

function verdictOf({ response, trouble }: SendResult): Verdict {
  if (trouble) return trouble;
  if (!response) return { reason: 'CONNECTION_RESET', message: 'No response was received.' };
  const { status } = response;
  if (status >= 200 && status < 300) return { reason: null, message: null };
  if (status >= 300 && status < 400) {
    const to = response.headers['location'];
    return { reason: 'REDIRECT', message: `Redirects are not followed${to ? ` (to ${to.slice(0, 500)})` : ''}.` };
  }
  if (status === 410)
    return { reason: 'GONE', message: 'The endpoint returned 410, and the destination was disabled.' };
  return { reason: 'HTTP_STATUS', message: `The endpoint returned ${status}.` };
}

/** The schedule's wait with jitter, or the longer wait of Retry-After, which is limited to a day. */
function waitMs(base: number | null, asked: number | null, random: number): number | null {
  if (base === null) return null;
  if (asked !== null) return Math.max(Math.min(asked, RETRY_AFTER_MAX_MS), base);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}

const isAborted = (response: Response | null): boolean =>
  response?.headers[ABORT.header]?.trim().toLowerCase() === ABORT.value;

/** Retry-After as seconds or as a date (RFC 9110 §10.2.3); null if absent or invalid. */
function retryAfterMs(response: Response | null): number | null {
  const text = response?.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
