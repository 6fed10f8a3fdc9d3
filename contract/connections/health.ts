/** The health of a connection: what needs attention, its last calls and refreshes, and scheduled checks. */
import { z } from 'zod';
import { Id, Timestamp } from '../fields.ts';
import { CHECK_MINUTES, REFRESHES_KEPT } from '../limits.ts';
import { ATTENTION_CODES, REFRESH_OUTCOMES } from '../states.ts';

export const Attention = z.object({ code: z.enum(ATTENTION_CODES), message: z.string() });

const EVERY = `expected 0 for never, or a whole number of minutes from ${CHECK_MINUTES.min} to ${CHECK_MINUTES.max}`;
/** Minutes between two checks; 0 for never. */
export const CheckEvery = z
  .int(EVERY)
  .min(0, EVERY)
  .max(CHECK_MINUTES.max, EVERY)
  .refine((minutes) => minutes === 0 || minutes >= CHECK_MINUTES.min, EVERY);

export const CheckResult = z.object({
  at: Timestamp,
  /** Null if the result is unknown, such as after a timeout. */
  ok: z.boolean().nullable(),
  status: z.int().nullable(),
  message: z.string(),
});

/** `every_minutes` applies to the connections without their own setting; 0 for never. */
const AppCheck = z.object({
  every_minutes: CheckEvery,
  /** Whether the app has a request that checks credentials. */
  available: z.boolean(),
});
export const AppCheckReply = z.object({ check: AppCheck });
export const AppCheckPut = z.strictObject({ every_minutes: CheckEvery });

const HealthCall = z.object({
  call_id: Id,
  at: Timestamp,
  method: z.string(),
  path: z.string(),
  /** Null if the app did not respond. */
  status: z.int().nullable(),
});
/** From the log of gateway calls, so within its retention. */
export const ConnectionHealth = z.object({
  /** The last call with a status below 400. */
  last_success: HealthCall.nullable(),
  /** The last call that failed, with the cause in words. */
  last_error: HealthCall.extend({ message: z.string() }).nullable(),
  token_expires_at: Timestamp.nullable(),
  refresh_failing_since: Timestamp.nullable(),
  /** Newest first. */
  refreshes: z
    .array(z.object({ at: Timestamp, outcome: z.enum(REFRESH_OUTCOMES), message: z.string().nullable() }))
    .meta({ description: `The last ${REFRESHES_KEPT} refreshes of the tokens.` }),
});
