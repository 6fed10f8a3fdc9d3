import { type Kysely, sql } from 'kysely';

/**
 * Sign-in by OpenID Connect. A person with `account_id` is managed by the providers of this account: the email address
 * is theirs in this account only, so it may also belong to a person who signs in without that account.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table accounts add column password_sign_in boolean not null default true`,
  `create table identity_providers (
    account_id uuid not null references accounts, provider_id uuid not null, name text not null, issuer text not null,
    client_id text not null, client_secret text, scopes text not null, allowed_domains text not null, role_claim text,
    role_mapping text not null, default_role text not null, creates_members boolean not null, enabled boolean not null,
    created_at timestamptz not null, updated_at timestamptz not null, primary key (account_id, provider_id))`,
  `create unique index identity_providers_id on identity_providers (provider_id)`,
  `alter table people add column account_id uuid references accounts, add column reset_by_operator boolean`,
  `drop index people_email`,
  `create unique index people_email on people (email) where account_id is null`,
  `create table identities (
    provider_id text not null, issuer text not null, subject text not null,
    person_id uuid not null references people on delete cascade, account_id uuid, user_id uuid, email text not null,
    created_at timestamptz not null, last_used_at timestamptz not null, primary key (provider_id, issuer, subject),
    foreign key (account_id, user_id) references users on delete cascade)`,
  `create index identities_person on identities (person_id)`,
  `create index identities_user on identities (account_id, user_id)`,
  `create table sign_in_flows (
    state_hash text primary key, provider_id text not null, browser_hash text not null, purpose text not null,
    next text not null, session_id uuid, pending text, expires_at timestamptz not null)`,
  `create index sign_in_flows_age on sign_in_flows (expires_at)`,
  `alter table sessions add column provider_id text, add column only_account boolean not null default false,
    add column id_token text`,
];
