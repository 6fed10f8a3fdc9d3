/** What became of a delivery or an attempt, in words. */
import type { DeliveryReason } from '../../../contract/states.ts';
import type { Attempt, Delivery } from '../../api/entities.ts';

const REASONS: Record<DeliveryReason, string> = {
  HTTP_STATUS: 'The answer was not a success (2xx).',
  TIMEOUT: 'No complete answer came in time.',
  DNS_ERROR: 'The host name could not be resolved.',
  CONNECTION_REFUSED: 'Nothing accepts connections at this address.',
  CONNECTION_RESET: 'The connection was closed before the answer was complete.',
  TLS_ERROR: 'No secure connection could be made.',
  BLOCKED_ADDRESS: 'The address leads to a place that deliveries may not go to.',
  REDIRECT: 'The answer was a redirect; deliveries don’t follow redirects.',
  TEMPLATE_ERROR: 'The body template did not make a valid body, so nothing was sent.',
  DESTINATION_DISABLED: 'The destination is disabled. The event is kept and can be replayed once it is enabled.',
  TRIGGER_DISABLED: 'The trigger is disabled. The event is kept and can be replayed.',
  FILTERED: 'The event does not match the trigger’s filter.',
  GONE: 'The destination answered 410 Gone, so it was disabled.',
  CANCELED: 'It was canceled; nothing more is sent.',
  CIRCUIT_OPEN:
    'Held: the destination keeps failing, so its circuit breaker lets only a few deliveries through. Replay sends this one now.',
};

export const reasonWords = (reason: DeliveryReason): string => REASONS[reason];

/** `503`, or `Timeout` where nothing answered. */
export function resultOf({ response, reason }: Attempt): string {
  if (response) return String(response.status);
  return reason === null ? 'no answer' : reason.replaceAll('_', ' ').toLowerCase();
}

export const succeeded = ({ reason }: Attempt): boolean => reason === null;

/** The attempts since the schedule last began: with the event, or with a replay. Takes and gives oldest first. */
export function currentRound(attempts: readonly Attempt[]): readonly Attempt[] {
  const begin = attempts.findLastIndex(({ origin }) => origin !== 'RETRY');
  return attempts.slice(Math.max(begin, 0));
}

/** Why a delivery ended without an attempt; undefined where the attempts say it. */
export function whyUnsent({ status, reason }: Delivery): string | undefined {
  const isUnsent = status === 'SKIPPED' || status === 'CANCELED' || reason === 'CIRCUIT_OPEN';
  return reason !== null && isUnsent ? reasonWords(reason) : undefined;
}
