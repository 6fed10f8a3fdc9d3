/** Accounts, members, sessions, second factors, identity providers and the audit log. */
import { z } from 'zod';
import { FilterText, Id, limit, Name, NextToken, NextTokenReply, Timestamp, TimestampInput } from './fields.ts';
import { IDENTITY_PROVIDER, PAGE, PASSWORD_MIN_CHARS } from './limits.ts';
import {
  ACTOR_TYPES,
  AUDIT_OUTCOMES,
  INVITATION_PURPOSES,
  MEMBER_STATUSES,
  PASSKEY_PURPOSES,
  PASSWORD_RESETS,
  ROLES,
  SIGN_IN_PURPOSES,
  SIGN_IN_RESULTS,
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
  }),
  version: z.string(),
  /** The version of PostgreSQL when the service started, and whether it is the embedded one. */
  database: z.object({ version: z.string(), embedded: z.boolean() }),
  /** False: members sign in through an identity provider. */
  password_sign_in: z.boolean(),
  /** How hosted functions are isolated on this machine. */
  sandbox: z.object({ mode: z.string(), is_strong: z.boolean(), explanation: z.string() }),
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

// Identity providers of an account, and the steps of a sign-in through one (OpenID Connect).

const Issuer = z
  .string()
  .trim()
  .max(500, 'expected at most 500 characters')
  .refine(
    (text) => URL.canParse(text) && /^https?:\/\/[^\s?#@\\\u0000-\u001f]+$/i.test(text),
    'expected an https URL without a query',
  );
const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
    'expected a domain of email addresses, such as example.com',
  );
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'expected at least one character')
    .max(max, `expected at most ${max} characters`)
    .refine((text) => !/[\u0000-\u001f\u007f]/.test(text), 'expected one line without control characters');
const Claim = line(200);
const ClientText = line(1000);
const Scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'expected a scope such as groups');
const RoleMapping = z
  .array(z.strictObject({ value: Claim, role: Role }))
  .max(IDENTITY_PROVIDER.mappings, `expected at most ${IDENTITY_PROVIDER.mappings} values`);

const providerFields = {
  name: Name,
  issuer: Issuer,
  client_id: ClientText,
  /** Null for a public client. */
  client_secret: ClientText.nullable(),
  /** Beside `openid`, `email` and `profile`. */
  scopes: z.array(Scope).max(20, 'expected at most 20 scopes'),
  allowed_domains: z
    .array(Domain)
    .min(1, 'expected at least one domain')
    .max(IDENTITY_PROVIDER.domains, `expected at most ${IDENTITY_PROVIDER.domains} domains`),
  /** The claim with the roles: its name, or a path with dots such as `realm_access.roles`. Null: no mapping. */
  role_claim: Claim.nullable(),
  /** The highest role of the claim's values applies. */
  role_mapping: RoleMapping,
  /** The role of new members, and of members whose claim has none of the values. */
  default_role: Role,
  /** Whether a person who is not a member becomes one at the first sign-in. */
  creates_members: z.boolean(),
};

export const IdentityProvider = z.object({
  provider_id: Id,
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  scopes: z.array(z.string()),
  allowed_domains: z.array(z.string()),
  role_claim: z.string().nullable(),
  role_mapping: z.array(z.object({ value: z.string(), role: Role })),
  default_role: Role,
  creates_members: z.boolean(),
  enabled: z.boolean(),
  /** Members who have signed in through it. */
  members: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export const IdentityProviderList = z.object({
  identity_providers: z.array(IdentityProvider),
  /** Those that the operator configured for the whole installation. */
  installation_providers: z.array(z.object({ name: z.string(), issuer: z.string() })),
  /** To register at each provider of this account. */
  redirect_url: z.string(),
  sign_out_url: z.string(),
  /** A sign-in page with the buttons of this account. */
  sign_in_url: z.string(),
});
const givenProvider = z.strictObject(providerFields);
const providerDefaults = {
  client_secret: providerFields.client_secret.optional(),
  scopes: providerFields.scopes.optional(),
  role_claim: providerFields.role_claim.optional(),
  role_mapping: providerFields.role_mapping.optional(),
  default_role: providerFields.default_role.optional(),
  creates_members: providerFields.creates_members.optional(),
};
export const IdentityProviderCreate = givenProvider.extend(providerDefaults);
/** The issuer of a provider does not change: its subjects would mean other people. */
export const IdentityProviderUpdate = givenProvider
  .omit({ issuer: true })
  .partial()
  .extend({ enabled: z.boolean().optional() });
/** The result of reading the provider's metadata and keys. `message` says what failed. */
export const IdentityProviderTest = z.object({ succeeded: z.boolean(), message: z.string() });

/** A provider in `SLUICE_OIDC_PROVIDERS`. */
export const InstallationProvider = givenProvider.extend(providerDefaults).extend({
  id: z.string().regex(/^[a-z0-9-]{1,30}$/, 'expected 1 to 30 characters of a-z, 0-9 and -'),
  /** The account of new members, and of the role mapping; the installation's first account by default. */
  account_id: Id.optional(),
});

export type InstallationProvider = z.infer<typeof InstallationProvider>;

const ProviderId = z.string().min(1).max(40);
/** Without an email address and an account: the providers of the installation. */
export const SignInProviders = z.strictObject({ email: Email.optional(), account_id: Id.optional() });
export const SignInProvider = z.object({
  provider_id: z.string(),
  name: z.string(),
  /** Of the page that the browser is sent to first. */
  host: z.string(),
});
/** `next` is the path of the console to open afterwards. `CONFIRM` confirms the session instead of the password. */
export const SignInStart = z.strictObject({
  provider_id: ProviderId,
  next: z
    .string()
    .max(2000, 'expected at most 2000 characters')
    .regex(/^\/(?![/\\])[^\u0000-\u001f\\]*$/, 'expected a path of the console, such as /events')
    .optional(),
  purpose: z.enum(SIGN_IN_PURPOSES).optional(),
});
/** The parameters of the callback. `account_id` is the account in its path. */
export const SignInFinish = z.strictObject({
  account_id: Id.optional(),
  state: z.string().min(1).max(500),
  code: z.string().max(8000).optional(),
  iss: z.string().max(1000).optional(),
  error: z.string().max(1000).optional(),
});
/**
 * SIGNED_IN and CONFIRMED: `session` is open. CONFIRM_MEMBER: the address belongs to a member who has signed in without
 * the provider so far, and who has to confirm that once (`POST /session:link`).
 */
export const SignInFinished = z.object({
  result: z.enum(SIGN_IN_RESULTS),
  session: Session.nullable(),
  next: z.string(),
  member: z.object({ email: z.string(), account_name: z.string(), provider: z.string() }).nullable(),
});
/** The password of the member; without it, a recently confirmed session of the same person. */
export const SignInLink = z.strictObject({ password: SignIn.shape.password.optional() });
