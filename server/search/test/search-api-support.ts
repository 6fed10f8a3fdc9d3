/** Set-up for several tests of code search. */
import { sql } from 'kysely';
import type { Service } from '../../test/service.ts';

/** A deadline that no search of a test reaches, however slow the machine is. */
export const LONG_MS = 600_000;

/** Creates `count` more functions with the code of this one, as deploys would; labels begin with `prefix`. */
export async function copyFunction(
  { services }: Service,
  function_id: string,
  count: number,
  prefix: string,
): Promise<void> {
  await sql`
    with made as (
      insert into functions select (jsonb_populate_record(f, jsonb_build_object(
        'function_id', gen_random_uuid(), 'label', ${prefix}::text || n))).*
      from functions f, generate_series(1, ${count}::integer) n where f.function_id = ${function_id}
      returning account_id, function_id),
    versions as (
      insert into function_versions select (jsonb_populate_record(v, jsonb_build_object(
        'function_id', made.function_id))).*
      from function_versions v, made where v.function_id = ${function_id})
    insert into function_changes (account_id, function_id, xid) select account_id, function_id, pg_current_xact_id() from made
  `.execute(services.db);
}
