import { type Kysely, sql } from 'kysely';

/**
 * The index of text and field search in events; see deliveries/store/search. Its rows are read in slices of a few
 * bytes, so they are stored uncompressed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table event_search_blocks (
    account_id uuid not null, last_id uuid not null, after_id uuid not null, bits smallint not null, ids uuid[] not null,
    signatures bytea not null,
    primary key (account_id, last_id)) partition by range (last_id)`,
  `alter table event_search_blocks alter column signatures set storage external`,
  // jsonb has no NUL and no unpaired surrogate: their escapes are read as U+FFFD. Null for what it can't contain at all.
  String.raw`create function event_json(given text) returns jsonb language plpgsql immutable parallel safe cost 1000 as $$
  declare
    plain text;
  begin
    return given::jsonb;
  exception when others then
    begin
      plain := replace(given, '\\', '\u005c');
      plain := replace(plain, '\u0000', '\ufffd');
      plain := regexp_replace(plain, '\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])', '\ufffd', 'g');
      plain := regexp_replace(plain, '(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}', '\ufffd', 'g');
      return plain::jsonb;
    exception when others then
      return null;
    end;
  end $$`,
];
