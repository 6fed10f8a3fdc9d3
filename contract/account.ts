/** Accounts, members, sessions, second factors and the audit log. */
import { z } from 'zod';
import {
  FilterText,
  Id,
  Json,
  limit,
  Name,
  NextToken,
  NextTokenReply,
  Timestamp,
  TimestampInput,
  YesNo,
} from './fields.ts';
import { PAGE, PASSWORD_MIN_CHARS } from './limits.ts';
import {
  ACTOR_TYPES,
  AUDIT_OUTCOMES,
  HOLD_CAUSES,
  INVITATION_PURPOSES,
  MEMBER_STATUSES,
  PASSKEY_PURPOSES,
  PASSWORD_RESETS,
  ROLES,
} from './states.ts';

export const Role = z.enum(ROLES);

export const Account = z.object({
  account_id: Id,
  name: z.string(),
  created_at: Timestamp,
  /** Whether members can use the account only once they have a second factor. API keys are not affected. */
  require_second_factor: z.boolean(),
  limits: z.object({ requests_per_second: z.number() }),
  addresses: z.object({
    console_url: z.string(),
    base_url: z.string(),
    connect_url: z.string(),
    hooks_url: z.string(),
    functions_domain: z.string(),
    gateway_domain: z.string(),
  }),
  /** Why the gateway can't call the service at its base URL; null if it can. */
  base_url_blocked: z.string().nullable(),
  version: z.string(),
  /** The version of PostgreSQL when the service started, and whether it is the embedded one. */
  /** `schema`: the name of the newest migration. */
  database: z.object({ version: z.string(), schema: z.string(), embedded: z.boolean() }),
  /** False: members sign in through an identity provider. */
  password_sign_in: z.boolean(),
  /** How hosted functions are isolated on this machine. */
  sandbox: z.object({ mode: z.string(), is_strong: z.boolean(), explanation: z.string() }),
});
/** A copy of another installation, such as a restored backup, sends and accepts nothing until an owner releases it. */
export const Hold = z.object({
  since: Timestamp,
  cause: z.enum(HOLD_CAUSES),
  /** What was imported: the name of a file. */
  origin: z.string().nullable(),
  /** Deliveries of the account that wait for an attempt. */
  waiting_deliveries: z.int(),
  /** When the oldest of their events was received. */
  oldest_event_at: Timestamp.nullable(),
  /** Connections whose tokens would be refreshed. */
  refreshed_connections: z.int(),
  /** False: several accounts use the installation, so that it is released on the server. */
  may_release: z.boolean(),
});
export const AccountUpdate = z.strictObject({
  name: Name.optional(),
  require_second_factor: z.boolean().optional(),
  password_sign_in: z.boolean().optional(),
});

export const Session = z.object({
  user_id: Id,
  email: z.string(),
  name: z.string(),
  role: Role,
  account_id: Id,
  account_name: z.string(),
  /** All accounts of the person, the last used first. */
  accounts: z.array(z.object({ account_id: Id, name: z.string(), role: Role })),
  /** Whether the installation lets people create accounts. */
  may_create_account: z.boolean(),
  /** Whether the installation is on hold, see `GET /account/hold`. */
  on_hold: z.boolean(),
  /** Whether the installation is the demo (`npm run demo`), whose Overview suggests what to try. */
  demo: z.boolean(),
  /**
   * The identity provider through which the session was opened. A session through a provider of the account is limited
   * to this account (`only_account`).
   */
  provider: z.object({ provider_id: z.string(), name: z.string(), only_account: z.boolean() }).nullable(),
  /** Current position of the account's live stream: a tab that subscribes from it misses no change while it loads. */
  live_position: z.string(),
  /** Present if the account requires a second factor and the person has none: nothing else is possible before. */
  required: z.literal('SET_UP_SECOND_FACTOR').optional(),
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

/** Base64url without padding, as in the JSON forms of WebAuthn. */
const base64url = (maxChars: number) =>
  z
    .string()
    .max(maxChars, `expected at most ${maxChars} characters`)
    .regex(/^[A-Za-z0-9_-]*$/, 'expected base64url');

const credentialId = base64url(1400).min(1, 'expected the id of a credential');

/** The JSON form of a new credential (WebAuthn, RegistrationResponseJSON). Other fields are ignored. */
export const NewCredential = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(16_000),
    transports: z.array(z.string().max(32)).max(10).optional(),
  }),
});

/** The JSON form of the use of a credential (WebAuthn, AuthenticationResponseJSON). Other fields are ignored. */
export const Assertion = z.object({
  id: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(200).nullable().optional(),
  }),
});

export const SignIn = z.strictObject({ email: Email, password: z.string().min(1, 'expected a password').max(200) });
export const PasswordChange = z.strictObject({ current_password: SignIn.shape.password, new_password: Password });
/** The password, or a passkey in its place. */
export const PasswordConfirm = z
  .strictObject({ password: SignIn.shape.password.optional(), passkey: Assertion.optional() })
  .refine((body) => (body.password === undefined) !== (body.passkey === undefined), 'expected password or passkey');
