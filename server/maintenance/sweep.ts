import { CAPTURE, KEY_USAGE_DAYS } from '../../contract/limits.ts';
import { sweepSessions } from '../accounts/auth.ts';
import { sweepPendingSignIns } from '../accounts/factors/pending-sign-in.ts';
import * as idempotency from '../accounts/idempotency.ts';
import { sweepSignInFlows } from '../accounts/openid/sign-in.ts';
import { sweepSignInLimits } from '../accounts/sign-in-throttle.ts';
import * as apiKeys from '../accounts/store/api-keys.ts';
import { deleteClosed } from '../conditions/store/conditions.ts';
import { sweepFlows } from '../connections/connect/connect-flows.ts';
import { sweepConnectSessions } from '../connections/connect/end-user-sessions.ts';
import * as captures from '../connections/store/captures.ts';
import { dropOldFigures } from '../deliveries/store/events/figures.ts';
import { pinnedEvents } from '../deliveries/store/events/pins.ts';
import { deleteOldKeys } from '../deliveries/store/queue/ingress-keys.ts';
import { openDeliveries } from '../deliveries/store/queue/waiting-deliveries.ts';
import { sweepOrphanRuns } from '../functions/runs/runs.ts';
import * as reservedLabels from '../functions/store/reserved-labels.ts';
import * as shadows from '../functions/store/shadows.ts';
import * as versions from '../functions/store/versions.ts';
import * as capturedCalls from '../gateway/store/captured-calls.ts';
import * as refusedCalls from '../gateway/store/refused-calls.ts';
import { fromNow, timestampAt } from '../lib/clock.ts';
import * as nodeStore from '../platform/cluster/nodes.ts';
import { removeFull } from '../platform/cluster/shared-rate-limit.ts';
import type { Services } from '../platform/context.ts';
import {
  dropOldPartitions,
  ensurePartitions,
  type PartitionFigures,
  partitionFigures,
} from '../platform/database/partitions.ts';
import { rewrap } from '../platform/vault/rewrap.ts';
import * as problems from '../problems/store/problems.ts';

const DUTIES: Record<string, (services: Services) => Promise<void>> = {
  'creating partitions': ({ db }) => ensurePartitions(db),
  'dropping days past retention': dropOldDays,
  'ending runs of expired nodes': async (services) => sweepOrphanRuns(services, await nodeStore.living(services.db)),
  'deleting expired sessions': sweepSessions,
  'deleting counts of failed sign-ins': sweepSignInLimits,
  'deleting full rate limits': ({ db }) => removeFull(db, FULL_SECONDS),
  'deleting expired sign-ins in progress': sweepPendingSignIns,
  'deleting expired sign-ins through a provider': sweepSignInFlows,
  'deleting expired connect flows': sweepFlows,
  'deleting expired connect sessions': sweepConnectSessions,
  'deleting expired idempotency keys': idempotency.sweep,
  'deleting expired deduplication keys': deleteOldIds,
  'deleting closed conditions': deleteOldConditions,
  'deleting problems past retention': deleteOldProblems,
  'deleting shadows past retention': deleteOldShadows,
  'deleting refused calls past retention': deleteOldRefusals,
  'deleting captured calls': deleteOldCaptures,
  'deleting old uses of API keys': ({ db }) => apiKeys.removeUsesBefore(db, fromNow(-KEY_USAGE_DAYS * DAY_MS)),
  'releasing reserved function labels': async ({ db }) =>
    reservedLabels.freeOld(db, await nodeStore.earlierClockMs(db)),
  'rewrapping secrets': rewrapSecrets,
};
const DAY_MS = 86_400_000;
/** The bucket of every rate limit is full after it. */
const FULL_SECONDS = 600;

