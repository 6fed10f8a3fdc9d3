import type { Input, Reply } from '../../contract/operations.ts';
import { write } from '../accounts/write.ts';
import type { Ctx } from '../platform/context.ts';
import { getReadable } from './hosted-function.ts';
import * as store from './store/stars.ts';

/** Stars a function of the caller or a PUBLIC one. Repeating it has no effect. */
export async function add(ctx: Ctx, { params }: Input<'functionStar'>): Promise<Reply<'functionStar'>> {
  const fn = await getReadable(ctx, params.function_id);
  await write(ctx, async (tx, about) => {
    about(fn.function_id, { noun: 'star', function_id: fn.function_id });
    await store.add(tx, ctx.account_id, fn.account_id, fn.function_id);
  });
  return {};
}

export async function remove(ctx: Ctx, { params }: Input<'functionUnstar'>): Promise<Reply<'functionUnstar'>> {
  const fn = await getReadable(ctx, params.function_id);
  await write(ctx, async (tx, about) => {
    about(fn.function_id, { noun: 'star', function_id: fn.function_id });
    await store.remove(tx, ctx.account_id, fn.account_id, fn.function_id);
  });
  return {};
}
