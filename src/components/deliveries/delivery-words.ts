/** The outcome of a delivery or an attempt in words. */
import type { DeliveryReason } from '../../../contract/states.ts';
import { isMailUrl } from '../../../contract/text/mail-url.ts';
import type { Attempt, Delivery } from '../../api/entities.ts';

const REASONS: Record<DeliveryReason, string> = {
  HTTP_STATUS: 'The response status was not 2xx.',
  TIMEOUT: 'No complete response arrived before the timeout.',
  DNS_ERROR: 'The host name could not be resolved.',
  CONNECTION_REFUSED: 'The connection was refused.',
  CONNECTION_RESET: 'The connection was closed before the response was complete.',
  TLS_ERROR: 'The TLS connection failed.',
  BLOCKED_ADDRESS: 'The URL resolves to a blocked network address.',
  REDIRECT: 'The response was a redirect; deliveries don’t follow redirects.',
  MESSAGE_REJECTED: 'The mail server rejected the message.',
  APP_ERROR: 'The app returned an error.',
  CONNECTION_FAILED: 'The connection cannot be used.',
  CONNECTION_DELETED: 'The connection of the destination was deleted.',
  TRANSFORM_ERROR: 'The transformation failed, so nothing was sent.',
  TRANSFORM_SKIPPED: 'The transformation returned null, so the event was not sent.',
  TEMPLATE_ERROR: 'A template did not produce a valid body, URL or header, so nothing was sent.',
  DESTINATION_DISABLED: 'The destination is disabled. The event is stored and can be replayed once it is enabled.',
  TRIGGER_DISABLED: 'The trigger is disabled. The event is stored and can be replayed.',
  FILTERED: 'The event does not match the trigger’s filter.',
  GONE: 'The endpoint returned 410 Gone, so nothing is sent again.',
  CANCELED: 'The delivery was canceled.',
  CIRCUIT_OPEN: 'Held by the circuit breaker, because the destination keeps failing. Replay sends this delivery now.',
  DESTINATION_PAUSED: 'The destination is paused. This delivery is sent once it is resumed.',
  WAITS_IN_ORDER: 'Waits, because the destination gets its events in order and an earlier delivery has not ended.',
};

export const reasonWords = (reason: DeliveryReason): string => REASONS[reason];

/**
 * The reason with its details. The status of an HTTP response is shown beside it; the reply of a mail server is text.
 */
export function failureWords(
  reason: DeliveryReason,
  error_message: string | null,
  request: Pick<Attempt['request'], 'url'> | null,
): string {
  if (reason !== 'HTTP_STATUS') return `${reasonWords(reason)} ${error_message ?? ''}`.trim();
  return request && isMailUrl(request.url) && error_message ? error_message : reasonWords(reason);
}

/** `503`, or `timeout` if there was no response. */
export function resultOf({ response, reason }: Attempt): string {
  if (response) return String(response.status);
  return reason === null ? 'no response' : reason.replaceAll('_', ' ').toLowerCase();
}

export const succeeded = ({ reason }: Attempt): boolean => reason === null;

/** The attempts since the retry schedule last started, with the event or a replay. Input and output: oldest first. */
export function currentRound(attempts: readonly Attempt[]): readonly Attempt[] {
  const begin = attempts.findLastIndex(({ origin }) => origin !== 'RETRY');
  return attempts.slice(Math.max(begin, 0));
}

/** Reasons of deliveries that are still to be sent. */
const WAITING: readonly DeliveryReason[] = ['CIRCUIT_OPEN', 'DESTINATION_PAUSED', 'WAITS_IN_ORDER'];

/** What the attempts of a delivery do not show: why it has none, or that it blocks others. */
export function whyUnsent({ status, reason, blocks_others }: Delivery): string | undefined {
  if (blocks_others)
    return 'The later events of its order wait until this delivery is replayed with success or canceled.';
  const isWaiting = reason !== null && WAITING.includes(reason);
  const isUnsent = status === 'SKIPPED' || status === 'CANCELED' || isWaiting;
  return reason !== null && isUnsent ? reasonWords(reason) : undefined;
}
