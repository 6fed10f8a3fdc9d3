import type { Reply } from '../../contract/operations.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import * as store from './store/function-uses.ts';
import * as versionStore from './store/versions.ts';

const DAYS_MS = 7 * 86_400_000;
const RUNS_MAX = 100_000;
/** Callers are read from stored requests, which may be long. */
const CALLERS = { looked: 500, limit: 10 };

/** Reports who calls the function, how often, and what depends on it besides destinations. */
export async function read(
  { db, account_id }: Ctx,
  function_id: string,
): Promise<Omit<Reply<'functionUses'>, 'destinations'>> {
  const since = { function_id, since_ms: Date.now() - DAYS_MS };
  const [counted, callers, stars_elsewhere, versions] = await Promise.all([
    store.countRuns(db, account_id, since, RUNS_MAX),
    store.callers(db, account_id, since, CALLERS),
    store.starsElsewhere(db, account_id, function_id),
    versionStore.count(db, account_id, function_id),
  ]);
  return { since: timestampOf(since.since_ms), ...counted, callers, stars_elsewhere, versions };
}
