/** A destination's headers and signing secret: sealed in the database, masked in responses. */
import type { KeyObject } from 'node:crypto';
import { isCredentialName } from '../../../contract/text/request-values.ts';
import { hasPlaceholders } from '../../../contract/text/url-template.ts';
import { badRequest } from '../../lib/failure.ts';
import { isMask, mask } from '../../lib/masking.ts';
import { signingKey } from '../../lib/signing.ts';
import type { DestinationsTable } from '../../platform/database/schema.ts';
import type { Vault } from '../../platform/vault/vault.ts';

type Owner = Pick<DestinationsTable, 'account_id' | 'destination_id'>;
type Headers = Record<string, string>;

const place = ({ account_id, destination_id }: Owner, field: 'headers' | 'signing_secret' | 'previous_secret') => ({
  account_id,
  table: 'destinations',
  row: destination_id,
  field,
});

export const sealSecret = (vault: Vault, owner: Owner, secret: string): string =>
  vault.seal(place(owner, 'signing_secret'), secret);

export const openSecret = (vault: Vault, row: DestinationsTable): string =>
  vault.open(place(row, 'signing_secret'), row.signing_secret);

/** The current secret, sealed as the previous one. */
export const movedToPrevious = (vault: Vault, row: DestinationsTable): string =>
  vault.seal(place(row, 'previous_secret'), openSecret(vault, row));

/** Signing keys: the current secret first, then the previous one until their overlap ends. */
export function signingKeys(vault: Vault, row: DestinationsTable): { key: KeyObject; until: string | null }[] {
  const { previous_secret, previous_secret_until } = row;
  const current = { key: signingKey(openSecret(vault, row)), until: null };
  if (previous_secret === null || previous_secret_until === null) return [current];
  const previous = signingKey(vault.open(place(row, 'previous_secret'), previous_secret));
  return [current, { key: previous, until: previous_secret_until }];
}

/** Null without headers. */
export const sealHeaders = (vault: Vault, owner: Owner, headers: Headers): string | null =>
  Object.keys(headers).length === 0 ? null : vault.seal(place(owner, 'headers'), JSON.stringify(headers));

export const openHeaders = (vault: Vault, row: DestinationsTable): Headers =>
  row.headers === null ? {} : (JSON.parse(vault.open(place(row, 'headers'), row.headers)) as Headers);

/**
 * Masks the values of headers. A value with placeholders is not masked, unless the name is that of a credential.
 * `stored` has the values before placeholders were replaced.
 */
export const maskHeaders = (headers: Headers, stored = headers): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      hasPlaceholders(stored[name] ?? '') && !isCredentialName(name) ? value : mask(value),
    ]),
  );

/** The headers to store. A mask of a stored value keeps that value; any other mask is rejected. */
export function unmaskHeaders(given: Headers, stored: Headers): Headers {
  const behind = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const kept = behind.get(name.toLowerCase());
      if (!isMask(value)) return [name, value];
      if (kept !== undefined && mask(kept) === value) return [name, kept];
      throw badRequest(`headers.${name}: expected a value, or the mask of the value stored for this header`);
    }),
  );
}
