/** The function that turns an event into the request of a destination. */
import { z } from 'zod';
import { Id, VersionNumber } from '../fields.ts';
import { TRANSFORM_VERSIONS } from '../states.ts';

/** `version` null: the live one. */
export const Transform = z.object({ function_id: Id, version: z.int().nullable() });
export const TransformInput = z.strictObject({ function_id: Id, version: VersionNumber.nullable().default(null) });

/** The run that transformed a request. What is unknown because no run began is null. */
export const TransformRun = z.object({
  function_id: Id,
  /** Null if the function was deleted. */
  function_name: z.string().nullable(),
  version: z.int().nullable(),
  run_id: Id.nullable(),
});

/** NOW: the version of the destination. THEN: what transformed the last attempt of the delivery. */
export const TransformVersion = z.enum(TRANSFORM_VERSIONS).meta({
  description:
    'NOW (default): requests are transformed as the destination says now. THEN: with the function and version of the last attempt of each delivery, or not at all if that one was not transformed.',
});
