/** The delivery queue of a destination. */
import { z } from 'zod';
import { Timestamp } from './fields.ts';
import { DESTINATION_HEALTHS } from './states.ts';

export const DestinationQueue = z.object({
  /** Deliveries that are PENDING or RETRYING: due, held by the circuit breaker, or waiting for a later attempt. */
  waiting: z.int(),
  /** Counting stopped early: `waiting` is a lower bound. */
  at_least: z.boolean(),
  /** Due now. */
  due: z.int(),
  /** Due, and held because the circuit breaker is open. */
  held: z.int(),
  /** When the event of the oldest waiting delivery was received, and since when the oldest due one has been due. */
  oldest_waiting_at: Timestamp.nullable(),
  oldest_due_at: Timestamp.nullable(),
  /** Seconds until the queue is empty at the pace of the last two minutes on the responding node; null when unknown. */
  drain_seconds: z.int().nullable(),
  health: z.enum(DESTINATION_HEALTHS),
});
