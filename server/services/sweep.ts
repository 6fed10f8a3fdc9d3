import { dropOldFigures } from '../store/figures.ts';
import { forgetOldKeys } from '../store/ingress-keys.ts';
import * as nodeStore from '../store/nodes.ts';
import { dropOldPartitions, ensurePartitions } from '../store/partitions.ts';
import { rewrap } from '../store/rewrap.ts';
import * as versions from '../store/versions.ts';
import { sweepSessions } from './auth.ts';
import { sweepFlows } from './connect-flows.ts';
import type { Services } from './context.ts';
import * as idempotency from './idempotency.ts';
import { sweepOrphanRuns } from './runs.ts';

const DUTIES: Record<string, (services: Services) => Promise<void>> = {
  'making partitions': ({ db }) => ensurePartitions(db),
  'dropping days past their retention': async ({ db, settings, log }) => {
    // By the earlier of two clocks: one that is weeks ahead would have everything dropped.
    const nowMs = Math.min(Date.now(), await nodeStore.clockMs(db));
    const dropped = await dropOldPartitions(db, settings.retentionDays, nowMs);
    if (dropped.length > 0) log.info({ dropped }, 'days past their retention were dropped');
    await dropOldFigures(db, settings.retentionDays, nowMs);
  },
  'ending runs of nodes that are gone': async (services) =>
    sweepOrphanRuns(services, await nodeStore.living(services.db)),
  'clearing sessions': sweepSessions,
  'clearing connect flows': sweepFlows,
  'clearing idempotency keys': idempotency.sweep,
  'forgetting ids of sources': forgetOldIds,
  'putting secrets under the current master key': rewrapSecrets,
};
/** Where there is much code, whoever waits for a node to start would wait for these too. */
const LENGTHY: typeof DUTIES = { 'removing code that nobody has': removeOldCode };

/** Publishing takes minutes at most from putting code away to the row of its version; clocks may differ by hours. */
const UNUSED_CODE_MS = 6 * 3_600_000;

async function removeOldCode({ db, blobs, log }: Services): Promise<void> {
  const nowMs = Math.min(Date.now(), await nodeStore.clockMs(db));
  const used = (sha256s: string[]) => versions.usedBlobs(db, sha256s);
  const removed = await blobs.sweep({ used, olderThanMs: nowMs - UNUSED_CODE_MS });
  if (removed > 0) log.info({ removed }, 'code that nobody has any more was removed');
}

async function rewrapSecrets({ db, vault, log }: Services): Promise<void> {
  if (!vault.hasOlderKeys) return;
  const { count, lost, done } = await rewrap(db, vault);
  for (const error of lost) log.error({ err: error }, 'a secret is under no key of the ring');
  if (done && count > 0)
    log.info({ count }, 'all secrets are under the current master key now; older ones can be dropped');
}

/** In steps, so that no one statement takes long. */
async function forgetOldIds({ db }: Services): Promise<void> {
  const step = 5_000;
  while ((await forgetOldKeys(db, step)) === step);
}

/** What has to be done now and then, on any node, as often as you like. One duty that fails holds up no other. */
export async function sweep(services: Services): Promise<void> {
  await sweepAtStart(services);
  await carryOut(services, LENGTHY);
}

/** The same, but for what takes long and can wait. */
export function sweepAtStart(services: Services): Promise<void> {
  return carryOut(services, DUTIES);
}

async function carryOut(services: Services, duties: typeof DUTIES): Promise<void> {
  for (const [duty, work] of Object.entries(duties)) {
    await work(services).catch((error: unknown) => services.log.error({ err: error }, `${duty} failed`));
  }
}
