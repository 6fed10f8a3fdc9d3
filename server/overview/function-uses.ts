import type { Input, Reply } from '../../contract/operations.ts';
import { destinationsOf } from '../deliveries/targets/function.ts';
import * as functionUses from '../functions/function-uses.ts';
import { getOwn } from '../functions/hosted-function.ts';
import type { Ctx } from '../platform/context.ts';

const DESTINATIONS_MAX = 200;

/** Callers and dependents of a function, which a change or deletion would affect. */
export async function list(ctx: Ctx, { params }: Input<'functionUses'>): Promise<Reply<'functionUses'>> {
  const { function_id, label } = await getOwn(ctx, params.function_id);
  const [destinations, { since, ...uses }] = await Promise.all([
    destinationsOf(ctx, { function_id, label }, DESTINATIONS_MAX),
    functionUses.read(ctx, function_id),
  ]);
  return { since, destinations, ...uses };
}
