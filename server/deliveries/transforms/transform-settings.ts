/** The transformation as a setting of a destination. */
import type { Input } from '../../../contract/operations.ts';
import { wantedCallable } from '../../functions/calls/transform-calls.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';

type Given = Pick<Input<'destinationUpdate'>['body'], 'transform'>;

/** The columns of a given transformation. */
export const transformChanges = ({ transform }: Given) =>
  transform === undefined
    ? {}
    : { transform_function_id: transform?.function_id ?? null, transform_version: transform?.version ?? null };

/** Throws 400 unless the function is one of the account, with that version. `at` is the path of the given body. */
export async function checkTransform(ctx: Ctx, { transform }: Given, at: string): Promise<void> {
  if (!transform) return;
  const { function_id, version } = transform;
  let isKnown: boolean;
  try {
    isKnown = (await wantedCallable(ctx, { account_id: ctx.account_id, function_id, version })) !== undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw badRequest(`${at}transform.${error.message}`);
  }
  if (!isKnown) throw badRequest(`${at}transform.function_id: expected a function of this account`);
}
