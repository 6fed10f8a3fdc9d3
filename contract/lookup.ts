/** Look-up of a resource by any of its ids. */
import { z } from 'zod';
import { Id, Timestamp } from './fields.ts';
import { LOOKUP_KINDS, LOOKUP_MATCHES } from './states.ts';

const LONGEST_CHARS = 128;
const expected = 'expected the ID of a resource, a webhook-id or an X-Request-Id';

export const LookupQuery = z.object({
  id: z
    .string({ error: expected })
    .transform((text) => text.trim())
    .pipe(z.string().min(1, expected))
    .meta({
      type: 'string',
      description: `An ID in any case. Surrounding spaces are ignored. At most ${LONGEST_CHARS} characters.`,
    }),
});

/** One resource with this id. `params` has the ids for its path in this API. */
export const LookupMatch = z.object({
  kind: z.enum(LOOKUP_KINDS),
  /** The id of the resource; for an attempt, the id of its delivery. */
  id: Id,
  name: z.string(),
  /** Name of its parent: the trigger of an event, the function of a run. */
  detail: z.string().nullable(),
  /** When it was created, received or sent. */
  at: Timestamp,
  /** The id that matched: its own, the `webhook-id` of an attempt, or the `X-Request-Id` of its request. */
  matched: z.enum(LOOKUP_MATCHES),
  params: z.object({
    trigger_id: Id.optional(),
    destination_id: Id.optional(),
    event_id: Id.optional(),
    delivery_id: Id.optional(),
    /** The attempt's number. */
    attempt: z.int().optional(),
    function_id: Id.optional(),
    run_id: Id.optional(),
    connection_id: Id.optional(),
    call_id: Id.optional(),
    replay_id: Id.optional(),
    key_id: Id.optional(),
    user_id: Id.optional(),
    audit_id: Id.optional(),
    /** For an audit entry: the changed resource. */
    resource_id: z.string().optional(),
    rejection_id: Id.optional(),
  }),
});
/** Usually one match; a request id can match several resources. */
export const LookupReply = z.object({ matches: z.array(LookupMatch) });
