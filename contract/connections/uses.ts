/** What uses a connection, and its replacement by another. */
import { z } from 'zod';
import { Id, Timestamp } from '../fields.ts';
import { CONNECTION_TRIGGERS_MAX } from '../limits.ts';
import { NamedDestination } from '../shapes/named-destination.ts';
import { TRIGGER_REASONS, TRIGGER_STATUSES } from '../states.ts';

export const ConnectionUses = z.object({
  /** Calls are counted from then on: seven days. */
  since: Timestamp,
  /** The newest 200. */
  triggers: z.array(
    z.object({
      trigger_id: Id,
      name: z.string(),
      source: z.string(),
      event_type: z.string(),
      status: z.enum(TRIGGER_STATUSES),
      reason: z.enum(TRIGGER_REASONS).nullable(),
    }),
  ),
  trigger_count: z.int(),
  /** Destinations that send with this connection, at most 200. */
  destinations: z.array(NamedDestination),
  /** Functions that are granted this connection by its ID, or that called with it. */
  functions: z.array(z.object({ function_id: Id, name: z.string(), is_granted: z.boolean(), calls: z.int() })),
  /** API keys that are limited to connections with this one among them, or that called with it. */
  api_keys: z.array(z.object({ key_id: Id, name: z.string(), is_limited: z.boolean(), calls: z.int() })),
  /** Calls of the app without Service-Connection use it. */
  is_used_by_default: z.boolean(),
  /** The connection that such calls use after its deletion; null if it is the only active one. */
  next_default: z.object({ connection_id: Id, name: z.string().nullable() }).nullable(),
});

export const ConnectionReplace = z.strictObject({
  /** An ACTIVE connection of the same app. */
  connection_id: Id,
});
/** Numbers of the resources that use the other connection now. */
export const ConnectionReplaceReply = z.object({
  triggers: z.int().meta({ description: `At most ${CONNECTION_TRIGGERS_MAX}: with more, the request is rejected.` }),
  destinations: z.int(),
  functions: z.int(),
  api_keys: z.int(),
  /** The other connection is the default of its app now. */
  became_default: z.boolean(),
});
