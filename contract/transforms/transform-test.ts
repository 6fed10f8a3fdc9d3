/** The test of a transformation with stored events. Nothing is sent, and no run is stored. */
import { z } from 'zod';
import { Attempt } from '../events.ts';
import { Id, Timestamp, VersionNumber } from '../fields.ts';
import { Files } from '../functions.ts';
import { TRANSFORM_TEST_EVENTS } from '../limits.ts';
import { LogEvent, RunError } from '../runs.ts';

const { max } = TRANSFORM_TEST_EVENTS;

/** The function to test, by default that of the destination. `files` is code that is not deployed. */
export const TransformTest = z
  .strictObject({
    function_id: Id.optional(),
    version: VersionNumber.nullable().optional(),
    /** The files of the function with changes that are not deployed. Needs `function_id`, or the destination's. */
    files: Files.optional(),
    /** These events of the trigger; by default its newest. */
    event_ids: z.array(Id).min(1).max(max, `expected at most ${max} events`).optional(),
    limit: z.int().min(1, 'expected 1 or more').max(max, `expected at most ${max}`).optional(),
  })
  .refine(({ files, version }) => files === undefined || version == null, {
    path: ['version'],
    message: 'expected none, as files are given',
  });

const Request = Attempt.shape.request;
export const TransformTestReply = z.object({
  function_id: Id,
  /** Null for files that are not deployed. */
  version: z.int().nullable(),
  /** Newest event first. */
  results: z.array(
    z.object({
      /** Null for the sample of the event type, if no event is stored. */
      event_id: Id.nullable(),
      received_at: Timestamp,
      /** What the function gets: the event as JSON, with the untransformed `request`. */
      input: z.string(),
      /** SENT: `after` would be sent. SKIPPED: the function returned null. FAILED: `error_message` has the reason. */
      outcome: z.enum(['SENT', 'SKIPPED', 'FAILED']),
      /** The request without the transformation; null if a template could not be rendered. */
      before: Request.nullable(),
      after: Request.nullable(),
      error_message: z.string().nullable(),
      /** What the code threw. */
      error: RunError.nullable(),
      logs: z.array(LogEvent),
      duration_ms: z.number().nullable(),
    }),
  ),
});
