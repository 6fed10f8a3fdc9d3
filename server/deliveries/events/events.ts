import { isUtf8 } from 'node:buffer';
import type { Input, Reply } from '../../../contract/operations.ts';
import { toTimestamp } from '../../lib/clock.ts';
import { notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import { closePage, openPage, pageToken } from '../../platform/paging.ts';
import * as eventPages from '../store/events/event-pages.ts';
import * as store from '../store/events/events.ts';
import * as attemptStore from '../store/queue/attempts.ts';
import * as deliveryStore from '../store/queue/deliveries.ts';
import * as triggerKeys from '../store/queue/trigger-keys.ts';
import { describeRuns, transformOf } from '../transforms/transform-runs.ts';
import { describeAttempt, describeRows, getDetail } from './event-shapes.ts';

/**
 * Events of a trigger, newest first. With `since_id`: later events, and only those after which no older id can still be
 * committed.
 */
export async function list(ctx: Ctx, input: Input<'eventList'>): Promise<Reply<'eventList'>> {
  const { trigger_id } = input.params;
  if (!(await triggerKeys.exists(ctx.db, ctx.account_id, trigger_id))) throw notFound('Trigger');
  return page(ctx, input, { trigger_id, since_id: input.query.since_id });
}

/** Events of all existing triggers, newest first. */
export async function listAll(ctx: Ctx, input: Input<'eventListAll'>): Promise<Reply<'eventListAll'>> {
  return page(ctx, input, { event_ids: input.query.ids });
}

/** One event. With `request_body`, its request contains the exact body. */
export async function get(ctx: Ctx, { params, query }: Input<'eventGet'>): Promise<Reply<'eventGet'>> {
  const { trigger_id, event_id } = params;
  const event = await getDetail(ctx, trigger_id, event_id);
  if (query.request_body !== 'true' || !event.request) return { event };
  const bytes = await store.requestBodyOf(ctx.db, ctx.account_id, event_id);
  const isText = bytes === null || isUtf8(bytes);
  const body = bytes === null ? null : bytes.toString(isText ? 'utf8' : 'base64');
  return { event: { ...event, request: { ...event.request, body, is_base64_encoded: !isText } } };
}

/** All attempts of a delivery, oldest first. */
export async function listAttempts(ctx: Ctx, input: Input<'attemptList'>): Promise<Reply<'attemptList'>> {
  const { event_id, delivery_id } = input.params;
  if (!(await deliveryStore.exists(ctx.db, ctx.account_id, input.params))) throw notFound('Delivery');
  const { limit, after } = openPage(ctx, input);
  const found = await attemptStore.list(ctx.db, ctx.account_id, event_id, delivery_id, {
    limit: limit + 1,
    after: after && Number(after[0]),
  });
  const { rows, next_token } = closePage(ctx, input, found, (row) => [String(row.number)]);
  const transforms = await describeRuns(ctx, rows.map(transformOf));
  return { attempts: rows.map((row, index) => describeAttempt(row, transforms[index])), next_token };
}

export { replay } from '../replays/replay.ts';

type Filters = Pick<
  Input<'eventListAll'>['query'],
  Exclude<keyof Input<'eventListAll'>['query'], 'limit' | 'next_token' | 'ids' | 'trigger_id'>
>;

/** The filter of the store for these query parameters. */
export const filterOf = <F extends Filters>({ held, pinned, received_after, received_before, ...rest }: F) => ({
  ...rest,
  held: held === 'true' || undefined,
  pinned: pinned === 'true' || undefined,
  received_after: received_after && toTimestamp(received_after),
  received_before: received_before && toTimestamp(received_before),
});

type Page = Input<'eventList'> | Input<'eventListAll'>;

async function page(
  ctx: Ctx,
  input: Page,
  filter: Pick<store.EventFilter, 'trigger_id' | 'since_id' | 'event_ids'>,
): Promise<Reply<'eventList'>> {
  const { limit: _, next_token: __, ...query } = input.query;
  const { limit, after } = openPage(ctx, input);
  const { rows, next } = await eventPages.page(
    ctx.db,
    ctx.account_id,
    { ...filterOf(query), ...filter },
    { limit, before: after?.[0] },
  );
  return { events: await describeRows(ctx, rows), next_token: next && pageToken(ctx, input, [next]) };
}
