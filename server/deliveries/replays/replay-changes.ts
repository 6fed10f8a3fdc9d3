import type { Input } from '../../../contract/operations.ts';
import { badRequest } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';
import { checkOtherTemplate } from '../destinations/destinations.ts';
import * as destinationStore from '../store/destinations/destinations.ts';
import type { ReplayChanges } from '../store/replays/replays.ts';
import { versionOf } from '../targets/function.ts';

/**
 * What a requested replay changes in its requests. 400 for a change without exactly one destination, for a version that
 * the destination's function does not have, and for a template that the destination could not have.
 */
export async function changesOf(ctx: Ctx, body: Input<'replayCreate'>['body']): Promise<ReplayChanges> {
  const { destination_ids = [], function_version, body_template, transform } = body;
  const transform_then = transform === 'THEN';
  const field = function_version === undefined ? 'body_template' : 'function_version';
  if (function_version === undefined && body_template === undefined)
    return { function_id: null, function_version: null, body_template: null, transform_then };
  const [destination_id] = new Set(destination_ids);
  if (destination_id === undefined || new Set(destination_ids).size > 1)
    throw badRequest(`${field}: expected exactly one destination in destination_ids`);
  const [target] = await destinationStore.targets(ctx.db, [{ account_id: ctx.account_id, destination_id }]);
  if (!target) throw badRequest('destination_ids.0: expected a destination of this account');
  if (body_template !== undefined) checkOtherTemplate(ctx, target, body_template);
  const version = function_version === undefined ? undefined : await versionOf(ctx, target, function_version);
  return {
    function_id: version?.function_id ?? null,
    function_version: version?.number ?? null,
    body_template: body_template ?? null,
    transform_then,
  };
}