async function dropOldDays({ db, settings: { retentionDays }, log }: Services): Promise<void> {
  const nowMs = await nodeStore.earlierClockMs(db);
  const { allowedMs } = await dropOldPartitions(db, retentionDays, retained, nowMs, (plan) => {
    const { names, heldDays, wantedMs } = plan;
    const about = { dropping: names, before: isoOf(plan.allowedMs), retention_days: retentionDays };
    const daysBehind = Math.floor((wantedMs - plan.allowedMs) / DAY_MS);
    if (daysBehind > 0) log.warn({ ...about, wanted: isoOf(wantedMs), days_behind: daysBehind }, BEHIND);
    else if (names.length > 0) log.info(about, 'dropping days past retention');
    if (heldDays.length > 0) log.warn({ days: heldDays }, 'days past retention kept, deliveries still pending');
  });
  await dropOldFigures(db, retentionDays, allowedMs + retentionDays * DAY_MS);
}

const retained = { ...openDeliveries, kept: pinnedEvents };

const BEHIND = 'more than one day past retention, dropping one day per hour: check the clock and SLUICE_RETENTION_DAYS';
const isoOf = (ms: number) => new Date(ms).toISOString();

/** With much code, these would delay a node's start. */
const LENGTHY: typeof DUTIES = { 'removing unreferenced code': removeOldCode };

/** Publishing takes minutes at most from storing code to the row of its version; clocks may differ by hours. */
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
  for (const error of lost) log.error({ err: error }, 'secret cannot be decrypted with any master key');
  if (done && count > 0)
    log.info({ count }, 'secrets rewrapped with the current master key, older keys can be removed');
}

/** In steps, so that no statement takes long. */
async function deleteOldIds({ db }: Services): Promise<void> {
  const step = 5_000;
  while ((await deleteOldKeys(db, step)) === step);
}

/** Longer than replays are reported after their end, and than a condition counts as opened again. */
const CLOSED_DAYS = 7;

async function deleteOldConditions({ db }: Services): Promise<void> {
  const step = 5_000;
  while ((await deleteClosed(db, CLOSED_DAYS, step)) === step);
}

async function deleteOldProblems({ db, settings }: Services): Promise<void> {
  const step = 5_000;
  const before = timestampAt((await nodeStore.earlierClockMs(db)) - settings.retentionDays * DAY_MS);
  while ((await problems.deleteOld(db, before, step)) === step);
}

async function deleteOldShadows({ db, settings }: Services): Promise<void> {
  const step = 100;
  const before = timestampAt((await nodeStore.earlierClockMs(db)) - settings.retentionDays * DAY_MS);
  while ((await shadows.deleteOld(db, before, step)) === step);
}

async function deleteOldRefusals({ db, settings }: Services): Promise<void> {
  const step = 5_000;
  const beforeMs = (await nodeStore.earlierClockMs(db)) - settings.retentionDays * DAY_MS;
  while ((await refusedCalls.removeBefore(db, beforeMs, step)) === step);
}

async function deleteOldCaptures({ db, settings }: Services): Promise<void> {
  const step = 500;
  const clockMs = await nodeStore.earlierClockMs(db);
  const beforeMs = clockMs - Math.min(CAPTURE.days, settings.retentionDays) * DAY_MS;
  while ((await capturedCalls.removeBefore(db, beforeMs, step)) === step);
  await captures.removeEnded(db, timestampAt(clockMs));
}

/** For metrics: whether the days ahead were made and those past retention dropped. */
export const daysWithPartitions = ({ db }: Services): Promise<PartitionFigures> => partitionFigures(db);

/** Runs all housekeeping duties. Any node may run it at any time. A duty that fails does not stop the others. */
export async function sweep(services: Services): Promise<void> {
  await sweepAtStart(services);
  await carryOut(services, LENGTHY);
}

/** The same without duties that take long and can wait. */
export function sweepAtStart(services: Services): Promise<void> {
  return carryOut(services, DUTIES);
}

async function carryOut(services: Services, duties: typeof DUTIES): Promise<void> {
  for (const [duty, work] of Object.entries(duties)) {
    await work(services).catch((error: unknown) => services.log.error({ err: error }, `${duty} failed`));
  }
}
