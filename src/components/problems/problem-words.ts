import type { ProblemKind } from '../../../contract/states.ts';
import type { Problem } from '../../api/entities.ts';
import { formatCount, plural } from '../../lib/format.ts';

/** What failed, one and many. */
export const KIND_NOUNS: Record<ProblemKind, readonly [one: string, many: string]> = {
  DELIVERY: ['delivery', 'deliveries'],
  RUN: ['run', 'runs'],
  CALL: ['gateway call', 'gateway calls'],
  RENEWAL: ['token', 'tokens'],
  REJECTION: ['rejected request', 'rejected requests'],
  SCHEDULE: ['schedule', 'schedules'],
  POLL: ['polled source', 'polled sources'],
};

/** `41 deliveries, 41 runs`: what failed at least once. */
export function countsText({ counts }: Pick<Problem, 'counts'>): string {
  const entries = Object.entries(counts) as [ProblemKind, number][];
  return entries.map(([kind, count]) => plural(count, ...KIND_NOUNS[kind])).join(', ');
}

/** `2 destinations, 1 function`: the resources that fail. */
export function affectedText({ affected }: Pick<Problem, 'affected'>): string {
  const { destinations, functions, connections, triggers } = affected;
  const parts = [
    [destinations, 'destination'],
    [functions, 'function'],
    [connections, 'connection'],
  ] as const;
  const named = parts.flatMap(([count, noun]) => (count > 0 ? [plural(count, noun, `${noun}s`)] : []));
  return named.length > 0 ? named.join(', ') : plural(triggers, 'trigger', 'triggers');
}

/** The accessible name of a trend. */
export const trendText = ({ trend }: Pick<Problem, 'trend'>): string =>
  `${formatCount(trend.reduce((sum, each) => sum + each, 0))} failures in the last 24 hours`;
