import { PINNED_EVENTS_MAX } from '../../../contract/limits.ts';
import type { Input, Reply } from '../../../contract/operations.ts';
import * as accounts from '../../accounts/store/accounts.ts';
import { write } from '../../accounts/write.ts';
import { now } from '../../lib/clock.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import * as eventStore from '../store/events/events.ts';
import * as store from '../store/events/pins.ts';
import { getDetail } from './event-shapes.ts';

/** Keeps an event beyond the retention, with its request, deliveries and attempts. */
export async function pin(ctx: Ctx, { params, body }: Input<'eventPin'>): Promise<Reply<'eventPin'>> {
  const { trigger_id, event_id } = params;
  return write(ctx, async (tx, about) => {
    about(event_id, { noun: 'event', trigger_id, event_id });
    await accounts.lock(tx, ctx.account_id);
    // Reading the event locks its partition, so that retention does not drop it before the commit.
    const event = await eventStore.find(tx, ctx.account_id, trigger_id, event_id);
    if (!event) throw notFound('Event');
    if (event.pinned_at === null && (await store.count(tx, ctx.account_id)) >= PINNED_EVENTS_MAX)
      throw badRequest(`event_id: expected at most ${PINNED_EVENTS_MAX} pinned events in an account`);
    const note = body?.note === '' ? null : body?.note;
    await store.put(tx, ctx.account_id, { event_id, trigger_id, note, pinned_by: ctx.actor.name, pinned_at: now() });
    return { event: await getDetail(ctx, trigger_id, event_id, tx) };
  });
}

/** Unpins an event. If its day is past the retention, it is deleted within the hour. */
export async function unpin(ctx: Ctx, { params }: Input<'eventUnpin'>): Promise<Reply<'eventUnpin'>> {
  const { trigger_id, event_id } = params;
  return write(ctx, async (tx, about) => {
    about(event_id, { noun: 'event', trigger_id, event_id });
    if (!(await eventStore.find(tx, ctx.account_id, trigger_id, event_id))) throw notFound('Event');
    await store.remove(tx, ctx.account_id, event_id);
    return { event: await getDetail(ctx, trigger_id, event_id, tx) };
  });
}
