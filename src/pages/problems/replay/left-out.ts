import type { LeftOut } from '../../../../contract/states.ts';
import { plural } from '../../../lib/format.ts';

const deliveries = ['delivery', 'deliveries'] as const;
const WORDS: Record<LeftOut, readonly [one: string, many: string, why: string]> = {
  SUCCEEDED: [...deliveries, 'succeeded since'],
  IN_PROGRESS: [...deliveries, 'in progress'],
  CANCELED: [...deliveries, 'canceled by a person'],
  SKIPPED: [...deliveries, 'skipped by a filter or transformation'],
  EDITED: [...deliveries, 'of events with a newer edited copy'],
  DESTINATION_DISABLED: [...deliveries, 'whose destination is disabled: enable it to include them'],
  DESTINATION_DELETED: [...deliveries, 'whose destination was deleted'],
  NOT_STORED: [...deliveries, 'past the retention'],
  REJECTED_REQUEST: ['rejected request', 'rejected requests', 'that became no event: accept them on the trigger'],
  RUN: ['run', 'runs', 'that no event started'],
  CALL: ['gateway call', 'gateway calls', 'that no event made'],
  OTHER: ['token, schedule or source', 'tokens, schedules or sources', 'without an event'],
};

/** What a replay leaves out and why, a line for each reason. */
export function leftOutLines(counts: Partial<Record<LeftOut, number>>): string[] {
  return (Object.keys(WORDS) as LeftOut[]).flatMap((reason) => {
    const count = counts[reason] ?? 0;
    const [one, many, why] = WORDS[reason];
    return count === 0 ? [] : [`${plural(count, one, many)} ${why}`];
  });
}
