/** Gradual deploys: a version serves a share of the calls beside the live version, until it is deployed or rolled back. */
import { z } from 'zod';
import { Timestamp, VersionNumber } from '../fields.ts';
import { GRADUAL_STATUSES } from '../states.ts';

export const Gradual = z.object({
  version: z.int(),
  /** The live version beside it. */
  live_version: z.int(),
  status: z.enum(GRADUAL_STATUSES),
  /** The share of the calls that the version serves. */
  percent: z.int(),
  window_minutes: z.int(),
  min_calls: z.int(),
  max_failed_percent: z.int(),
  /** Why it was rolled back. */
  reason: z.string().nullable(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable(),
  /** Calls in the window, at most the newest 20,000 of both. */
  calls: z.object({
    live: z.object({ calls: z.int(), failed: z.int() }),
    version: z.object({ calls: z.int(), failed: z.int() }),
  }),
});
export const GradualReply = z.object({ gradual: Gradual.nullable() });
export const GradualPut = z.strictObject({
  version: VersionNumber,
  percent: z
    .int('expected a whole number from 1 to 99')
    .min(1, 'expected a whole number from 1 to 99')
    .max(99, 'expected a whole number from 1 to 99'),
  /** The calls of this time are compared. */
  window_minutes: z.int().min(1).max(60).default(10),
  /** With fewer calls of the version in the window, it is not rolled back. */
  min_calls: z.int().min(1).max(10_000).default(20),
  /** It is rolled back if its share of failed calls is higher than that of the live version by more than this. */
  max_failed_percent: z.int().min(0).max(100).default(5),
});
