import { living } from '../platform/cluster/nodes.ts';
import type { Services } from '../platform/context.ts';
import { type Backlog, backlog } from './store/queue/waiting-deliveries.ts';

/**
 * The deliveries of all nodes that wait for an attempt: counts up to 100,000, seconds. Undefined on all nodes except
 * one, so that the sum of all nodes is right.
 */
export async function reportedBacklog({ db, nodeId }: Pick<Services, 'db' | 'nodeId'>): Promise<Backlog | undefined> {
  const [first] = (await living(db)).toSorted();
  return first === undefined || first === nodeId ? backlog(db) : undefined;
}
