/** Accounts, members, sessions, API keys and the audit log. */
import { z } from 'zod';
import { FilterText, Id, limit, Name, NextToken, NextTokenReply, Timestamp, TimestampInput } from './fields.ts';
import { PAGE, PASSWORD_MIN_CHARS } from './limits.ts';
import { ACTOR_TYPES, AUDIT_OUTCOMES, INVITATION_PURPOSES, MEMBER_STATUSES, PASSWORD_RESETS, ROLES } from './states.ts';

export const Role = z.enum(ROLES);

export const Account = z.object({
  account_id: Id,
  name: z.string(),
  created_at: Timestamp,
  limits: z.object({ requests_per_second: z.number() }),
  addresses: z.object({
    console_url: z.string(),
    base_url: z.string(),
    connect_url: z.string(),
    hooks_url: z.string(),
    functions_domain: z.string(),
  }),
  version: z.string(),
  /** False: members sign in through an identity provider. */
  password_sign_in: z.boolean(),
  /** How hosted functions are isolated on this machine. */
  sandbox: z.object({ mode: z.string(), explanation: z.string() }),
});
export const AccountUpdate = z.strictObject({ name: Name.optional(), password_sign_in: z.boolean().optional() });

export const Session = z.object({
  user_id: Id,
  email: z.string(),
  name: z.string(),
  role: Role,
  account_id: Id,
  account_name: z.string(),
  /**
   * The identity provider through which the session was opened. A session through a provider of the account is limited
   * to this account (`only_account`).
   */
  provider: z.object({ provider_id: z.string(), name: z.string(), only_account: z.boolean() }).nullable(),
  /** Current position of the account's live stream: a tab that subscribes from it misses no change while it loads. */
  live_position: z.string(),
});

/** `sign_out_url` is the page that ends the session at the identity provider, if the session was opened through one. */
export const SignedOut = z.object({ sign_out_url: z.string().nullable() });

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@<>"\u0000-\u001f\u007f]+@[^\s@<>"\u0000-\u001f\u007f]+$/, 'expected an email address');
export const Password = z
  .string()
  .min(PASSWORD_MIN_CHARS, `expected at least ${PASSWORD_MIN_CHARS} characters`)
  .max(200, 'expected at most 200 characters');

export const SignIn = z.strictObject({ email: Email, password: z.string().min(1, 'expected a password').max(200) });
export const PasswordChange = z.strictObject({ current_password: SignIn.shape.password, new_password: Password });
export const PasswordConfirm = SignIn.pick({ password: true });
export const PasswordForgotten = SignIn.pick({ email: true });
/** How the link for a new password reaches the person: by email, or by an operator on the server. */
export const PasswordForgottenReply = z.object({ sent_by: z.enum(PASSWORD_RESETS) });
/** Without `session_id`: all other sessions. */
export const SessionRevoke = z.strictObject({ session_id: Id.optional() });
export const OpenSession = z.object({
  session_id: Id,
  /** Whether it is the session of this request. */
  current: z.boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  expires_at: Timestamp,
  /** Of the last use. */
  ip: z.string().nullable(),
  /** As the browser named itself at the last use. */
  user_agent: z.string().nullable(),
});
export const InvitationRead = z.strictObject({ token: z.string().min(1).max(200) });
/**
 * `email` is null for the first administrator, who chooses one. WELCOME: a new person sets a password. JOIN: the
 * signed-in person becomes a member of one more account. JOIN_AFTER_SIGN_IN: the address belongs to a person who is not
 * signed in here.
 */
export const Invitation = z.object({
  purpose: z.enum(INVITATION_PURPOSES),
  account_name: z.string(),
  email: z.string().nullable(),
  role: Role,
});
export const InvitationAccept = z.strictObject({
  token: z.string().min(1).max(200),
  email: Email.optional(),
  name: Name.optional(),
  /** Required, except for a person who is signed in and joins another account. */
  password: Password.optional(),
});

export const Member = z.object({
  user_id: Id,
  email: z.string().nullable(),
  name: z.string(),
  role: Role,
  status: z.enum(MEMBER_STATUSES),
  created_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
});
export const MemberCreate = z.strictObject({ email: Email, name: Name.optional(), role: Role });
export const MemberUpdate = z.strictObject({ name: Name.optional(), role: Role.optional() });

export const ApiKey = z.object({
  key_id: Id,
  name: z.string(),
  /** The first characters of the key, to distinguish keys. */
  prefix: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
});
export const ApiKeyCreate = z.strictObject({ name: Name, expires_at: TimestampInput.nullable().optional() });
export const ApiKeyUpdate = z.strictObject({ name: Name.optional(), expires_at: TimestampInput.nullable().optional() });

export const AuditEntry = z.object({
  audit_id: Id,
  at: Timestamp,
  actor_type: z.enum(ACTOR_TYPES),
  actor_id: z.string().nullable(),
  actor_name: z.string(),
  /** The operation's name in the operations table. */
  operation: z.string(),
  resource_id: z.string().nullable(),
  request_id: z.string(),
  ip: z.string().nullable(),
  /** FAILED only for a sign-in with a wrong password, or that an identity provider could not vouch for. */
  outcome: z.enum(AUDIT_OUTCOMES),
});
export const AuditQuery = z.object({
  limit: limit(PAGE.audit),
  next_token: NextToken,
  operation: FilterText(100).optional(),
  actor_id: Id.optional(),
  resource_id: FilterText(200).optional(),
  request_id: FilterText(200).optional(),
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
});
export const AuditPage = z.object({ entries: z.array(AuditEntry), next_token: NextTokenReply });
