import { z } from 'zod';
import { Id } from '../fields.ts';
import { DESTINATION_STATUSES } from '../states.ts';

/** A destination in a list about something else, with the name of its trigger. */
export const NamedDestination = z.object({
  trigger_id: Id,
  trigger_name: z.string(),
  destination_id: Id,
  name: z.string(),
  status: z.enum(DESTINATION_STATUSES),
});
