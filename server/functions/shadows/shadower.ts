/**
 * Worker of shadows.
 *
 * A shadow has one row for each stored request that it uses (WAITING). A node leases the shadow, runs the live version
 * and the new one on a request (try-request.ts), and stores what both did (DONE, compare.ts). Two requests are run at
 * the same time. If the responses or logs differ, the live version runs once more, to find what also varies without a
 * change. With the last request the shadow ends with a verdict; a version that passed becomes live in the same
 * transaction, if that was asked for.
 *
 * After a crash another node continues with the requests that still wait, when the lease has expired. A shadow stops
 * after SHADOW_MAX_SECONDS, or when SHADOW_TIMEOUTS_MAX runs of its version timed out, so that a loop does not keep a
 * processor busy.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { SHADOW_MAX_SECONDS, SHADOW_TIMEOUTS_MAX } from '../../../contract/limits.ts';
import type { ShadowStatus } from '../../../contract/states.ts';
import { systemCtx, write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import type { ShadowsTable } from '../../platform/database/tables/function-tables.ts';
import { createLoop, type Worker } from '../../platform/loop.ts';
import { AtCapacity } from '../../runtime/at-capacity.ts';
import { Cancellation, type CancelSignal } from '../../runtime/cancellation.ts';
import { storedCall } from '../runs/stored-request.ts';
import * as functionStore from '../store/functions.ts';
import * as runStore from '../store/runs.ts';
import * as store from '../store/shadows.ts';
import * as versionStore from '../store/versions.ts';
import { type Budget, compare, isSame, judge } from './compare.ts';
import { loadSide, type Side, type Tried, tryRequest } from './try-request.ts';

/** Shadows of this node, and requests of one shadow, at the same time. */
const SHADOWS_AT_ONCE = 2;
const REQUESTS_AT_ONCE = 2;
const EVERY_MS = 1_000;
/** Another node continues a shadow after this time without a renewal. */
const LEASE_MS = 15_000;
const RENEW_MS = 1_000;
const ANNOUNCE_MS = 300;
/** After this time a request is tried again for which no process was free. */
const BUSY_MS = 500;

export function createShadower(services: Services): Worker {
  const inProgress = new Map<string, Promise<void>>();
  const stopping = new Cancellation();
  const loop = createLoop({
    name: 'shadower',
    log: services.log,
    everyMs: EVERY_MS,
    async work() {
      const free = SHADOWS_AT_ONCE - inProgress.size;
      if (free === 0) return undefined;
      for (const shadow of await store.claim(services.db, services.nodeId, LEASE_MS, free)) {
        const { shadow_id } = shadow;
        if (inProgress.has(shadow_id)) continue;
        const done = perform(services, shadow, stopping)
          .catch((error: unknown) => services.log.warn({ err: error, shadow_id }, 'shadow failed, retrying'))
          .finally(() => {
            inProgress.delete(shadow_id);
            loop.nudge();
          });
        inProgress.set(shadow_id, done);
      }
      return undefined;
    },
  });
  return {
    ...loop,
    async drain() {
      await loop.drain();
      stopping.abort();
      await Promise.all(inProgress.values());
    },
  };
}

/** Runs requests until none waits, or the shadow has ended, or this node stops. */
async function perform(services: Services, shadow: ShadowsTable, stopping: CancelSignal): Promise<void> {
  const { db, nodeId } = services;
  const { account_id, function_id, shadow_id } = shadow;
  const over = new Cancellation();
  const stop = () => over.abort();
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  const lease = setInterval(() => {
    // While the database is unavailable, the lease decides.
    store.renew(db, shadow, nodeId, LEASE_MS).then(
      (isOurs) => isOurs || stop(),
      () => undefined,
    );
  }, RENEW_MS);
  const announce = () => services.changed(account_id, { noun: 'shadow', function_id, shadow_id });
  const sides: Side[] = [];
  try {
    const fn = await functionStore.find(db, account_id, function_id);
    if (!fn) return;
    const live = await loadSide(services, fn, shadow.live_version);
    const next = await loadSide(services, fn, shadow.version);
    sides.push(live, next);
    const untilMs = Date.parse(shadow.created_at) + SHADOW_MAX_SECONDS * 1000;
    let timeouts = (await store.results(db, account_id, shadow_id)).figures.timeouts;
    let announcedMs = 0;
    for (;;) {
      if (over.aborted) return await store.release(db, shadow, nodeId);
      if (Date.now() > untilMs)
        return await finish(services, shadow, 'STOPPED', `It took longer than ${SHADOW_MAX_SECONDS / 60} minutes.`);
      if (timeouts >= SHADOW_TIMEOUTS_MAX)
        return await finish(services, shadow, 'STOPPED', `${timeouts} runs of version ${shadow.version} timed out.`);
      const run_ids = await store.waiting(db, account_id, shadow_id, REQUESTS_AT_ONCE);
      if (run_ids.length === 0) return await finish(services, shadow, 'COMPLETED', null);
      const tried = await Promise.all(run_ids.map((run_id) => tryOne(services, shadow, { live, next }, run_id, over)));
      timeouts += tried.filter((after) => after?.error?.name === 'Timeout').length;
      if (performance.now() - announcedMs < ANNOUNCE_MS) continue;
      announcedMs = performance.now();
      announce();
    }
  } finally {
    clearInterval(lease);
    stopping.removeEventListener('abort', stop);
    for (const { spec } of sides) services.runtime.retire(spec.key);
    announce();
  }
}

