/** Polls sources that only answer, when due. How an item becomes one event: server/triggers/polling/poll.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { pollDue } from './poll.ts';

/** The longest sleep: a trigger made on another node is seen after that. */
const LOOK_MS = 1000;

export function createPoller(services: Services): Worker {
  return createLoop({ name: 'poller', log: services.log, everyMs: LOOK_MS, work: () => pollDue(services) });
}
