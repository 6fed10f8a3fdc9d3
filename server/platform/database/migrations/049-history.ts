import { type Kysely, sql } from 'kysely';
import { addIndex } from '../add-index.ts';

/** What changed, before and after, and on which page of the console. The history of a resource is read by its id. */
export async function outside(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('alter table audit add column if not exists changes text, add column if not exists page text')
    .execute(db);
  await addIndex(db, {
    table: 'audit',
    name: 'audit_resource',
    on: '(account_id, resource_id, audit_id desc) where resource_id is not null',
  });
}
