/** What source apps send to an address of ours, and what was refused of it. */
import { z } from 'zod';
import { Id, limit, NextToken, NextTokenReply, StringMap, Timestamp } from './fields.ts';
import { PAGE } from './limits.ts';
import { HOOK_STATES, REJECTION_CAUSES, SECRET_KINDS, SOURCE_TRANSPORTS } from './states.ts';

/** How events of a source come in, and what a person has to do for it. */
export const Source = z.object({
  transport: z.enum(SOURCE_TRANSPORTS),
  needs_connection: z.boolean(),
  /** Whose secret signs: one that we make and the app is given, one that the app shows and we are given, or none. */
  secret: z.enum(SECRET_KINDS),
  /** Whether creating a trigger with a connection registers the hook at the app. */
  registers: z.boolean(),
  /** The app's own steps for doing it by hand, in order. `{url}` and `{secret}` stand for the trigger's. */
  steps: z.array(z.string()),
});
/** Where the source posts to. */
export const Ingress = z.object({
  url: z.string(),
  secret: z.enum(SECRET_KINDS),
  has_secret: z.boolean(),
  /** In clear in the reply that makes or rotates a secret of ours; masked in every other. */
  signing_secret: z.string().nullable(),
  hook: z.enum(HOOK_STATES),
  /** Why the app refused the hook, while it did. */
  message: z.string().nullable(),
});
export const Rejection = z.object({
  rejection_id: Id,
  at: Timestamp,
  cause: z.enum(REJECTION_CAUSES),
  message: z.string(),
  method: z.string(),
  /** Signatures and the like are masked. */
  headers: StringMap,
  /** The first 4 KiB as text; null when it was none. */
  body: z.string().nullable(),
  bytes: z.int(),
  ip: z.string().nullable(),
});
export const RejectionQuery = z.object({ limit: limit(PAGE.rejections), next_token: NextToken });
export const RejectionPage = z.object({ rejections: z.array(Rejection), next_token: NextTokenReply });
