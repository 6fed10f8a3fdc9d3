import { type EventFilter, matchesFilter, readsRequest } from '../../../contract/event-filter.ts';
import { FILTER_TEST_EVENTS } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { notFound } from '../../lib/failure.ts';
import { chartRange, timestampOf } from '../../platform/chart-range.ts';
import type { Ctx } from '../../platform/context.ts';
import * as queues from '../destinations/destination-queues.ts';
import { warningOf } from '../destinations/destinations.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import * as store from '../store/events/event-stats.ts';
import * as eventStore from '../store/events/events.ts';
import * as triggerKeys from '../store/queue/trigger-keys.ts';

/** Events and their outcomes over time, for the account, one trigger or one destination. */
export async function stats(ctx: Ctx, { query }: Input<'eventStats'>): Promise<Reply<'eventStats'>> {
  const { range, ...scope } = query;
  const chart = chartRange(range);
  const { account_id } = ctx;
  const [events, attempts, durations] = await Promise.all([
    store.eventBuckets(ctx.db, account_id, scope, chart),
    store.attemptBuckets(ctx.db, account_id, scope, chart),
    store.durationBuckets(ctx.db, account_id, scope, chart),
  ]);
  const attemptsOf = Map.groupBy(attempts, ({ index }) => index);
  const durationsOf = new Map(durations.map((each) => [each.index, each.percentiles]));
  let index = -1;
  return {
    since: timestampOf(chart.since_ms),
    bucket_seconds: chart.bucket_ms / 1000,
    buckets: chart.fill(events, (at, found) => {
      const { index: _, ...counts } = found ?? NO_EVENTS;
      const made = attemptsOf.get(++index) ?? [];
      const [p50_ms = null, p95_ms = null, p99_ms = null] = durationsOf.get(index) ?? [];
      const failures = countOf(made.filter(({ failed }) => failed));
      return { at, ...counts, attempts: countOf(made), failures, p50_ms, p95_ms, p99_ms };
    }),
    codes: codesOf(attempts),
  };
}

const countOf = (buckets: store.AttemptBucket[]) => buckets.reduce((sum, { attempts }) => sum + attempts, 0);

const CODES_MAX = 20;

/** Responses of receivers, most frequent first. */
function codesOf(attempts: store.AttemptBucket[]): Reply<'eventStats'>['codes'] {
  const all = [...Map.groupBy(attempts, ({ status, reason }) => status ?? reason).values()].flatMap((some) => {
    const [first] = some;
    return first ? { status: first.status, reason: first.reason, count: countOf(some) } : [];
  });
  return all.toSorted((a, b) => b.count - a.count || (a.status ?? 1000) - (b.status ?? 1000)).slice(0, CODES_MAX);
}

const NO_EVENTS = { index: 0, events: 0, succeeded: 0, failed: 0, open: 0, skipped: 0 };

/**
 * Events of each trigger over time, the current status of their deliveries, and the destinations that only fail, for
 * the whole account. Triggers without any of these are omitted.
 */
export async function ofTriggers(ctx: Ctx, { query }: Input<'triggerStats'>): Promise<Reply<'triggerStats'>> {
  const chart = chartRange(query.range);
  const { account_id } = ctx;
  const [buckets, failing, { queues: waiting, disabled, paused }] = await Promise.all([
    store.triggerBuckets(ctx.db, account_id, chart),
    destinationStore.listFailing(ctx.db, account_id),
    queues.ofAccount(ctx),
  ]);
  const bucketsOf = Map.groupBy(buckets, ({ trigger_id }) => trigger_id);
  const failingOf = Map.groupBy(failing, ({ trigger_id }) => trigger_id);
  const queuesOf = Map.groupBy(waiting, ({ trigger_id }) => trigger_id);
  const disabledOf = Map.groupBy(disabled, ({ trigger_id }) => trigger_id);
  const pausedOf = Map.groupBy(paused, ({ trigger_id }) => trigger_id);
  const ids = new Set([bucketsOf, failingOf, queuesOf, disabledOf, pausedOf].flatMap((each) => [...each.keys()]));
  return {
    since: timestampOf(chart.since_ms),
    bucket_seconds: chart.bucket_ms / 1000,
    triggers: [...ids].map((trigger_id) => {
      const own = bucketsOf.get(trigger_id) ?? [];
      const sum = (name: 'events' | 'succeeded' | 'failed' | 'open') =>
        own.reduce((total, bucket) => total + bucket[name], 0);
      return {
        trigger_id,
        events: sum('events'),
        succeeded: sum('succeeded'),
        failed: sum('failed'),
        open: sum('open'),
        buckets: chart.fill(own, (_, found) => found?.events ?? 0),
        failing: (failingOf.get(trigger_id) ?? []).map(({ destination_id, failing_since, warned }) => ({
          destination_id,
          failing_since,
          warning: warningOf(warned),
        })),
        queues: (queuesOf.get(trigger_id) ?? []).map(({ trigger_id: _, ...queue }) => queue),
        disabled: (disabledOf.get(trigger_id) ?? []).map(({ trigger_id: _, ...each }) => each),
        paused: (pausedOf.get(trigger_id) ?? []).map(({ trigger_id: _, ...each }) => each),
      };
    }),
  };
}

/** Evaluates a filter against the trigger's last events: the number that match, and the events. Changes nothing. */
export async function testFilter(
  ctx: Ctx,
  { params, query }: Input<'triggerFilterTest'>,
): Promise<Reply<'triggerFilterTest'>> {
  const { trigger_id } = params;
  if (!(await triggerKeys.exists(ctx.db, ctx.account_id, trigger_id))) throw notFound('Trigger');
  const page = { limit: FILTER_TEST_EVENTS };
  const events = await eventStore.list(ctx.db, ctx.account_id, { trigger_id }, page);
  const filter = query.filter as EventFilter;
  const ids = readsRequest(filter) ? events.map(({ event_id }) => event_id) : [];
  const requests = await eventStore.requestsOf(ctx.db, ctx.account_id, ids);
  const results: Reply<'triggerFilterTest'>['events'] = [];
  for (const { event_id, received_at, payload } of events) {
    // One large payload at a time.
    const text = payload ?? (await eventStore.find(ctx.db, ctx.account_id, trigger_id, event_id))?.payload ?? '{}';
    const matches = matchesFilter(filter, parseExactly(text), requests.get(event_id));
    results.push({ event_id, received_at, matches });
  }
  return { matched: results.filter(({ matches }) => matches).length, total: results.length, events: results };
}
