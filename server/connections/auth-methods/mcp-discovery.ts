/** Discovers the authorization server of an MCP server from the metadata of both. */
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  registerClient,
} from '@modelcontextprotocol/sdk/client/auth.js';
import {
  OAuthError,
  ServerError,
  TemporarilyUnavailableError,
  TooManyRequestsError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import { type ProviderFetch, ProviderTrouble } from '../../platform/egress/provider-fetch.ts';
import { ConnectFailure, isRefusedAddress } from './auth-method.ts';
import { describe, wordOf } from './oauth2-refusals.ts';

/** The part of an authorization server's metadata that token requests need. */
export type Issuer = Pick<
  AuthorizationServerMetadata,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'response_types_supported'
> & { token_endpoint_auth_methods_supported?: string[] | undefined };
/** A client registered at the authorization server. */
export type Client = { client_id: string; client_secret?: string; token_endpoint_auth_method?: string };

export type Discovered = {
  metadata: AuthorizationServerMetadata;
  /** RFC 8707 resource, exactly as in the server's metadata; undefined without metadata. */
  resource: string | undefined;
  scope: string | undefined;
};

const OFFLINE = 'offline_access';

/** A fetch that fails after this many requests, so that metadata with circular references can't cause a loop. */
export function counted(fetch: ProviderFetch, most: number): ProviderFetch {
  let asked = 0;
  return (input, init) => {
    if (++asked > most)
      throw refused(`Discovery of the authorization server took more than ${most} requests and was stopped.`);
    return fetch(input, init);
  };
}

/**
 * RFC 9728 for the server, then RFC 8414 or OpenID Connect discovery for the authorization server that it names.
 * `challenge` is the `WWW-Authenticate` header of its 401. A server without metadata is treated as its own
 * authorization server, as in older versions of MCP.
 */
export async function discover(fetch: ProviderFetch, server_url: string, challenge: string): Promise<Discovered> {
  const said = extractWWWAuthenticateParams(
    new Response(null, { status: 401, headers: { 'www-authenticate': challenge } }),
  );
  const about = await readServerMetadata(fetch, server_url, said.resourceMetadataUrl);
  const named = about?.authorization_servers?.[0] ?? new URL('/', server_url).href;
  const metadata = await awaitProvider(
    discoverAuthorizationServerMetadata(named, { fetchFn: fetch }),
    `The metadata of ${hostOf(named)} can’t be read`,
  );
  if (!metadata) throw refused(`The server requires authorization, but ${hostOf(named)} has no metadata.`);
  checkIssuer(metadata, named);
  const scope = said.scope ?? about?.scopes_supported?.join(' ');
  return { metadata, resource: about?.resource, scope: withOffline(scope, metadata.scopes_supported) };
}

async function readServerMetadata(fetch: ProviderFetch, server_url: string, resourceMetadataUrl: URL | undefined) {
  const where = resourceMetadataUrl ? { resourceMetadataUrl } : {};
  const about = await discoverOAuthProtectedResourceMetadata(server_url, where, fetch).catch((error: unknown) => {
    if (error instanceof ConnectFailure || error instanceof ProviderTrouble) throw toProviderFailure(error);
    if (!resourceMetadataUrl) return undefined;
    throw refused(`The server’s own metadata at ${resourceMetadataUrl.host} can’t be read.`);
  });
  // Otherwise a server could obtain tokens for another server.
  if (about && !checkResourceAllowed({ requestedResource: server_url, configuredResource: about.resource }))
    throw refused(`The server’s metadata is for another server (${about.resource.slice(0, 200)}).`);
  return about;
}

/** RFC 8414 §3.3: metadata is valid only if it contains the requested issuer. */
function checkIssuer({ issuer }: AuthorizationServerMetadata, asked: string): void {
  const plain = (address: string) => (URL.canParse(address) ? new URL(address).href : address).replace(/\/$/, '');
  if (plain(issuer) !== plain(asked))
    throw refused(`${hostOf(asked)} returned the metadata of another server (${issuer.slice(0, 200)}).`);
}

/** Without this scope many servers issue no refresh token. */
function withOffline(scope: string | undefined, supported: string[] | undefined): string | undefined {
  if (!supported?.includes(OFFLINE) || scope?.split(' ').includes(OFFLINE)) return scope;
  return scope ? `${scope} ${OFFLINE}` : scope;
}

/** RFC 7591. The client is confidential if the authorization server supports that. */
export async function register(
  fetch: ProviderFetch,
  { metadata, scope }: Discovered,
  redirect_url: string,
): Promise<Client> {
  if (!metadata.registration_endpoint)
    throw new ConnectFailure(
      'APP_CONFIG',
      `${hostOf(metadata.issuer)} does not support client registration. Register a client there with the redirect URL ${redirect_url} and connect with its client ID, or use a token.`,
    );
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = ['client_secret_basic', 'client_secret_post', 'none'].find((each) => methods.includes(each));
  const clientMetadata = {
    client_name: 'Sluice',
    redirect_uris: [redirect_url],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method ?? 'none',
    // Only a native client may use a redirect URL without TLS.
    application_type: redirect_url.startsWith('https:') ? 'web' : 'native',
  };
  const { client_id, client_secret, token_endpoint_auth_method } = await awaitProvider(
    registerClient(metadata.issuer, {
      metadata,
      clientMetadata,
      ...(scope ? { scope } : {}),
      fetchFn: fetch,
    }),
    `${hostOf(metadata.issuer)} didn’t register this service as a client`,
  );
  return {
    client_id,
    ...(client_secret ? { client_secret } : {}),
    ...(token_endpoint_auth_method ? { token_endpoint_auth_method } : {}),
  };
}

/** Awaits a request to the provider and turns every error into a ConnectFailure, with this text by default. */
async function awaitProvider<T>(asked: Promise<T>, words: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw toProviderFailure(error, words);
  }
}

/**
 * No response or an error status is temporary; an unexpected response is final. The provider's own description is added
 * if it contains none of `secrets`. An unreadable body may contain a secret and is never included.
 */
export function toProviderFailure(
  error: unknown,
  words = 'The provider’s response can’t be read',
  secrets: (string | undefined)[] = [],
): ConnectFailure {
  if (error instanceof ConnectFailure) return error;
  if (isRefusedAddress(error)) return new ConnectFailure('ADDRESS_REFUSED', error.message, { cause: error });
  if (error instanceof ProviderTrouble)
    return new ConnectFailure('EXCHANGE_FAILED', error.message, { final: false, cause: error });
  const status = error instanceof Error ? /^HTTP (\d{3})\b/.exec(error.message)?.[1] : undefined;
  if (PASSING.some((kind) => error instanceof kind) || /^(?:5..|408|429)$/.test(status ?? ''))
    return new ConnectFailure('EXCHANGE_FAILED', `${words}: it returned ${status ?? 'an error'}.`, {
      final: false,
    });
  if (!(error instanceof OAuthError) || status) return refused(`${words}.`);
  const said = describe(
    error.message,
    secrets.map((each) => each ?? null),
  );
  // The SDK reports every unknown error code as a server error.
  return refused(error instanceof ServerError ? words + said : `${words} (${wordOf(error.errorCode)})${said}`);
}

const PASSING = [TemporarilyUnavailableError, TooManyRequestsError];
const refused = (message: string) => new ConnectFailure('EXCHANGE_FAILED', message);
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : 'the authorization server');
