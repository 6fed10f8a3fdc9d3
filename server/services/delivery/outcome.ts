/** What an answer means for its delivery: the state it moves to, why, and when the next attempt comes. Pure. */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Answer, Response } from './send.ts';

export type Outcome = {
  status: 'SUCCEEDED' | 'FAILED';
  reason: DeliveryReason | null;
  message: string | null;
  /** Milliseconds to the next attempt; null when there is none. */
  retry_ms: number | null;
  /** The same had the schedule just begun. Null when trying again makes no sense. */
  restart_ms: number | null;
};

type Verdict = Pick<Outcome, 'reason' | 'message'>;

/** The same again would come out the same. */
const FINAL: DeliveryReason[] = ['GONE', 'BLOCKED_ADDRESS', 'TEMPLATE_ERROR'];
const JITTER = 0.2;

/** `step`: attempts made since the schedule began. `random`: from 0 to 1. */
export function judge(answer: Answer, schedule: readonly number[], step: number, random = Math.random()): Outcome {
  const { reason, message } = verdictOf(answer);
  if (reason === null) return { status: 'SUCCEEDED', reason, message, retry_ms: null, restart_ms: null };
  if (FINAL.includes(reason)) return { status: 'FAILED', reason, message, retry_ms: null, restart_ms: null };
  const asked = retryAfterMs(answer.response);
  const wait = (at: number) => waitMs(schedule[at], asked, random);
  return { status: 'FAILED', reason, message, retry_ms: wait(step), restart_ms: wait(0) };
}

function verdictOf({ response, trouble }: Answer): Verdict {
  if (trouble) return trouble;
  if (!response) return { reason: 'CONNECTION_RESET', message: 'No answer came.' };
  const { status } = response;
  if (status >= 200 && status < 300) return { reason: null, message: null };
  if (status >= 300 && status < 400) {
    const to = response.headers['location'];
    return { reason: 'REDIRECT', message: `Redirects are not followed${to ? ` (to ${to.slice(0, 500)})` : ''}.` };
  }
  if (status === 410) return { reason: 'GONE', message: 'The destination answered 410 and was disabled.' };
  return { reason: 'HTTP_STATUS', message: `The destination answered ${status}.` };
}

/** The schedule's wait with jitter, or what the receiver asked for, between once and twice the schedule's. */
function waitMs(seconds: number | undefined, asked: number | null, random: number): number | null {
  if (seconds === undefined) return null;
  const base = seconds * 1000;
  if (asked !== null) return Math.min(Math.max(asked, base), 2 * base);
  return Math.round(base * (1 - JITTER + 2 * JITTER * random));
}

/** Retry-After as seconds or as a date (RFC 9110 §10.2.3); null when absent or neither. */
function retryAfterMs(response: Response | null): number | null {
  const text = response?.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
