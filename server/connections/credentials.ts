import type { Services } from '../platform/context.ts';
import type { ConnectionsTable } from '../platform/database/schema.ts';
import type { SealedPlace } from '../platform/vault/vault.ts';
import type { Values } from './apps/compile.ts';

/** The secrets of a connection, sealed as one value. They never appear in a response, log or error. */
export type Credentials = {
  /** The entered values. */
  fields: Record<string, string>;
  tokens: Tokens | null;
};

export type Tokens = {
  access_token: string;
  /** OAuth 1: the secret that belongs to the token. */
  token_secret?: string;
  refresh_token: string | null;
  /** ISO 8601; null without a known expiry. */
  expires_at: string | null;
  /** Values captured from a token response, by name. */
  captured: Record<string, string>;
  /** Additional data to refresh the tokens, such as a dynamically registered client. */
  client?: Record<string, unknown>;
  /** Requested scopes that the app did not grant. */
  missing_scopes?: string[];
  /** For an entered client: the provider expects the client ID and secret without form-encoding (detected). */
  raw_basic?: boolean;
};

/** Values for the templates of a definition. */
export function valuesOf({ fields, tokens }: Credentials): Values {
  return tokens ? { ...fields, ...tokens.captured, access_token: tokens.access_token } : fields;
}

/** Where a connection's credentials are stored. They are sealed for that place and can't be opened elsewhere. */
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

/** The decrypted credentials: for a call through the gateway, never for a response or a log. */
export function openCredentials(
  { vault }: Pick<Services, 'vault'>,
  row: Pick<ConnectionsTable, 'account_id' | 'connection_id' | 'credentials'>,
): Credentials {
  if (row.credentials === null) throw new Error(`the connection ${row.connection_id} has no credentials`);
  return JSON.parse(vault.open(credentialsPlace(row), row.credentials)) as Credentials;
}
