import type { Services } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import type { SealedPlace } from '../platform/vault/vault.ts';
import type { Values } from './apps/compile.ts';

/** All that a connection keeps to itself: sealed in one piece, in no read, log or error. */
export type Credentials = {
  /** What the person typed. */
  fields: Record<string, string>;
  tokens: Tokens | null;
};

export type Tokens = {
  access_token: string;
  /** OAuth 1: the secret that belongs to the token. */
  token_secret?: string;
  refresh_token: string | null;
  /** ISO 8601; null for one that doesn't end, as far as is known. */
  expires_at: string | null;
  /** What the definition keeps of a token reply, by name. */
  captured: Record<string, string>;
  /** What a method needs to renew them beside the app's definition, such as a client that registered itself. */
  client?: Record<string, unknown>;
  /** Of a typed client: the provider was found to take id and secret without form-encoding. */
  raw_basic?: boolean;
};

/** What the templates of a definition are filled with. */
export function valuesOf({ fields, tokens }: Credentials): Values {
  return tokens ? { ...fields, ...tokens.captured, access_token: tokens.access_token } : fields;
}

/** Where a connection's credentials are stored; sealed for that place, they open nowhere else. */
export function credentialsPlace(row: Pick<ConnectionsTable, 'account_id' | 'connection_id'>): SealedPlace {
  return { account_id: row.account_id, table: 'connections', row: row.connection_id, field: 'credentials' };
}

export function sealCredentials(
  { vault }: Pick<Services, 'vault'>,
  row: Pick<ConnectionsTable, 'account_id' | 'connection_id'>,
  credentials: Credentials,
): string {
  return vault.seal(credentialsPlace(row), JSON.stringify(credentials));
}

/** The credentials in clear: for a call through the gateway, never for an answer or a log. */
export function openCredentials(
  { vault }: Pick<Services, 'vault'>,
  row: Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'credentials'>,
): Credentials {
  if (row.credentials === null) throw new Error(`the connection ${row.connection_id} has no credentials`);
  return JSON.parse(vault.open(credentialsPlace(row), row.credentials)) as Credentials;
}
