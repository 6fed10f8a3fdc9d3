import { onceAtATime } from '../lib/once-at-a-time.ts';
import { withinTime } from '../lib/time-limit.ts';
import { living } from '../platform/cluster/nodes.ts';
import type { Services } from '../platform/context.ts';
import { type Backlog, backlog, oldestDueSeconds } from './store/queue/waiting-deliveries.ts';

const REUSE_MS = 5000;
const TIME_LIMIT_MS = 150;

/**
 * How long the oldest due delivery has been due, in seconds; undefined if the database does not respond in time. Reads
 * it at most once in five seconds.
 */
export function oldestDue({ db }: Pick<Services, 'db'>): () => Promise<number | undefined> {
  const read = onceAtATime(() => oldestDueSeconds(db), REUSE_MS);
  return () =>
    withinTime(read(), TIME_LIMIT_MS, () => new Error('no response in time')).then(Math.round, () => undefined);
}

/**
 * The deliveries of all nodes that wait for an attempt: counts up to 100,000, seconds. Undefined on all nodes except
 * one, so that the sum of all nodes is right.
 */
export async function reportedBacklog({ db, nodeId }: Pick<Services, 'db' | 'nodeId'>): Promise<Backlog | undefined> {
  const [first] = (await living(db)).toSorted();
  return first === undefined || first === nodeId ? backlog(db) : undefined;
}
