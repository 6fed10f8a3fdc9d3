/** Secrets that no key opens, of all accounts: lists them, and marks what needs them. Called by the operator's script only. */
import { sql } from 'kysely';
import { now } from '../../lib/clock.ts';
import type { Db, DestinationsTable, Tx } from '../../platform/database/schema.ts';

/** What depends on secrets, by the names that its owners know. */
export type Lost = {
  connections: string[];
  app_credentials: string[];
  env_variables: string[];
  source_secrets: string[];
  destinations: string[];
  destination_headers: string[];
  identity_providers: string[];
  authenticators: string[];
};

export async function list(db: Db | Tx): Promise<Lost> {
  const names = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(db)).rows.map(({ name }) => name);
  return {
    connections: await names(sql`
      select connection_id || ' (' || app || ')' as name from connections where credentials is not null order by 1`),
    app_credentials: await names(sql`
      select app || ' (' || method || ')' as name from app_credentials where client_secret is not null order by 1`),
    env_variables: await names(sql`
      select f.name || ': ' || v.key as name from env_variables v join functions f using (function_id) order by 1`),
    source_secrets: await names(sql`
      select coalesce(name, trigger_id::text) as name from triggers where source_secret is not null order by 1`),
    destinations: await names(sql`select destination_id::text as name from destinations order by 1`),
    destination_headers: await names(sql`
      select destination_id || ' ' || coalesce(url, '') as name from destinations where headers is not null order by 1`),
    identity_providers: await names(sql`
      select name from identity_providers where client_secret is not null order by 1`),
    authenticators: await names(sql`
      select p.email as name from authenticators a join people p using (person_id) order by 1`),
  };
}

/** Marks what does not work without its secrets, before they are removed. */
export async function mark(tx: Tx, failure: string): Promise<void> {
  const at = now();
  await sql`
    update triggers set reason = 'CONNECTION_FAILED', updated_at = ${at}
    where reason is null and (account_id, connection_id) in
      (select account_id, connection_id from connections where credentials is not null)`.execute(tx);
  await tx
    .updateTable('connections')
    .set({ status: 'FAILED', failure, last_updated_time: at, refresh_at: null, token_expires_at: null })
    .where('credentials', 'is not', null)
    .execute();
  await tx.updateTable('destinations').set({ previous_secret_until: null }).execute();
  await tx.updateTable('identity_providers').set({ enabled: false }).where('client_secret', 'is not', null).execute();
}

export const listDestinations = (tx: Tx): Promise<Pick<DestinationsTable, 'account_id' | 'destination_id'>[]> =>
  tx.selectFrom('destinations').select(['account_id', 'destination_id']).execute();

export async function setSigningSecret(tx: Tx, destination_id: string, signing_secret: string): Promise<void> {
  await tx.updateTable('destinations').set({ signing_secret }).where('destination_id', '=', destination_id).execute();
}
