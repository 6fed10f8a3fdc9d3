import { type Kysely, sql } from 'kysely';

/** Second factors of a person: passkeys, an authenticator app, recovery codes; and accounts that require one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table passkeys (
    person_id uuid not null references people on delete cascade, passkey_id uuid primary key,
    credential_id text not null, public_key text not null, counter bigint not null, transports text not null,
    name text not null, synced boolean not null, created_at timestamptz not null, last_used_at timestamptz)`,
  `create unique index passkeys_credential on passkeys (credential_id)`,
  `create index passkeys_person on passkeys (person_id)`,
  `create table authenticators (
    person_id uuid primary key references people on delete cascade, secret text not null, last_step bigint,
    created_at timestamptz not null, confirmed_at timestamptz, last_used_at timestamptz)`,
  `create table recovery_codes (
    person_id uuid not null references people on delete cascade, code_hash text not null,
    primary key (person_id, code_hash))`,
  `create table pending_sign_ins (
    token_hash text primary key, person_id uuid not null references people on delete cascade, tries integer not null,
    expires_at timestamptz not null)`,
  `create index pending_sign_ins_person on pending_sign_ins (person_id)`,
  `create index pending_sign_ins_expiry on pending_sign_ins (expires_at)`,
  `create table passkey_challenges (
    challenge_hash text primary key, bound_to text not null, purpose text not null,
    person_id uuid references people on delete cascade, expires_at timestamptz not null)`,
  `create index passkey_challenges_person on passkey_challenges (person_id)`,
  `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,
  `alter table accounts add column require_second_factor boolean not null default false`,
];
