import type { Input, Reply } from '../../../contract/operations.ts';
import { write } from '../../accounts/write.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Change } from '../../platform/changes.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/database/schema.ts';
import { openPage, pageToken } from '../../platform/paging.ts';
import { boundsOf, selectionOf } from '../replays/replay-gathering.ts';
import * as eventStore from '../store/events/events.ts';
import * as store from '../store/queue/cancellations.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import * as gathering from '../store/replays/replay-gathering.ts';
import { getDetail } from './event-shapes.ts';

/**
 * Cancels the open deliveries (PENDING or RETRYING) of an event, and those that failed and stop the deliveries behind
 * them. An attempt in flight ends: if it succeeds, the delivery is SUCCEEDED. 400 for a destination that never belonged
 * to the event.
 */
export async function cancel(ctx: Ctx, { params, body }: Input<'eventCancel'>): Promise<Reply<'eventCancel'>> {
  const { trigger_id, event_id } = params;
  return write(ctx, async (tx, about) => {
    if (!(await eventStore.find(tx, ctx.account_id, trigger_id, event_id))) throw notFound('Event');
    await refuseUnknown(tx, ctx.account_id, event_id, body?.destination_ids);
    const canceled = await store.cancelOf(tx, ctx.account_id, event_id, body?.destination_ids);
    about(event_id, ...laneChanges(canceled), ...deliveryChanges(canceled));
    return { event: await getDetail(ctx, trigger_id, event_id, tx), canceled: canceled.length };
  });
}

/**
 * Cancels the open deliveries of events that match the filter, newest event first, for as long as one request may
 * take; `next_token` continues. With `dry_run` it only counts. 400 for a filter without conditions.
 */
export async function cancelMatching(ctx: Ctx, { body }: Input<'deliveryCancel'>): Promise<Reply<'deliveryCancel'>> {
  const { dry_run = false, next_token, ...chosen } = body;
  const { filter, choice } = selectionOf(chosen);
  const selection = { filter, choice: { ...choice, statuses: ['PENDING' as const, 'RETRYING' as const] } };
  const asPage = { params: {}, query: { ...chosen, dry_run, limit: 1, next_token } };
  const from = { before: openPage(ctx, asPage).after?.[0], budgetMs: boundsOf(ctx.settings, 'alone').budgetMs };
  const total = { deliveries: 0, events: 0 };
  const count = ({ deliveries, events }: gathering.Found) => {
    total.deliveries += deliveries;
    total.events += events;
    return true;
  };
  const rest = dry_run
    ? await gathering.gather(ctx.db, ctx.account_id, selection, from, async (candidates) =>
        count(await gathering.count(ctx.db, candidates)),
      )
    : await write(ctx, (tx, about) =>
        gathering.gather(tx, ctx.account_id, selection, from, async (candidates) => {
          const canceled = await store.cancelCandidates(tx, ctx.account_id, candidates);
          const byEvent = Map.groupBy(canceled, ({ event_id }) => event_id);
          for (const [event_id, own] of byEvent) about(event_id, ...deliveryChanges(own));
          // One broadcast per destination of the stretch, not per event.
          const [first] = canceled;
          if (first) about(first.event_id, ...laneChanges(canceled));
          return count({ deliveries: canceled.length, events: byEvent.size });
        }),
      );
  return { ...total, next_token: rest === null ? null : pageToken(ctx, asPage, [rest]) };
}

/** Lanes release the deliveries that wait in them. */
const laneChanges = (canceled: store.Canceled[]): Change[] =>
  [...new Set(canceled.map(({ destination_id }) => destination_id))].map((destination_id) => ({
    noun: 'cancellation',
    destination_id,
  }));

const deliveryChanges = (canceled: store.Canceled[]): Change[] =>
  canceled.map(({ trigger_id, event_id, delivery_id }) => ({
    noun: 'delivery',
    trigger_id,
    event_id,
    delivery_id,
    status: 'CANCELED',
  }));

async function refuseUnknown(tx: Tx, account_id: string, event_id: string, asked: string[] = []): Promise<void> {
  if (asked.length === 0) return;
  const deliveries = await deliveryStore.listOf(tx, account_id, event_id);
  const known = new Set(deliveries.map(({ destination_id }) => destination_id));
  const index = asked.findIndex((id) => !known.has(id));
  if (index >= 0) throw badRequest(`destination_ids.${index}: this event has no destination ${asked[index]}`);
}
