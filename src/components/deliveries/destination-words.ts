/** The state of a destination and of its queue, in the same words on every page. */
import { DISABLE_AFTER_DAYS } from '../../../contract/limits.ts';
import type { Destination } from '../../api/entities.ts';
import { formatCount, formatSpan, plural } from '../../lib/format.ts';

export type DestinationQueue = Destination['queue'];

/** Why a destination is disabled. */
export function disabledWords(reason: Destination['reason']): string {
  if (reason === 'GONE') return 'Disabled: endpoint returned 410 Gone';
  if (reason === 'FAILING') return `Disabled: all attempts failed for ${DISABLE_AFTER_DAYS} days`;
  return 'Disabled';
}

/** `2,416 events`, with a plus if the count is a lower bound. */
export function countWords(count: number, atLeast: boolean, noun: string): string {
  return atLeast ? `${formatCount(count)}+ ${noun}s` : plural(count, noun);
}

/** `2,416 deliveries waiting, oldest 14 min, drains in about 3 min`. */
export function queueWords(queue: DestinationQueue, nowMs: number): string {
  const { waiting, at_least, held, drain_seconds } = queue;
  const counted = at_least ? `${formatCount(waiting)}+ deliveries` : plural(waiting, 'delivery', 'deliveries');
  return [
    `${counted} waiting`,
    ...(held > 0 ? [`${formatCount(held)} held`] : []),
    `oldest ${ageWords(queue, nowMs)}`,
    ...(drain_seconds === null ? [] : [`drains in about ${formatSpan(drain_seconds * 1000)}`]),
  ].join(', ');
}

/** The age of the oldest waiting event: `14 min`. */
export function ageWords({ oldest_waiting_at }: Pick<DestinationQueue, 'oldest_waiting_at'>, nowMs: number): string {
  return oldest_waiting_at === null ? '–' : formatSpan(roundedAge(nowMs - Date.parse(oldest_waiting_at)));
}

const MINUTE_MS = 60_000;
/** Seconds are omitted from one minute on. */
const roundedAge = (ms: number) => (ms < MINUTE_MS ? Math.max(ms, 0) : Math.floor(ms / MINUTE_MS) * MINUTE_MS);
