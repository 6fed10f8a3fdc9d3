import type { Input, Reply } from '../../../contract/operations.ts';
import type { RequestValues } from '../../../contract/text/request-values.ts';
import { write } from '../../accounts/write.ts';
import { ingestIn } from '../../deliveries/intake/intake.ts';
import { badRequest, notFound } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import type { RejectionsTable } from '../../platform/database/schema.ts';
import * as store from '../store/rejections.ts';
import * as triggerStore from '../store/triggers.ts';
import { hookOf } from './hooks.ts';
import type { Seen } from './incoming.ts';
import { acceptEvents } from './read-any-body.ts';
import { eventsOf } from './receive.ts';
import { flushRejections } from './rejections.ts';

/**
 * Stores the events of a rejected request and delivers them, without checking its signature, its event type and the
 * trigger's parameters. A malformed body becomes text or bytes. A rejection is accepted once: the second request gets
 * the same event. The source's ID of an event still prevents a duplicate.
 */
export async function acceptRejection(
  ctx: Ctx,
  { params: { trigger_id, rejection_id } }: Input<'rejectionAccept'>,
): Promise<Reply<'rejectionAccept'>> {
  await flushRejections(ctx);
  const { event_ids, committed } = await write(ctx, async (tx, about) => {
    about(rejection_id, { noun: 'rejection', trigger_id });
    const trigger = await triggerStore.find(tx, ctx.account_id, trigger_id);
    if (!trigger) throw notFound('Trigger');
    const row = await store.lock(tx, ctx.account_id, trigger_id, rejection_id);
    if (!row) throw notFound('Rejection');
    if (row.event_id !== null) return { event_ids: [row.event_id], committed: undefined };
    const seen = seenIn(row);
    const hook = await hookOf({ ...ctx, db: tx }, trigger);
    if (!seen || !hook)
      throw badRequest('rejection_id: only a part of this request is stored, so it cannot be accepted');
    const { items } = await acceptEvents(hook.source, seen);
    const { taken, committed } = await ingestIn(ctx, tx, hook.label, eventsOf(hook, seen, items));
    const event_ids = taken.map(({ event_id }) => event_id);
    const [first] = event_ids;
    if (first !== undefined) await store.accepted(tx, ctx.account_id, rejection_id, first);
    return { event_ids, committed };
  });
  committed?.();
  return { event_ids };
}

function seenIn({ request, whole_body, bytes, ip, request_id }: RejectionsTable): Seen | undefined {
  if (request === null || whole_body === null) return undefined;
  const { method, path, query, headers } = JSON.parse(request) as RequestValues;
  const answered_id = () => request_id ?? '';
  return { method, path, query, headers, body: whole_body, bytes, ip, request_id: undefined, answered_id };
}
