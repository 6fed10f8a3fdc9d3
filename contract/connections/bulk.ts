/** Actions on many connections at once. */
import { z } from 'zod';
import { ConnectionFilter, Tags } from '../connections.ts';
import { Id } from '../fields.ts';
import { BULK_CONNECTIONS_MAX } from '../limits.ts';
import { CONNECTION_ACTIONS } from '../states.ts';

const COUNT = 'expected a whole number from 0 to 1000000000';
const takesTags = (action: string) => action === 'ADD_TAGS' || action === 'REMOVE_TAGS';

export const ConnectionBulk = z
  .strictObject({
    action: z.enum(CONNECTION_ACTIONS),
    connection_ids: z
      .array(Id)
      .min(1, 'expected at least one connection')
      .max(BULK_CONNECTIONS_MAX, `expected at most ${BULK_CONNECTIONS_MAX} connections`)
      .optional(),
    /** Selects connections as the list does; `{}` selects all. */
    filter: ConnectionFilter.optional(),
    /** With ADD_TAGS and REMOVE_TAGS. */
    tags: Tags.optional(),
    /** Only counts. */
    dry_run: z.boolean().optional(),
    /** `matched` of a dry run, required with `filter`. If another number matches, nothing is changed: 409. */
    expected_count: z.int('expected a whole number').min(0, COUNT).max(1_000_000_000, COUNT).optional(),
  })
  .superRefine((body, issue) => {
    const problem = (path: string, message: string) => issue.addIssue({ code: 'custom', path: [path], message });
    if ((body.connection_ids === undefined) === (body.filter === undefined))
      problem('connection_ids', 'expected either connection_ids or filter');
    if (takesTags(body.action) && !body.tags?.length) problem('tags', 'expected at least one tag');
    if (!takesTags(body.action) && body.tags) problem('tags', `expected no tags with ${body.action}`);
    if (body.filter && !body.dry_run && body.expected_count === undefined)
      problem('expected_count', 'expected the number of connections that the filter matches: `matched` of a dry run');
  });
export const ConnectionBulkReply = z.object({
  /** Connections that the action changes: without those that are already so. */
  matched: z.int(),
  /** Connections that were changed: at most 1,000, the newest. */
  changed: z.int(),
  /** Connections that are left: repeat the request. */
  remaining: z.int(),
});
