import { type Kysely, sql } from 'kysely';

/**
 * API keys name their maker also after the member was removed. Keys of before are completed from the members, the other
 * keys and the audit log, as far as these still have the maker. A pending sign-in remembers that it began with an
 * operator's link.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `alter table api_keys add column created_by_type text, add column created_by_name text`,
  `update api_keys k set created_by_type = a.actor_type, created_by_name = a.actor_name from audit a
    where a.account_id = k.account_id and a.operation in ('apiKeyCreate', 'accountCreate')
      and a.resource_id = k.key_id::text`,
  `update api_keys k set created_by_type = 'USER', created_by_name = u.name from users u
    where k.created_by_type is null and u.account_id = k.account_id and u.user_id::text = k.created_by`,
  `update api_keys k set created_by_type = 'API_KEY', created_by_name = o.name from api_keys o
    where k.created_by_type is null and o.account_id = k.account_id and o.key_id::text = k.created_by`,
  `update api_keys set created_by_type = 'SYSTEM', created_by_name = created_by
    where created_by_type is null and created_by !~ '^[0-9a-f-]{36}$'`,
  // the only ones left: members and keys that were deleted, without an audit row
  `update api_keys set created_by_type = 'USER', created_by_name = 'unknown' where created_by_type is null`,
  `alter table api_keys alter column created_by_type set not null, alter column created_by_name set not null`,
  `alter table pending_sign_ins add column by_operator boolean not null default false`,
];
