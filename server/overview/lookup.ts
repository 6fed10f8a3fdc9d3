import { Id } from '../../contract/fields.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { isRequestId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import * as store from './store/lookup.ts';

/**
 * Everything in the account that an id names: the resource, the attempt sent with this `webhook-id`, or the results of
 * a request with this `X-Request-Id`. The response without a match is the same for an unknown, malformed or deleted id
 * and one of another account. Rejections and gateway calls are found after about a second.
 */
export async function lookup(ctx: Ctx, { query }: Input<'lookup'>): Promise<Reply<'lookup'>> {
  const { id } = query;
  const { data: uuid } = Id.safeParse(id);
  if (uuid) await ctx.memory.runs.settle((key) => key.run_id === uuid, 0);
  const matches = uuid ? await store.byId(ctx.db, ctx.account_id, uuid) : [];
  // Request ids are compared exactly; those of the service are in lower case.
  const requestIds = [...new Set([id, ...(uuid ? [uuid] : [])])];
  if (matches.length === 0 && isRequestId(id))
    matches.push(...(await store.byRequestId(ctx.db, ctx.account_id, requestIds)));
  return { matches };
}
