/** From any id to the thing it names. */
import { z } from 'zod';
import { Id, Timestamp } from './fields.ts';
import { LOOKUP_KINDS, LOOKUP_MATCHES } from './states.ts';

const LONGEST_CHARS = 128;
const expected = 'expected an id: of a thing of the account, a webhook-id or an X-Request-Id';

export const LookupQuery = z.object({
  id: z
    .string({ error: expected })
    .transform((text) => text.trim())
    .pipe(z.string().min(1, expected))
    .meta({
      type: 'string',
      description: `An id in any case; blanks around it are ignored. At most ${LONGEST_CHARS} characters can match.`,
    }),
});

/** One thing with this id. `params` are what the paths of this API name it by. */
export const LookupMatch = z.object({
  kind: z.enum(LOOKUP_KINDS),
  /** The thing's own id; of an attempt, the id of its delivery. */
  id: Id,
  name: z.string(),
  /** What it belongs to: the trigger of an event, the function of a run. */
  detail: z.string().nullable(),
  /** When it was created, received or sent. */
  at: Timestamp,
  /** Which id of it was given: its own, the `webhook-id` it was sent with, or the `X-Request-Id` of its request. */
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
    /** Of an audit entry: what the change was about. */
    resource_id: z.string().optional(),
    rejection_id: Id.optional(),
  }),
});
/** Nearly always one; a request id may have led to several things. */
export const LookupReply = z.object({ matches: z.array(LookupMatch) });
