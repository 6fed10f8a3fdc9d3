import type { Services } from '../../platform/context.ts';
import * as store from '../store/figures.ts';

/** How old the figures of events that came long ago may be. */
const LOOK_MS = 5_000;
/** While there is more to add up, all others have the database most of the time. */
const PAUSE_SHARE = 4;

/** Adds up one more part of what the charts show; answers in how many milliseconds to look again. */
export async function addUp({ db }: Pick<Services, 'db'>): Promise<number> {
  const startedMs = performance.now();
  const isMore = await store.addUp(db);
  return isMore ? (performance.now() - startedMs) * PAUSE_SHARE : LOOK_MS;
}