/** Runs both versions on a request, and stores the result. Returns what the new version did. */
async function tryOne(
  services: Services,
  { account_id, function_id, shadow_id }: ShadowsTable,
  { live, next }: { live: Side; next: Side },
  run_id: string,
  over: CancelSignal,
): Promise<Tried | null> {
  const { db, settings } = services;
  const run = await runStore.find(db, account_id, function_id, run_id);
  const request = run && storedCall(run, live.fn, settings);
  if (!request) {
    const reason = run ? 'Only the beginning of its request was stored.' : 'The run is no longer stored.';
    await store.settle(db, account_id, shadow_id, run_id, { state: 'SKIPPED', reason });
    return null;
  }
  const attempt = async (side: Side): Promise<Tried | null> => {
    while (!over.aborted) {
      try {
        return await tryRequest(services, side, request, over);
      } catch (error) {
        if (!(error instanceof AtCapacity)) throw error;
        await wait(BUSY_MS);
      }
    }
    return null;
  };
  const before = await attempt(live);
  const after = before && (await attempt(next));
  if (!before || !after) return null;
  const again = isSame(before, after) ? undefined : ((await attempt(live)) ?? undefined);
  if (over.aborted) return null;
  const result = compare(before, after, again);
  await store.settle(db, account_id, shadow_id, run_id, { state: 'DONE', reason: null, ...result });
  return after;
}

/** Ends a shadow, with the deploy that was asked for. */
async function finish(
  services: Services,
  shadow: ShadowsTable,
  status: ShadowStatus,
  reason: string | null,
): Promise<void> {
  const { db } = services;
  const { account_id, shadow_id } = shadow;
  const results = await store.results(db, account_id, shadow_id);
  const budget = JSON.parse(shadow.budget) as Budget;
  const { verdict, findings } = judge({ status, versions: shadow, budget, results });
  const ended = { status, reason, verdict, findings: JSON.stringify(findings), deployed_at: null, ended_at: now() };
  if (verdict === 'PASSED' && shadow.deploy) {
    const refusal = await deploy(services, shadow, ended);
    if (refusal === undefined) return;
    await store.end(db, account_id, shadow_id, { ...ended, reason: refusal });
  } else await store.end(db, account_id, shadow_id, ended);
}

class NotDeployed extends Error {
  override name = 'NotDeployed';
}

/** Makes the version live and ends the shadow, both or neither. Returns why it did not. */
async function deploy(
  services: Services,
  { account_id, function_id, shadow_id, version, live_version, created_by }: ShadowsTable,
  ended: Parameters<typeof store.end>[3],
): Promise<string | undefined> {
  const ctx = systemCtx(services, account_id, `Shadow of ${created_by}`, 'functionUpdate');
  try {
    await write(ctx, async (tx, about) => {
      about(function_id, { noun: 'function', function_id });
      const fn = await functionStore.lock(tx, account_id, function_id);
      if (fn?.version !== live_version)
        throw new NotDeployed(
          `It passed and was not deployed: version ${fn?.version ?? 0} became live while the shadow ran.`,
        );
      const at = now();
      if (!(await store.end(tx, account_id, shadow_id, { ...ended, deployed_at: at })))
        throw new NotDeployed('The shadow was canceled.');
      if (fn.visibility === 'PUBLIC') await versionStore.addPublic(tx, account_id, function_id, version);
      await functionStore.update(tx, account_id, function_id, { version, updated_at: at });
    });
    return undefined;
  } catch (error) {
    if (error instanceof NotDeployed) return error.message;
    throw error;
  }
}
