/** The tables of accounts, their members and keys. */
import type { ActorType, AuditOutcome, PasskeyPurpose, Role } from '../../../contract/states.ts';
import type { JsonText, Sealed, Timestamp } from './column-types.ts';

export type AccountsTable = {
  account_id: string;
  name: string;
  created_at: Timestamp;
  /** Members without a second factor can only set one up. */
  require_second_factor: boolean;
};
/** People sign in; each is a member of one account or several. */
export type PeopleTable = {
  person_id: string;
  email: string;
  password_hash: string | null;
  /** Of the link for a new password, until it is used. */
  reset_hash: string | null;
  reset_expires_at: Timestamp | null;
  created_at: Timestamp;
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
export type PendingSignInsTable = { token_hash: string; person_id: string; tries: number; expires_at: Timestamp };
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
  created_by: string;
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
