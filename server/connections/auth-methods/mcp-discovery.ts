/** Who authorizes requests to an MCP server, as the server and its authorization server say themselves. */
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

/** What of an authorization server's metadata is needed again for tokens. */
export type Issuer = Pick<
  AuthorizationServerMetadata,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'response_types_supported'
> & { token_endpoint_auth_methods_supported?: string[] | undefined };
/** A client as the authorization server knows it. */
export type Client = { client_id: string; client_secret?: string; token_endpoint_auth_method?: string };

export type Discovered = {
  metadata: AuthorizationServerMetadata;
  /** RFC 8707, letter by letter as the server writes it; undefined where it says nothing about itself. */
  resource: string | undefined;
  scope: string | undefined;
};

const OFFLINE = 'offline_access';

/** A fetch that gives up after this many requests, so that addresses that point to one another come to an end. */
export function counted(fetch: ProviderFetch, most: number): ProviderFetch {
  let asked = 0;
  return (input, init) => {
    if (++asked > most)
      throw refused(`Discovery of the authorization server took more than ${most} requests and was stopped.`);
    return fetch(input, init);
  };
}

/**
 * RFC 9728 for the server, then RFC 8414 or OpenID Connect for whom it names. `challenge` is the `WWW-Authenticate` of
 * its 401. A server without metadata is taken for its own authorization server, as older versions of MCP had it.
 */
export async function discover(fetch: ProviderFetch, server_url: string, challenge: string): Promise<Discovered> {
  const said = extractWWWAuthenticateParams(
    new Response(null, { status: 401, headers: { 'www-authenticate': challenge } }),
  );
  const about = await aboutServer(fetch, server_url, said.resourceMetadataUrl);
  const named = about?.authorization_servers?.[0] ?? new URL('/', server_url).href;
  const metadata = await inWords(
    discoverAuthorizationServerMetadata(named, { fetchFn: fetch }),
    `The metadata of ${hostOf(named)} can’t be read`,
  );
  if (!metadata) throw refused(`The server requires authorization, but ${hostOf(named)} has no metadata.`);
  checkIssuer(metadata, named);
  const scope = said.scope ?? about?.scopes_supported?.join(' ');
  return { metadata, resource: about?.resource, scope: withOffline(scope, metadata.scopes_supported) };
}

async function aboutServer(fetch: ProviderFetch, server_url: string, resourceMetadataUrl: URL | undefined) {
  const where = resourceMetadataUrl ? { resourceMetadataUrl } : {};
  const about = await discoverOAuthProtectedResourceMetadata(server_url, where, fetch).catch((error: unknown) => {
    if (error instanceof ConnectFailure || error instanceof ProviderTrouble) throw inWordsOf(error);
    if (!resourceMetadataUrl) return undefined;
    throw refused(`The server’s own metadata at ${resourceMetadataUrl.host} can’t be read.`);
  });
  // Else a server could have tokens made for another.
  if (about && !checkResourceAllowed({ requestedResource: server_url, configuredResource: about.resource }))
    throw refused(`The server’s metadata is for another server (${about.resource.slice(0, 200)}).`);
  return about;
}

/** RFC 8414 §3.3: metadata counts only if it names the issuer that was asked. */
function checkIssuer({ issuer }: AuthorizationServerMetadata, asked: string): void {
  const plain = (address: string) => (URL.canParse(address) ? new URL(address).href : address).replace(/\/$/, '');
  if (plain(issuer) !== plain(asked))
    throw refused(`${hostOf(asked)} returned the metadata of another server (${issuer.slice(0, 200)}).`);
}

/** Without it many servers give no refresh token. */
function withOffline(scope: string | undefined, supported: string[] | undefined): string | undefined {
  if (!supported?.includes(OFFLINE) || scope?.split(' ').includes(OFFLINE)) return scope;
  return scope ? `${scope} ${OFFLINE}` : scope;
}

/** RFC 7591. The client is confidential where the authorization server lets it be. */
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
    // Only a native one may be sent back to an address without TLS.
    application_type: redirect_url.startsWith('https:') ? 'web' : 'native',
  };
  const { client_id, client_secret, token_endpoint_auth_method } = await inWords(
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

/** Awaits what a provider was asked; what it throws is a ConnectFailure, with these words where it has none. */
async function inWords<T>(asked: Promise<T>, words: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw inWordsOf(error, words);
  }
}

/**
 * No answer, or one of trouble, is an accident; another answer than was asked for is a refusal. The provider's own
 * words are added where they contain none of `secrets`; what can't be read may contain any, and is never repeated.
 */
export function inWordsOf(
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
  // The SDK calls every word that it doesn't know a server error.
  return refused(error instanceof ServerError ? words + said : `${words} (${wordOf(error.errorCode)})${said}`);
}

const PASSING = [TemporarilyUnavailableError, TooManyRequestsError];
const refused = (message: string) => new ConnectFailure('EXCHANGE_FAILED', message);
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : 'the authorization server');
