/**
 * The worker for schedules. `next_fire_at` is the next firing time of a trigger of the source `schedule`. A node locks
 * the triggers that are due and, in one transaction, stores the event and the next firing time of each, so that every
 * time fires once, on any node. After downtime a schedule fires once, for the latest time; its event lists the missed
 * ones.
 */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { fireDue } from './firing.ts';

/** Maximum sleep: a schedule created on another node is noticed after this time. */
const LOOK_MS = 1000;

export function createScheduler(services: Services): Worker {
  return createLoop({ name: 'scheduler', log: services.log, everyMs: LOOK_MS, work: () => fireDue(services) });
}
