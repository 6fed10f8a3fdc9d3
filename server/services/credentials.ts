import type { ConnectionsTable } from '../store/schema.ts';
import type { SealedPlace } from '../store/vault.ts';
import type { Services } from './context.ts';

/** Where a connection's credentials stand; sealed for it, they open nowhere else. */
export function credentialsPlace(row: Pick<ConnectionsTable, 'account_id' | 'connection_id'>): SealedPlace {
  return { account_id: row.account_id, table: 'connections', row: row.connection_id, field: 'credentials' };
}

/** What the person typed, in clear: for a call through the gateway, never for an answer or a log. */
export function openCredentials(
  { vault }: Pick<Services, 'vault'>,
  row: Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'credentials'>,
): Record<string, string> {
  if (row.credentials === null) throw new Error(`the connection ${row.connection_id} has no credentials`);
  return JSON.parse(vault.open(credentialsPlace(row), row.credentials)) as Record<string, string>;
}
