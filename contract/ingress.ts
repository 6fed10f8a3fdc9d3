/** What source apps send to an address of ours, and what was refused of it. */
import { z } from 'zod';
import { Id, limit, NextToken, NextTokenReply, StringMap, Timestamp } from './fields.ts';
import { PAGE } from './limits.ts';
import { HOOK_ENDS, HOOK_STATES, REJECTION_CAUSES, SECRET_KINDS, SOURCE_TRANSPORTS } from './states.ts';

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
/** The webhook registration at the app. */
const Registration = z.object({
  connection_id: Id.nullable(),
  /** Which of the app's lists of hooks contains it: a path of its API. */
  place: z.string(),
  /** Its id at the app, once it is known. */
  remote_id: z.string().nullable(),
  updated_at: Timestamp,
  /** When it is tried again automatically. */
  next_try_at: Timestamp.nullable(),
});
/** What came of the app's hook when its trigger was deleted. */
export const HookEnd = z.object({
  /** REMOVING: it is tried again until it is done. LEFT: it has to be removed by hand. */
  state: z.enum(HOOK_ENDS),
  message: z.string().nullable(),
});
/** Where the source posts to. */
export const Ingress = z.object({
  /** Without its secret part for who may only look. */
  url: z.string(),
  secret: z.enum(SECRET_KINDS),
  has_secret: z.boolean(),
  /** In clear in the reply that makes, rotates or reveals it; masked in every other. */
  signing_secret: z.string().nullable(),
  /** Until when the secret before this one counts as well. */
  previous_secret_until: Timestamp.nullable(),
  /** The source sent a secret to be entered in its settings: `secret:reveal` shows it until a signed request comes. */
  can_reveal: z.boolean(),
  hook: z.enum(HOOK_STATES),
  /** Why the webhook is not registered, where it could have been. */
  message: z.string().nullable(),
  registration: Registration.nullable(),
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
/** `not_kept` counts requests refused so fast one after another that this node only counted them, since it started. */
export const RejectionPage = z.object({
  rejections: z.array(Rejection),
  next_token: NextTokenReply,
  not_kept: z.int(),
});

/** What signs a source's requests, as a person enters it: never in any reply. */
export const SourceSecret = z
  .string()
  .trim()
  .regex(/^[\x20-\x7e]{1,1000}$/, 'expected 1 to 1000 printable characters');
