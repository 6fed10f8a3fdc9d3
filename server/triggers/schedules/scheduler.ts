/**
 * Schedules. A trigger of the `schedule` source has the moment of its next firing in `next_fire_at`. A look locks the
 * ones that are due, and in one transaction stores the event of each and its next moment, so that every moment fires
 * once, on whichever node looks first. After downtime a schedule fires once, for the latest moment; the event lists the
 * ones that passed meanwhile.
 */
import type { Services } from '../../platform/context.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { fireDue } from './firing.ts';

/** The longest sleep: a schedule made on another node is seen after that. */
const LOOK_MS = 1000;

export function createScheduler(services: Services): Worker {
  return createLoop({ name: 'scheduler', log: services.log, everyMs: LOOK_MS, work: () => fireDue(services) });
}
