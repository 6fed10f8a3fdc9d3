/** The worker that polls sources when they are due; see poll.ts. */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { pollDue } from './poll.ts';

/** Maximum sleep: a trigger created on another node is noticed after this time. */
const LOOK_MS = 1000;

export function createPoller(services: Services): Worker {
  return createLoop({ name: 'poller', log: services.log, everyMs: LOOK_MS, work: () => pollDue(services) });
}
