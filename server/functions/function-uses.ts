import type { Input, Reply } from '../../contract/operations.ts';
import { labelOfUrl } from '../lib/addresses.ts';
import { timestampOf } from '../platform/chart-range.ts';
import type { Ctx } from '../platform/context.ts';
import { getOwn } from './hosted-function.ts';
import * as store from './store/function-uses.ts';
import * as versionStore from './store/versions.ts';

const DAYS_MS = 7 * 86_400_000;
const DESTINATIONS_MAX = 200;
const RUNS_MAX = 100_000;
/** Who calls is read from stored requests, which may be long. */
const CALLERS = { looked: 500, limit: 10 };

/** What would notice if the function were gone, or called otherwise. */
export async function list(ctx: Ctx, { params }: Input<'functionUses'>): Promise<Reply<'functionUses'>> {
  const { db, account_id } = ctx;
  const { function_id, label } = await getOwn(ctx, params.function_id);
  const since = { function_id, since_ms: Date.now() - DAYS_MS };
  const [destinations, counted, callers, stars_elsewhere, versions] = await Promise.all([
    store.destinationsAt(db, account_id, label, DESTINATIONS_MAX),
    store.countRuns(db, account_id, since, RUNS_MAX),
    store.callers(db, account_id, since, CALLERS),
    store.starsElsewhere(db, account_id, function_id),
    versionStore.count(db, account_id, function_id),
  ]);
  return {
    since: timestampOf(since.since_ms),
    destinations: destinations
      .filter(({ url }) => labelOfUrl(ctx.settings.addresses, url) === label)
      .map(({ url: _, ...destination }) => destination),
    ...counted,
    callers,
    stars_elsewhere,
    versions,
  };
}
