/**
 * Health of destinations. A destination is *failing* from the first failure after its last success; one success ends
 * that. It is disabled with the reason FAILING after days of nothing but failures and two deliveries with exhausted
 * retries hours apart, so that one outage of a quiet destination is not enough. Its waiting deliveries become SKIPPED.
 * Warnings are sent at 50, 70 and 90 per cent of the time.
 *
 * A success at a working destination, the usual case, costs nothing: only a failure, or the first success after one, is
 * written.
 */
import { DESTINATION_WARNINGS } from '../../../contract/states.ts';
import { now } from '../../lib/clock.ts';
import type { Services } from '../../platform/context.ts';
import * as store from '../store/destinations/destination-health.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import type { Completed, Completion } from '../store/queue/delivery-queue.ts';
import { verdictOf } from './breaker.ts';

export type HealthRules = { disableAfterMs: number; exhaustedApartMs: number };

/**
 * Records the outcomes of a batch of attempts at their destinations, and disables destinations that failed for too
 * long.
 */
export async function noteOutcomes(services: Services, completions: Completion[], moved: Completed[]): Promise<void> {
  const at = now();
  const { lanes, openCircuits } = services.pipeline;
  const openMs = new Map(lanes.openCircuits().map(({ id, untilMs }) => [id, Math.max(0, untilMs - Date.now())]));
  const outcomes = outcomesOf(completions, moved, openMs);
  const worked = outcomes.filter(
    ({ succeeded, was_failing, destination_id }) => succeeded && (was_failing || openCircuits.has(destination_id)),
  );
  const failed = outcomes.filter((each) => !each.succeeded);
  if (worked.length > 0) await store.noteSuccess(services.db, worked);
  const rows = failed.length > 0 ? await store.noteFailure(services.db, failed, at) : [];
  await noteExhausted(services, completions, moved, { rows, at });
  for (const { destination_id, open_ms, alive } of outcomes) {
    if (open_ms !== null) openCircuits.add(destination_id);
    else if (alive) openCircuits.delete(destination_id);
  }
  for (const row of rows) await judge(services, row, at);
  for (const { account_id, trigger_id } of [...worked, ...rows.filter(({ began, switched }) => began || switched)])
    services.changed(account_id, { noun: 'trigger', trigger_id });
}

/** Deliveries that exhausted their retries, at destinations that `noteFailure` did not record as exhausted. */
async function noteExhausted(
  { db }: Services,
  completions: Completion[],
  moved: Completed[],
  { rows, at }: { rows: store.FailingRow[]; at: string },
): Promise<void> {
  const ended = moved.filter(({ status }) => status === 'FAILED');
  if (ended.length === 0) return;
  const skipped = new Set([
    ...rows.filter(({ exhausted }) => exhausted).map(({ destination_id }) => destination_id),
    // The destination is disabled: there is no retry to exhaust.
    ...completions.filter(({ reason }) => reason === 'GONE').map(({ delivery_id }) => delivery_id),
  ]);
  const exhausted = new Map(
    ended
      .filter(({ destination_id, delivery_id }) => !skipped.has(destination_id) && !skipped.has(delivery_id))
      .map(({ account_id, destination_id }) => [destination_id, { account_id, destination_id }]),
  );
  if (exhausted.size > 0) await store.noteExhausted(db, [...exhausted.values()], at);
}

/** One outcome per destination: a batch that contains a success is a success. */
function outcomesOf(
  completions: Completion[],
  moved: Completed[],
  openMs: Map<string, number>,
): store.DestinationOutcome[] {
  const sent = new Map(completions.filter((each) => each.sent).map((each) => [each.delivery_id, each]));
  const byDestination = new Map<string, store.DestinationOutcome>();
  for (const { account_id, trigger_id, destination_id, delivery_id, status } of moved) {
    const completion = sent.get(delivery_id);
    // These show nothing about the receiver.
    if (!completion || completion.reason === 'TEMPLATE_ERROR' || completion.reason === 'TRANSFORM_ERROR') continue;
    const before = byDestination.get(destination_id);
    byDestination.set(destination_id, {
      account_id,
      trigger_id,
      destination_id,
      succeeded: before?.succeeded || completion.status === 'SUCCEEDED',
      exhausted: before?.exhausted || status === 'FAILED',
      failures: (before?.failures ?? 0) + Number(completion.status === 'FAILED'),
      was_failing: before?.was_failing || completion.was_failing,
      open_ms: openMs.get(destination_id) ?? null,
      alive: before?.alive || verdictOf(completion) === 'ALIVE',
    });
  }
  return [...byDestination.values()];
}

async function judge(services: Services, row: store.FailingRow, at: string): Promise<void> {
  const { disableAfterMs, exhaustedApartMs } = services.settings.health;
  const failingMs = Date.parse(at) - Date.parse(row.failing_since);
  const apartMs = row.exhausted && row.exhausted_at ? Date.parse(at) - Date.parse(row.exhausted_at) : -1;
  if (failingMs >= disableAfterMs && apartMs >= exhaustedApartMs) return disable(services, row, at);
  const percent = (failingMs / disableAfterMs) * 100;
  const warning = DESTINATION_WARNINGS.findLast((each) => percent >= each) ?? 0;
  if (warning <= row.warned) return;
  const { account_id, trigger_id, destination_id } = row;
  if (!(await store.noteWarning(services.db, account_id, destination_id, warning))) return;
  services.log.warn({ account_id, destination_id, warning }, 'destination failing, will be disabled');
  services.changed(account_id, { noun: 'trigger', trigger_id });
}

async function disable(services: Services, row: store.FailingRow, at: string): Promise<void> {
  const { account_id, trigger_id, destination_id } = row;
  const disabled = await services.db.transaction().execute(async (tx) => {
    const changed = await store.disableFailing(tx, account_id, destination_id, row.failing_since, at);
    const verdict = { status: 'SKIPPED', reason: 'DESTINATION_DISABLED', at } as const;
    if (changed) await deliveryStore.setAside(tx, account_id, [destination_id], verdict);
    return changed;
  });
  if (!disabled) return;
  services.log.warn({ account_id, destination_id, failing_since: row.failing_since }, 'failing destination disabled');
  services.changed(account_id, { noun: 'trigger', trigger_id });
}
