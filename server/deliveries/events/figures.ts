import type { Services } from '../../platform/context.ts';
import * as store from '../store/events/figures.ts';

/** Maximum delay of a change to the statistics of old events. */
const POLL_MS = 5_000;
/** While more is left to aggregate, the pause between steps is this many times the length of a step. */
const PAUSE_SHARE = 4;

/** Records what earlier versions have not aggregated; once per start. */
export const noteUncounted = ({ db }: Pick<Services, 'db'>): Promise<void> => store.noteUncounted(db);

/** Aggregates the next part of the statistics; returns the milliseconds until the next step. */
export async function rollUp({ db }: Pick<Services, 'db'>): Promise<number> {
  const startedMs = performance.now();
  const isMore = await store.rollUp(db);
  return isMore ? (performance.now() - startedMs) * PAUSE_SHARE : POLL_MS;
}
