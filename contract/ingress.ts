/** Webhook endpoints of triggers, their registration at the app, and rejected requests. */
import { z } from 'zod';
import { Id, limit, NextToken, NextTokenReply, StringMap, Timestamp } from './fields.ts';
import { PAGE } from './limits.ts';
import { HOOK_ENDS, HOOK_STATES, REJECTION_CAUSES, SECRET_KINDS, SOURCE_TRANSPORTS } from './states.ts';

/** How events of a source arrive, and the set-up that it needs. */
export const Source = z.object({
  transport: z.enum(SOURCE_TRANSPORTS),
  needs_connection: z.boolean(),
  /** `ours`: generated here and entered in the app. `theirs`: shown by the app and entered here. `none`: unsigned. */
  secret: z.enum(SECRET_KINDS),
  /** Whether creating a trigger with a connection registers the webhook at the app. */
  registers: z.boolean(),
  /** Steps of a manual set-up at the app, in order. `{url}` and `{secret}` are placeholders for the trigger's. */
  steps: z.array(z.string()),
});
/** The webhook registration at the app. */
const Registration = z.object({
  connection_id: Id.nullable(),
  /** Path of the app's API that lists the webhook. */
  place: z.string(),
  /** Its id at the app; null until known. */
  remote_id: z.string().nullable(),
  updated_at: Timestamp,
  /** Time of the next automatic retry. */
  next_try_at: Timestamp.nullable(),
});
/** State of the app's webhook after its trigger was deleted. */
export const HookEnd = z.object({
  /** REMOVING: removal is retried until it succeeds. LEFT: it must be removed manually. */
  state: z.enum(HOOK_ENDS),
  message: z.string().nullable(),
});
/** The webhook endpoint of a trigger. */
export const Ingress = z.object({
  /** Without its secret part for VIEWERs. */
  url: z.string(),
  secret: z.enum(SECRET_KINDS),
  has_secret: z.boolean(),
  /** In clear in the reply that creates, rotates or reveals it; masked in every other. */
  signing_secret: z.string().nullable(),
  /** Until when the previous secret is accepted as well. */
  previous_secret_until: Timestamp.nullable(),
  /** The source sent a secret to enter in its settings. `secret:reveal` returns it until a signed request arrives. */
  can_reveal: z.boolean(),
  hook: z.enum(HOOK_STATES),
  /** Why the webhook is not registered, if the app supports registration. */
  message: z.string().nullable(),
  registration: Registration.nullable(),
});
export const Rejection = z.object({
  rejection_id: Id,
  at: Timestamp,
  cause: z.enum(REJECTION_CAUSES),
  message: z.string(),
  method: z.string(),
  /** Signatures and credentials are masked. */
  headers: StringMap,
  /** The first 4 KiB as text; null if the body was not text. */
  body: z.string().nullable(),
  bytes: z.int(),
  ip: z.string().nullable(),
  /** Whether the whole request is stored, so that it can be accepted as an event. */
  can_accept: z.boolean(),
  /** The first event that it was accepted as. */
  event_id: Id.nullable(),
});
/** The events that a rejected request was accepted as: several if it has several. */
export const RejectionAccepted = z.object({ event_ids: z.array(Id) });
export const RejectionQuery = z.object({ limit: limit(PAGE.rejections), next_token: NextToken });
/** `not_kept` counts requests that this node rejected but did not store since it started, because of their rate. */
export const RejectionPage = z.object({
  rejections: z.array(Rejection),
  next_token: NextTokenReply,
  not_kept: z.int(),
});

/** The signing secret of a source, as entered by a user. No reply contains it. */
export const SourceSecret = z
  .string()
  .trim()
  .regex(/^[\x20-\x7e]{1,1000}$/, 'expected 1 to 1000 printable characters');