export const PasswordForgotten = SignIn.pick({ email: true });
/** How the link for a new password reaches the person: by email, or by an operator on the server. */
export const PasswordForgottenReply = z.object({ sent_by: z.enum(PASSWORD_RESETS) });
export const SessionSwitch = z.strictObject({ account_id: Id });
export const AccountCreate = z.strictObject({ name: Name });
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
export const Passkey = z.object({
  passkey_id: Id,
  name: z.string(),
  /** Whether its provider copies it to the person's other devices. */
  synced: z.boolean(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
});

export const SecondFactors = z.object({
  passkeys: z.array(Passkey),
  /** Null: passkeys can be used. Otherwise why not. */
  passkeys_unavailable: z.string().nullable(),
  /** The authenticator app, once a code of it was entered. */
  authenticator: z.object({ created_at: Timestamp, last_used_at: Timestamp.nullable() }).nullable(),
  recovery_codes_left: z.int(),
  /** Names of the person's accounts that require a second factor. */
  required_by: z.array(z.string()),
  /** Whether the person has a password. */
  has_password: z.boolean(),
});

const code = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'expected the 6 digits that the authenticator app shows'))
  .meta({ type: 'string', description: 'The 6 digits of the authenticator app. Spaces are ignored.' });

export const AuthenticatorCode = z.strictObject({ code });
export const NewAuthenticator = z.object({
  key: z.string().meta({ description: 'The secret in base32, for typing. It is not returned again.' }),
  url: z.string().meta({ description: 'The same as an otpauth: URL, for a QR code.' }),
});
/** Recovery codes are shown once. Null if the person has some already. */
export const NewRecoveryCodes = z.array(z.string()).nullable();

/** Exactly one of the three. */
export const SecondFactor = z
  .strictObject({
    code: code.optional(),
    recovery_code: z.string().min(1, 'expected a recovery code').max(100).optional(),
    passkey: Assertion.optional(),
  })
  .refine(
    (body) => Object.values(body).filter((value) => value !== undefined).length === 1,
    'expected exactly one of code, recovery_code and passkey',
  );

export const PasskeySignIn = z.strictObject({ passkey: Assertion });
export const PasskeyCreate = z.strictObject({ name: Name, passkey: NewCredential });
export const PasskeyUpdate = z.strictObject({ name: Name });
/** SIGN_IN: without a password. SECOND_FACTOR: after the password. CONFIRM: in place of the password, signed in. */
export const PasskeyRequest = z.strictObject({ purpose: z.enum(PASSKEY_PURPOSES) });

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()).optional(),
});
/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
  allowCredentials: z.array(descriptor),
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
  /** Whether the person has a second factor; null unless an owner reads it. */
  second_factor: z.boolean().nullable(),
  created_at: Timestamp,
  last_seen_at: Timestamp.nullable(),
});
export const MemberCreate = z.strictObject({ email: Email, name: Name.optional(), role: Role });
export const MemberUpdate = z.strictObject({ name: Name.optional(), role: Role.optional() });

export const MemberDeleteQuery = z.object({
  /** Whether the keys that the member created are revoked. */
  revoke_keys: YesNo,
});

const AuditChange = z.object({
  field: z.string(),
  before: Json,
  after: Json,
  masked: z.boolean(),
  cut: z.boolean(),
});
export const AuditEntry = z.object({
  audit_id: Id,
  at: Timestamp,
  actor_type: z.enum(ACTOR_TYPES),
  actor_id: z.string().nullable(),
  actor_name: z.string(),
  /** The API key, if the actor is one. */
  key_id: z.string().nullable(),
  /** The operation's name in the operations table. */
  operation: z.string(),
  resource_id: z.string().nullable(),
  request_id: z.string(),
  ip: z.string().nullable(),
  /** FAILED only for a sign-in with a wrong password or second factor, or that a provider could not vouch for. */
  outcome: z.enum(AUDIT_OUTCOMES),
  /** What an update changed: the fields of its body whose value differs. Secrets are masked, long values left out. */
  changes: z.array(AuditChange),
  /** The path of the console's page on which a user made the change. */
  page: z.string().nullable(),
});
export const AuditQuery = z.object({
  limit: limit(PAGE.audit),
  next_token: NextToken,
  operation: FilterText(100).optional(),
  actor_id: Id.optional(),
  /** Changes by this API key. */
  key_id: Id.optional(),
  resource_id: FilterText(200).optional(),
  request_id: FilterText(200).optional(),
  since: TimestampInput.optional(),
  until: TimestampInput.optional(),
});
export const AuditPage = z.object({ entries: z.array(AuditEntry), next_token: NextTokenReply });
