/**
 * Connecting to an MCP server (specification of 2025-11-25, "Authorization").
 *
 * The service first lists the server's tools without credentials. If that succeeds, the server needs no authorization
 * and the connection is complete. On a 401, the server's metadata leads to its authorization server. The service
 * registers a client there (unless the user entered one) and redirects the browser with PKCE and the server's
 * `resource`. The authorization code is exchanged for tokens, and the tools are listed again with them. A user who has
 * a token can enter it instead.
 *
 * The client and the token URL are stored with the tokens, because they belong to this connection only.
 */
import {
  exchangeAuthorization,
  refreshAuthorization,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { PROVIDER_TIMEOUT_MS } from '../../../contract/limits.ts';
import { fromNow } from '../../lib/clock.ts';
import { newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import { type ProviderFetch, providerFetch } from '../../platform/egress/provider-fetch.ts';
import type { Values } from '../apps/compile.ts';
import { callbackUrl } from '../connect/connect-links.ts';
import { type Credentials, type Tokens, valuesOf } from '../credentials.ts';
import { openSession } from '../mcp/session.ts';
import { McpError, McpTrouble } from '../mcp/wire.ts';
import { codeOf } from '../upstream/upstream-failure.ts';
import { type AuthMethodPart, type Begun, ConnectFailure, isAccident, type Subject } from './auth-method.ts';
import { type Client, counted, discover, type Issuer, register, toProviderFailure } from './mcp-discovery.ts';
import { refusedAtReturn } from './oauth2-refusals.ts';

type Mcp = Subject<'MCP'>;
/** The issuer of tokens, and the client that requests them. */
type Source = { issuer: Issuer; client: Client; resource?: string };
type Kept = Source & { fields: Record<string, string>; code_verifier: string; names_itself: boolean };

/** Requests to the provider during one authorization. */
const REQUESTS_MAX = 20;
const TOTAL_TIMEOUT_MS = 3 * PROVIDER_TIMEOUT_MS;

export const mcp: AuthMethodPart<'MCP'> = { begin, finish, refresh, canRefresh };

async function begin(services: Services, subject: Mcp, given: Record<string, string>): Promise<Begun> {
  const { token, ...fields } = given;
  if (token) {
    const credentials = { fields, tokens: { ...BARE, access_token: token } };
    await requireAccess(services, subject, credentials, 'The server rejected this token.');
    return { kind: 'complete', credentials };
  }
  const challenge = await ask(services, subject, fields);
  if (challenge === null) return { kind: 'complete', credentials: { fields, tokens: null } };

  const fetch = counted(fetchFor(services), REQUESTS_MAX);
  const found = await discover(fetch, addressOf(subject, fields), challenge);
  const redirectUrl = callbackUrl(services);
  const client = clientOf(fields) ?? (await register(fetch, found, redirectUrl));
  const state = newToken();
  const { metadata, resource, scope } = found;
  const { authorizationUrl, codeVerifier } = await startAuthorization(metadata.issuer, {
    metadata,
    clientInformation: client,
    redirectUrl,
    state,
    ...(scope ? { scope } : {}),
    ...(resource ? { resource } : {}),
  }).catch((error: unknown) => {
    throw toProviderFailure(error, 'The authorization server does not support the authorization code flow with PKCE');
  });
  const { client_id: _, client_secret: __, ...rest } = fields;
  const keep: Kept = {
    fields: rest,
    code_verifier: codeVerifier,
    names_itself: (metadata as Record<string, unknown>)['authorization_response_iss_parameter_supported'] === true,
    ...sourceOf(metadata, client, resource),
  };
  return { kind: 'redirect', url: authorizationUrl.href, state, keep };
}

async function finish(
  services: Services,
  subject: Mcp,
  keep: Record<string, unknown>,
  query: URLSearchParams,
): Promise<Credentials> {
  const { fields, code_verifier, names_itself, issuer, client, resource } = keep as Kept;
  checkSender(query, issuer, names_itself);
  const code = query.get('code');
  if (!code) throw refusedAtReturn(subject.app.definition.name, query.get('error') ?? 'no_code');
  const tokens = await exchangeAuthorization(issuer.issuer, {
    metadata: issuer,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier: code_verifier,
    redirectUri: callbackUrl(services),
    ...(resource ? { resource } : {}),
    fetchFn: fetchFor(services),
  }).catch((error: unknown) => {
    throw toProviderFailure(error, `${hostOf(issuer)} returned no token for its authorization code`, [
      code,
      code_verifier,
      client.client_secret,
    ]);
  });
  const credentials = { fields, tokens: tokensOf(tokens, sourceOf(issuer, client, resource)) };
  await requireAccess(services, subject, credentials, 'The server rejected the token that was issued for it.');
  return credentials;
}

function canRefresh(_: Mcp, { tokens }: Credentials): boolean {
  return !!tokens?.refresh_token && tokens.client !== undefined;
}

async function refresh(services: Services, _: Mcp, { fields, tokens }: Credentials): Promise<Credentials> {
  if (!tokens?.refresh_token || !tokens.client)
    throw new ConnectFailure('REFRESH_REJECTED', 'The token has expired, and there is no refresh token.');
  const { issuer, client, resource } = tokens.client as Source;
  const fresh = await refreshAuthorization(issuer.issuer, {
    metadata: issuer,
    clientInformation: client,
    refreshToken: tokens.refresh_token,
    ...(resource ? { resource } : {}),
    fetchFn: fetchFor(services),
  }).catch((error: unknown) => {
    const secrets = [tokens.refresh_token ?? undefined, client.client_secret];
    const { message } = toProviderFailure(error, `${hostOf(issuer)} returned no new token`, secrets);
    if (REJECTED.some((kind) => error instanceof kind)) throw new ConnectFailure('REFRESH_REJECTED', message);
    throw new ConnectFailure('EXCHANGE_FAILED', message, { final: false });
  });
  return { fields, tokens: tokensOf(fresh, sourceOf(issuer, client, resource)) };
}

const REJECTED = [InvalidGrantError, InvalidClientError, UnauthorizedClientError];
const YEAR_S = 365 * 86_400;
const BARE: Omit<Tokens, 'access_token'> = { refresh_token: null, expires_at: null, captured: {} };

function tokensOf({ access_token, refresh_token, expires_in }: OAuthTokens, client: Source): Tokens {
  // The token is sent in a header.
  if (!/^[\x21-\x7e]{1,16384}$/.test(access_token))
    throw new ConnectFailure('EXCHANGE_FAILED', `${hostOf(client.issuer)} returned a token that can’t be sent.`);
  return {
    access_token,
    refresh_token: refresh_token ?? null,
    expires_at: expires_in && expires_in > 0 ? fromNow(Math.min(expires_in, YEAR_S) * 1000) : null,
    captured: {},
    client,
  };
}

const sourceOf = (
  { issuer, authorization_endpoint, token_endpoint, response_types_supported, ...more }: Issuer,
  client: Client,
  resource: string | undefined,
): Source => ({
  issuer: {
    issuer,
    authorization_endpoint,
    token_endpoint,
    response_types_supported,
    token_endpoint_auth_methods_supported: more.token_endpoint_auth_methods_supported,
  },
  client,
  ...(resource ? { resource } : {}),
});

function clientOf({ client_id, client_secret }: Record<string, string>): Client | undefined {
  return client_id ? { client_id, ...(client_secret ? { client_secret } : {}) } : undefined;
}

/** RFC 9207: the `iss` of a response must be the issuer that was requested. */
function checkSender(query: URLSearchParams, { issuer }: Issuer, names_itself: boolean): void {
  const sender = query.get('iss');
  if (sender === issuer || (sender === null && !names_itself)) return;
  throw new ConnectFailure('EXCHANGE_FAILED', 'The response came from another authorization server.');
}

/** Lists the tools with or without credentials: null if the server grants access, else its challenge. */
async function ask(services: Services, subject: Mcp, values: Values): Promise<string | null> {
  const target = subject.app.target('MCP', values);
  if (!target) throw new Error('MCP method without a URL');
  const place = { origin: target.origin, path: target.base_path, headers: target.headers };
  try {
    const session = await openSession(services, place, AbortSignal.timeout(TOTAL_TIMEOUT_MS));
    try {
      // Some servers allow `initialize` without authorization and require it for the tools.
      await session.request('tools/list', {}).catch((error: unknown) => {
        if (!(error instanceof McpError)) throw error;
      });
    } finally {
      void session.close();
    }
    return null;
  } catch (error) {
    if (error instanceof McpTrouble && error.status === 401)
      return [error.headers['www-authenticate'] ?? []].flat().join(', ');
    throw toAccessFailure(error);
  }
}

async function requireAccess(services: Services, subject: Mcp, credentials: Credentials, words: string): Promise<void> {
  const challenge = await ask(services, subject, valuesOf(credentials));
  if (challenge !== null) throw new ConnectFailure('INVALID_CREDENTIALS', words);
}

function toAccessFailure(error: unknown): unknown {
  if (error instanceof McpError)
    return new ConnectFailure('EXCHANGE_FAILED', `The server returned an error: ${error.message}`);
  if (!(error instanceof McpTrouble)) return error;
  const { kind, status, message } = error;
  if (kind === 'blocked')
    return new ConnectFailure('ADDRESS_REFUSED', `${message} Enter another URL.`, { cause: error });
  if (kind === 'garbage' || (status !== null && NO_SERVER_STATUSES.has(status)))
    return new ConnectFailure('SERVER_NOT_FOUND', `No MCP server at this URL: ${lowerFirst(message)}`, {
      cause: error,
    });
  if (codeOf(error.cause) === 'ENOTFOUND')
    return new ConnectFailure('SERVER_NOT_FOUND', 'No server at this URL: its host name does not exist.', {
      cause: error,
    });
  if (status === 403) return new ConnectFailure('ACCESS_DENIED', 'The server denied access (403).');
  const final = status !== null && !isAccident(status);
  return new ConnectFailure('EXCHANGE_FAILED', message, { final, cause: error });
}

/** Statuses of a URL without an MCP server. */
const NO_SERVER_STATUSES = new Set([404, 405, 410]);
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const fetchFor = ({ egress }: Services): ProviderFetch => providerFetch(egress);
const hostOf = ({ issuer }: Issuer) => (URL.canParse(issuer) ? new URL(issuer).host : issuer);

/** The server's URL, as used in its metadata. */
function addressOf(subject: Mcp, values: Values): string {
  const target = subject.app.target('MCP', values);
  return `${target?.origin}${target?.base_path}`;
}
