import { sweepSessions } from '../accounts/auth.ts';
import * as idempotency from '../accounts/idempotency.ts';
import { sweepFlows } from '../connections/connect/connect-flows.ts';
import { dropOldFigures } from '../deliveries/store/figures.ts';
import { forgetOldKeys } from '../deliveries/store/ingress-keys.ts';
import { openDeliveries } from '../deliveries/store/waiting-deliveries.ts';
import { sweepOrphanRuns } from '../functions/runs/runs.ts';
import * as reservedLabels from '../functions/store/reserved-labels.ts';
import * as versions from '../functions/store/versions.ts';
import * as nodeStore from '../platform/cluster/nodes.ts';
import type { Services } from '../platform/context.ts';
import { dropOldPartitions, ensurePartitions } from '../platform/database/partitions.ts';
import { rewrap } from '../platform/vault/rewrap.ts';

const DUTIES: Record<string, (services: Services) => Promise<void>> = {
  'making partitions': ({ db }) => ensurePartitions(db),
  'dropping days past their retention': dropOldDays,
  'ending runs of nodes that are gone': async (services) =>
    sweepOrphanRuns(services, await nodeStore.living(services.db)),
  'clearing sessions': sweepSessions,
  'clearing connect flows': sweepFlows,
  'clearing idempotency keys': idempotency.sweep,
  'forgetting ids of sources': forgetOldIds,
  'freeing labels of functions': async ({ db }) => reservedLabels.freeOld(db, await nodeStore.earlierClockMs(db)),
  'putting secrets under the current master key': rewrapSecrets,
};
const DAY_MS = 86_400_000;

async function dropOldDays({ db, settings: { retentionDays }, log }: Services): Promise<void> {
  const nowMs = await nodeStore.earlierClockMs(db);
  const { allowedMs } = await dropOldPartitions(db, retentionDays, openDeliveries, nowMs, (plan) => {
    const { names, heldDays, wantedMs } = plan;
    const about = { dropping: names, before: isoOf(plan.allowedMs), retention_days: retentionDays };
    const daysBehind = Math.floor((wantedMs - plan.allowedMs) / DAY_MS);
    if (daysBehind > 0) log.warn({ ...about, wanted: isoOf(wantedMs), days_behind: daysBehind }, BEHIND);
    else if (names.length > 0) log.info(about, 'dropping days past their retention');
    if (heldDays.length > 0) log.warn({ days: heldDays }, 'days past their retention kept, deliveries still open');
  });
  await dropOldFigures(db, retentionDays, allowedMs + retentionDays * DAY_MS);
}

const BEHIND =
  'more than one day is past its retention, dropping one day per hour: check the clock and SLUICE_RETENTION_DAYS';
const isoOf = (ms: number) => new Date(ms).toISOString();

/** Where there is much code, a node's start would wait for these too. */
const LENGTHY: typeof DUTIES = { 'removing unreferenced code': removeOldCode };

/** Publishing takes minutes at most from putting code away to the row of its version; clocks may differ by hours. */
const UNUSED_CODE_MS = 6 * 3_600_000;

async function removeOldCode({ db, blobs, log }: Services): Promise<void> {
  const nowMs = await nodeStore.earlierClockMs(db);
  const used = (sha256s: string[]) => versions.usedBlobs(db, sha256s);
  const removed = await blobs.sweep({ used, olderThanMs: nowMs - UNUSED_CODE_MS });
  if (removed > 0) log.info({ removed }, 'unreferenced code removed');
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
