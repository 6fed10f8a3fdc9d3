/** The tables of accounts, their members and keys. */
import type { Generated } from 'kysely';
import type { ActorType, AuditOutcome, PasskeyPurpose, Role, SignInPurpose } from '../../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type AccountsTable = {
  account_id: string;
  name: string;
  created_at: Timestamp;
  /** Members without a second factor can only set one up. */
  require_second_factor: boolean;
  /** False: members sign in through an identity provider. */
  password_sign_in: boolean;
};
/** As the database has it: new accounts need not state the default. */
export type AccountsInDatabase = Omit<AccountsTable, 'password_sign_in'> & { password_sign_in: Generated<boolean> };
/** People sign in; each is a member of one account or several. */
export type PeopleTable = {
  person_id: string;
  email: string;
  password_hash: string | null;
  /** Of the link for a new password, until it is used. */
  reset_hash: string | null;
  reset_expires_at: Timestamp | null;
  /** Whether an operator created the link: it lets an owner in although the account does not allow passwords. */
  reset_by_operator: boolean | null;
  created_at: Timestamp;
  /** The account whose identity providers manage the person; null for a person who signs in without them. */
  account_id: string | null;
};
/** The members of accounts. */
export type UsersTable = {
  account_id: string;
  user_id: string;
  email: string | null;
  name: string;
  role: Role;
  /** Null until the invitation is accepted. */
  person_id: string | null;
  invite_hash: string | null;
  invite_expires_at: Timestamp | null;
  created_at: Timestamp;
  last_seen_at: Timestamp | null;
};
export type SessionsTable = {
  account_id: string;
  session_id: string;
  token_hash: string;
  user_id: string;
  person_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  /** Null until the first request after the migration that added it. */
  last_used_at: Timestamp | null;
  /** When the password was last entered; null in sessions of before that was recorded. */
  confirmed_at: Timestamp | null;
  ip: string | null;
  user_agent: string | null;
  /** The identity provider through which it was opened. */
  provider_id: string | null;
  /** The provider belongs to the account: the session is limited to it (server/accounts/openid/entrance.ts). */
  only_account: boolean;
  /** The ID token of the sign-in, for the provider's sign-out page. */
  id_token: Sealed | null;
};
/** The identity providers of accounts. Those of the installation are in its settings. */
export type IdentityProvidersTable = {
  account_id: string;
  provider_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: Sealed | null;
  /** JSON arrays. */
  scopes: JsonText;
  allowed_domains: JsonText;
  role_claim: string | null;
  role_mapping: JsonText;
  default_role: Role;
  /** Whether a person without a membership becomes a member. */
  creates_members: boolean;
  enabled: boolean;
  created_at: Timestamp;
  updated_at: Timestamp;
};
/** Users of identity providers, by issuer and subject. */
export type IdentitiesTable = {
  provider_id: string;
  issuer: string;
  subject: string;
  person_id: string;
  /** The member, for a provider of an account; null for one of the installation. */
  account_id: string | null;
  user_id: string | null;
  email: string;
  created_at: Timestamp;
  last_used_at: Timestamp;
};
/** A sign-in between the redirect to the provider and its callback, or until an existing member confirms it. */
export type SignInFlowsTable = {
  state_hash: string;
  provider_id: string;
  browser_hash: string;
  purpose: SignInPurpose;
  next: string;
  /** The session to confirm. */
  session_id: string | null;
  /** The identity to link, as JSON. */
  pending: JsonText | null;
  expires_at: Timestamp;
};
/** Credentials of a person's authenticators (WebAuthn). */
export type PasskeysTable = {
  person_id: string;
  passkey_id: string;
  /** Base64url, as is the public key, which has the form of COSE. */
  credential_id: string;
  public_key: string;
  /** Signature counter of the last use; 0 if the authenticator does not count. */
  counter: number;
  /** How the browser can reach the authenticator: a list of names. */
  transports: JsonText;
  name: string;
  /** Whether the credential was backed up at its last use. */
  synced: boolean;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
};
/** Authenticator apps (TOTP), at most one per person. */
export type AuthenticatorsTable = {
  person_id: string;
  secret: Sealed;
  /** Time step of the last accepted code: it and earlier ones are refused. */
  last_step: number | null;
  created_at: Timestamp;
  /** When the first code was entered; a factor from then on. */
  confirmed_at: Timestamp | null;
  last_used_at: Timestamp | null;
};
/** Unused recovery codes. */
export type RecoveryCodesTable = { person_id: string; code_hash: string };
/** People who entered the right password and have not used their second factor yet, by the hash of a cookie. */
export type PendingSignInsTable = {
  token_hash: string;
  person_id: string;
  tries: number;
  expires_at: Timestamp;
  /** Whether it began with an operator's link, which lets an owner in where passwords are not allowed. */
  by_operator: boolean;
};
/** Open prompts for a passkey. */
export type PasskeyChallengesTable = {
  challenge_hash: string;
  /** Hash of the browser's cookie, or of the session. */
  bound_to: string;
  purpose: PasskeyPurpose | 'ADD';
  /** Null: the passkey identifies the person. */
  person_id: string | null;
  expires_at: Timestamp;
};
/** Token buckets of failed sign-ins, one per scope. */
export type SignInLimitsTable = { scope: string; tokens: number; at: Timestamp };
export type ApiKeysTable = {
  account_id: string;
  key_id: string;
  name: string;
  prefix: string;
  hash: string;
  /** Id of the member or key; a name for the service itself. */
  created_by: string;
  created_by_type: ActorType;
  created_by_name: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  expires_at: Timestamp | null;
  /** `KeyLimits` of contract/keys; null for full access from anywhere. */
  limits: JsonText | null;
  /** The secret of before the last rotation, and until when it works. */
  old_hash: string | null;
  old_prefix: string | null;
  old_expires_at: Timestamp | null;
};
/** Use of a key, by day: calls of an operation, of apps (`gateway`) and of functions by their URL (`function`). */
export type ApiKeyUsesTable = {
  account_id: string;
  key_id: string;
  day: string;
  operation: string;
  function_id: string | null;
  ip: string;
  calls: number;
};
export type AuditTable = {
  account_id: string;
  audit_id: string;
  at: Timestamp;
  actor_type: ActorType;
  actor_id: string | null;
  actor_name: string;
  operation: string;
  resource_id: string | null;
  request_id: string;
  ip: string | null;
  outcome: AuditOutcome;
  /** The changed fields (contract/text/audit-changes.ts); null for operations that note none. */
  changes: JsonText | null;
  /** The path of the console's page. */
  page: string | null;
};
export type IdempotencyTable = {
  account_id: string;
  operation: string;
  key: string;
  fingerprint: string;
  /** The call that has the key. */
  holder: string;
  /** Null while that call is still in progress. */
  answer: Sealed | null;
  /** When the key was claimed; renewed while the call is in progress. */
  touched_at: Timestamp;
};
export type FactorTables = {
  passkeys: PasskeysTable;
  authenticators: AuthenticatorsTable;
  recovery_codes: RecoveryCodesTable;
  pending_sign_ins: PendingSignInsTable;
  passkey_challenges: PasskeyChallengesTable;
};
