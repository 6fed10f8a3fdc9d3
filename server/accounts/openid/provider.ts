/**
 * Identity providers, of accounts (the owner's, in the database) and of the installation (the operator's, in the
 * settings). A provider of an account vouches for members of this account only; one of the installation for everybody
 * with an email address of its domains.
 */

import { Id } from '../../../contract/fields.ts';
import type { InstallationProvider } from '../../../contract/sign-in/identity-providers.ts';
import type { Role } from '../../../contract/states.ts';
import type { Services } from '../../platform/context.ts';
import type { IdentityProvidersTable } from '../../platform/database/schema.ts';
import type { SealedPlace } from '../../platform/vault/vault.ts';
import * as accounts from '../store/accounts.ts';
import * as store from '../store/identity-providers.ts';

export type Provider = {
  provider_id: string;
  /** The account to which it belongs; null for one of the installation. */
  owner: string | null;
  /** The account of new members and of the role mapping. */
  account_id: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string | null;
  scopes: readonly string[];
  allowed_domains: readonly string[];
  role_claim: string | null;
  role_mapping: readonly { value: string; role: Role }[];
  default_role: Role;
  creates_members: boolean;
};

/** The enabled provider with this id. */
export async function findProvider(services: Services, provider_id: string): Promise<Provider | undefined> {
  const ofInstallation = services.settings.identityProviders.find(({ id }) => id === provider_id);
  if (ofInstallation) return fromSettings(services, ofInstallation);
  if (!Id.safeParse(provider_id).success) return undefined;
  const row = await store.withId(services.db, provider_id.toLowerCase());
  return row && fromRow(services, row);
}

/** The enabled providers that accept the domain, and those of the account. Those of the installation come first. */
export async function providersFor(
  services: Services,
  { domain, account_id }: { domain?: string | undefined; account_id?: string | undefined },
): Promise<Provider[]> {
  const { db, settings } = services;
  const rows = [
    ...(account_id === undefined ? [] : await store.list(db, account_id)),
    ...(domain === undefined ? [] : await store.withDomain(db, domain)),
  ].filter(({ enabled }) => enabled);
  const distinct = new Map(rows.map((row) => [row.provider_id, row]));
  const ofInstallation = await Promise.all(settings.identityProviders.map((each) => fromSettings(services, each)));
  return [...ofInstallation, ...[...distinct.values()].map((row) => fromRow(services, row))];
}

/** The name of the provider of a session, for display; null if it was deleted. */
export async function providerName(
  services: Services,
  account_id: string,
  provider_id: string,
): Promise<string | null> {
  const ofInstallation = services.settings.identityProviders.find(({ id }) => id === provider_id);
  if (ofInstallation) return ofInstallation.name;
  return (await store.find(services.db, account_id, provider_id))?.name ?? null;
}

export function fromRow({ vault }: Pick<Services, 'vault'>, row: IdentityProvidersTable): Provider {
  return {
    provider_id: row.provider_id,
    owner: row.account_id,
    account_id: row.account_id,
    name: row.name,
    issuer: row.issuer,
    client_id: row.client_id,
    client_secret: row.client_secret && vault.open(secretPlace(row), row.client_secret),
    scopes: JSON.parse(row.scopes),
    allowed_domains: JSON.parse(row.allowed_domains),
    role_claim: row.role_claim,
    role_mapping: JSON.parse(row.role_mapping),
    default_role: row.default_role,
    creates_members: row.creates_members,
  };
}

async function fromSettings({ db }: Services, given: InstallationProvider): Promise<Provider> {
  return {
    provider_id: given.id,
    owner: null,
    account_id: given.account_id ?? (await accounts.oldest(db)),
    name: given.name,
    issuer: given.issuer,
    client_id: given.client_id,
    client_secret: given.client_secret ?? null,
    scopes: given.scopes ?? [],
    allowed_domains: given.allowed_domains,
    role_claim: given.role_claim ?? null,
    role_mapping: given.role_mapping ?? [],
    default_role: given.default_role ?? 'VIEWER',
    creates_members: given.creates_members ?? false,
  };
}

export const secretPlace = ({ account_id, provider_id }: { account_id: string; provider_id: string }): SealedPlace => ({
  account_id,
  table: 'identity_providers',
  row: provider_id,
  field: 'client_secret',
});

/**
 * The URL to register at the provider. It contains the account, so that a provider of one account cannot have the
 * response of another account's provider sent to itself (mix-up), even if that one sends no `iss` (RFC 9207).
 */
export function callbackUrl({ settings }: Services, owner: string | null): string {
  return `${settings.addresses.console_url}/sign-in/callback${owner === null ? '' : `/${owner}`}`;
}

/** Where the provider's sign-out page sends the browser. */
export const signedOutUrl = ({ settings }: Services): string => `${settings.addresses.console_url}/sign-in`;
