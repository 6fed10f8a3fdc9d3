import { Id } from '../../contract/fields.ts';
import type { Input, Reply } from '../../contract/operations.ts';
import { isRequestId } from '../lib/ids.ts';
import type { Ctx } from '../platform/context.ts';
import * as store from './store/lookup.ts';

/**
 * Everything of the account that an id names: the thing itself, the attempt sent with this `webhook-id`, or what a
 * request with this `X-Request-Id` did. No match looks the same for every reason: unknown, malformed, deleted or
 * another account's. Rejections and calls through the gateway are found about a second after they happened.
 */
export async function lookup(ctx: Ctx, { query }: Input<'lookup'>): Promise<Reply<'lookup'>> {
  const { id } = query;
  const { data: uuid } = Id.safeParse(id);
  if (uuid) await ctx.memory.runs.settle((key) => key.run_id === uuid, 0);
  const matches = uuid ? await store.byId(ctx.db, ctx.account_id, uuid) : [];
  // A request id is compared as it was sent; the service's own are in lower case.
  const requestIds = [...new Set([id, ...(uuid ? [uuid] : [])])];
  if (matches.length === 0 && isRequestId(id))
    matches.push(...(await store.byRequestId(ctx.db, ctx.account_id, requestIds)));
  return { matches };
}
