import { type Kysely, sql } from 'kysely';

/**
 * A person signs in once and may be a member of several accounts: the email address, the password and the link for a
 * new one move from the member to the person. A member without a person is invited.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table people (
    person_id uuid primary key, email text not null, password_hash text, reset_hash text, reset_expires_at timestamptz,
    created_at timestamptz not null)`,
  `create unique index people_email on people (email)`,
  `create unique index people_reset on people (reset_hash)`,
  `insert into people
    select user_id, email, password_hash, invite_hash, invite_expires_at, created_at from users where password_hash is not null`,
  `alter table users add column person_id uuid references people`,
  `update users set person_id = user_id, invite_hash = null, invite_expires_at = null where password_hash is not null`,
  `alter table users drop column password_hash`,
  `drop index users_email`,
  `create unique index users_email on users (account_id, email)`,
  `create unique index users_person on users (person_id, account_id)`,
  `alter table sessions add column person_id uuid references people on delete cascade`,
  `update sessions s set person_id = u.person_id
    from users u where u.account_id = s.account_id and u.user_id = s.user_id`,
  `delete from sessions where person_id is null`,
  `alter table sessions alter column person_id set not null`,
  `create index sessions_person on sessions (person_id)`,
];
