/**
 * OAUTH2 (RFC 6749): authorization code with PKCE (RFC 7636), or client credentials entered by the user. The app's
 * definition contains the differences between providers, and conform.ts normalizes nonstandard responses. The library
 * oauth4webapi implements the protocol.
 */
import * as oauth from 'oauth4webapi';
import { newToken } from '../../lib/tokens.ts';
import type { Services } from '../../platform/context.ts';
import { providerFetch } from '../../platform/egress/provider-fetch.ts';
import { findClient, type OwnClient, rememberBasic } from '../app-credentials.ts';
import type { OAuth2Method } from '../apps/definition.ts';
import { withDefaults } from '../apps/fields.ts';
import { fill } from '../apps/template.ts';
import { callbackUrl } from '../connect/connect-links.ts';
import type { Tokens } from '../credentials.ts';
import { type AuthMethodPart, type Begun, ConnectFailure, type Subject } from './auth-method.ts';
import { at, conform } from './conform.ts';
import { refusedAtReturn, toConnectFailure } from './oauth2-refusals.ts';
import { missingScopes } from './scopes.ts';

type OAuth2 = Subject<'OAUTH2'>;
type Client = Pick<OwnClient, 'client_id' | 'client_secret' | 'raw_basic'> & Partial<Pick<OwnClient, 'scopes'>>;
type Kept = { fields: Record<string, string>; verifier: string | null; state: string };

export const oauth2: AuthMethodPart<'OAUTH2'> = {
  async begin(services, subject, fields) {
    const { definition } = subject;
    const grant = enteredGrant(definition, fields, false);
    if (grant) {
      const tokens = await exchange(services, subject, fields, 'connect', grant);
      return { kind: 'complete', credentials: { fields, tokens } };
    }
    if (definition.grant === 'device_code') return beginDevice(services, subject, fields);
    const client = await ownClient(services, subject);
    const state = newToken();
    const verifier = definition.pkce ? oauth.generateRandomCodeVerifier() : null;
    const url = new URL(fill(definition.authorize_url, fields));
    const params = {
      ...filled(definition.authorize_params, fields),
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: callbackUrl(services),
      ...scopeOf(definition, client.scopes ?? definition.scopes),
      state,
      ...(verifier
        ? { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
        : {}),
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    const keep: Kept = { fields, verifier, state };
    // All providers decode %20 as a space, but not all decode +.
    return { kind: 'redirect', url: url.href.replaceAll('+', '%20'), state, keep };
  },

  async finish(services, subject, keep, query) {
    const { fields, verifier, state } = keep as Kept;
    const returned = query.get('error');
    if (returned !== null) throw refusedAtReturn(subject.app.definition.name, returned);
    if (!query.get('code') || query.get('state') !== state)
      throw new ConnectFailure('EXCHANGE_FAILED', `${subject.app.definition.name} sent no authorization code.`);
    const tokens = await exchange(services, subject, fields, 'connect', {
      grant: 'authorization_code',
      code: query.get('code') ?? '',
      verifier,
    });
    return { fields, tokens };
  },

  async poll(services, subject, keep) {
    const { fields, device_code } = keep as DeviceKept;
    const grant = { grant: 'device_code' as const, device_code };
    try {
      const tokens = await exchange(services, subject, fields, 'connect', grant);
      return { kind: 'complete', credentials: { fields, tokens } };
    } catch (error) {
      const said = error instanceof ConnectFailure ? error.cause : undefined;
      const word = said instanceof oauth.ResponseBodyError ? said.error : undefined;
      if (word === 'authorization_pending' || word === 'slow_down')
        return { kind: 'pending', slower: word === 'slow_down' };
      if (word === 'expired_token')
        throw new ConnectFailure('EXCHANGE_FAILED', 'The code has expired. Get a new one.', { final: false });
      if (word === 'access_denied') throw refusedAtReturn(subject.app.definition.name, word);
      throw error;
    }
  },

  async refresh(services, subject, { fields: entered, tokens }) {
    const fields = withDefaults(subject.definition.fields, entered);
    const refresh_token = tokens?.refresh_token;
    const grant = enteredGrant(subject.definition, fields, tokens?.raw_basic ?? false);
    if (grant && (grant.grant === 'client_credentials' || !refresh_token))
      return { fields, tokens: await exchange(services, subject, fields, 'refresh', grant) };
    if (!tokens || !refresh_token) {
      const name = subject.app.definition.name;
      throw new ConnectFailure('REFRESH_REJECTED', `Access expired, and ${name} gave no refresh token.`);
    }
    const captured = tokens.captured;
    const known = { ...fields, ...captured };
    const fresh = await exchange(services, subject, known, 'refresh', {
      grant: 'refresh_token',
      refresh_token,
      captured,
    });
    // Most providers omit unchanged values.
    return { fields, tokens: { ...fresh, refresh_token: fresh.refresh_token ?? refresh_token } };
  },

  canRefresh: ({ definition }, { tokens }) =>
    enteredGrant(definition, {}, false) !== undefined || tokens?.refresh_token != null,
};

/** The grant that needs nothing but what the user entered, and can therefore be repeated; undefined for the others. */
function enteredGrant({ grant }: OAuth2Method, { subject_token = '' }: Record<string, string>, raw_basic: boolean) {
  if (grant === 'client_credentials') return { grant, raw_basic };
  return grant === 'token_exchange' ? { grant, subject_token } : undefined;
}

type DeviceKept = { fields: Record<string, string>; device_code: string };
/** The names of grants at the token URL that have a URN. */
const GRANT_TYPES: Partial<Record<Grant['grant'], string>> = {
  device_code: 'urn:ietf:params:oauth:grant-type:device_code',
  token_exchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
};
/** RFC 8628, section 3.2: without an interval, 5 seconds. The limits are ours. */
const DEVICE = { intervalSeconds: 5, maxIntervalSeconds: 60, maxLifeSeconds: 1800, maxChars: 100 };

/** Asks the provider for a device code. */
async function beginDevice(services: Services, subject: OAuth2, fields: Record<string, string>): Promise<Begun> {
  const { definition, app } = subject;
  const { name } = app.definition;
  const client = await ownClient(services, subject);
  const address = fill(definition.device_url ?? '', fields);
  const server = { issuer: new URL(address).origin, device_authorization_endpoint: address };
  const id = { client_id: client.client_id };
  let reply: oauth.DeviceAuthorizationResponse;
  try {
    const response = await oauth.deviceAuthorizationRequest(
      server,
      id,
      clientAuth(definition, client),
      scopeOf(definition, client.scopes ?? definition.scopes),
      { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: asking(services, definition) },
    );
    reply = await oauth.processDeviceAuthorizationResponse(server, id, response);
  } catch (error) {
    throw toConnectFailure(error, subject, 'connect', [client.client_secret]);
  }
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = reply;
  const isPage = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url) && url.length <= 2000;
  if (!isPage(verification_uri) || !/^[\x21-\x7e ]+$/.test(user_code) || user_code.length > DEVICE.maxChars)
    throw new ConnectFailure('EXCHANGE_FAILED', `${name} returned a code that can’t be shown.`);
  const complete = verification_uri_complete;
  const code = {
    user_code,
    verification_url: verification_uri,
    complete_url: complete !== undefined && isPage(complete) ? complete : null,
    lives_seconds: Math.min(Math.max(expires_in, 1), DEVICE.maxLifeSeconds),
    interval_seconds: Math.ceil(Math.min(Math.max(interval ?? DEVICE.intervalSeconds, 1), DEVICE.maxIntervalSeconds)),
  };
  const keep: DeviceKept = { fields, device_code };
  return { kind: 'device', code, keep };
}

type Grant =
  | { grant: 'device_code'; device_code: string }
  | { grant: 'client_credentials'; raw_basic: boolean }
  | { grant: 'token_exchange'; subject_token: string }
  | { grant: 'authorization_code'; code: string; verifier: string | null }
  | { grant: 'refresh_token'; refresh_token: string; captured: Record<string, string> };

/**
 * One request to the token URL. Throws ConnectFailure.
 *
 * RFC 6749, section 2.3.1, requires form-encoding of the client ID and secret in Basic; some providers don't decode
 * them. After `invalid_client` the request is therefore repeated with the other encoding, if the two differ, and the
 * encoding that worked is stored.
 */
async function exchange(
  services: Services,
  subject: OAuth2,
  values: Record<string, string>,
  stage: 'connect' | 'refresh',
  grant: Grant,
): Promise<Tokens> {
  const { definition } = subject;
  const isTyped = grant.grant === 'client_credentials';
  const client = isTyped ? typedClient(values, grant.raw_basic) : await ownClient(services, subject);
  const request = (form: Client) => requestTokens(services, subject, values, grant, form);
  const secrets = [client.client_secret, ...Object.values(grant).filter((each) => typeof each === 'string')];
  try {
    try {
      const tokens = await request(client);
      return isTyped && client.raw_basic ? { ...tokens, raw_basic: true } : tokens;
    } catch (error) {
      const other = { ...client, raw_basic: !client.raw_basic };
      if (!isInvalidClient(error) || !formMatters(definition, client)) throw error;
      const tokens = await request(other).catch(() => {
        throw error;
      });
      if (isTyped) return { ...tokens, raw_basic: other.raw_basic };
      await rememberBasic(services, subject.account_id, subject.app.definition.app, other);
      return tokens;
    }
  } catch (error) {
    throw toConnectFailure(error, subject, stage, secrets);
  }
}

async function requestTokens(
  services: Services,
  subject: OAuth2,
  values: Record<string, string>,
  grant: Grant,
  client: Client,
): Promise<Tokens> {
  const { definition } = subject;
  const refreshing = grant.grant === 'refresh_token';
  const address = fill((refreshing && definition.refresh_url) || definition.token_url, values);
  const server = { issuer: new URL(address).origin, token_endpoint: address };
  const response = await oauth.genericTokenEndpointRequest(
    server,
    { client_id: client.client_id },
    clientAuth(definition, client),
    GRANT_TYPES[grant.grant] ?? grant.grant,
    parametersOf(services, definition, values, grant, client),
    {
      // The guarded fetch decides whether a URL without TLS is allowed.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: conforming(services, definition),
    },
  );
  const reply = await oauth.processGenericTokenEndpointResponse(server, { client_id: client.client_id }, response);
  const tokens = tokensFrom(subject, reply, refreshing ? grant.captured : {});
  if (grant.grant === 'refresh_token' || grant.grant === 'client_credentials') return tokens;
  return { ...tokens, missing_scopes: missingScopes(client.scopes ?? definition.scopes, reply.scope) };
}

const isInvalidClient = (error: unknown): boolean =>
  error instanceof oauth.ResponseBodyError && error.error === 'invalid_client';

/** Whether Basic has a second encoding for this client. */
const formMatters = ({ client_auth }: OAuth2Method, { client_id, client_secret }: Client): boolean =>
  client_auth === 'basic' &&
  client_secret !== null &&
  basicOf(client_id, client_secret, true) !== basicOf(client_id, client_secret, false);

function basicOf(client_id: string, client_secret: string, isRaw: boolean): string {
  const [id, secret] = isRaw ? [client_id, client_secret] : [client_id, client_secret].map(encodeURIComponent);
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

function parametersOf(
  services: Services,
  definition: OAuth2Method,
  values: Record<string, string>,
  grant: Grant,
  client: Client,
): Record<string, string> {
  const own = filled(definition.token_params, values);
  switch (grant.grant) {
    case 'client_credentials':
      return { ...own, ...scopeOf(definition, definition.scopes) };
    case 'token_exchange': {
      const { subject_token } = grant;
      const subject_token_type = definition.subject_token_type ?? '';
      return { ...own, ...scopeOf(definition, client.scopes ?? definition.scopes), subject_token, subject_token_type };
    }
    case 'authorization_code': {
      const { code, verifier } = grant;
      return { ...own, code, redirect_uri: callbackUrl(services), ...(verifier ? { code_verifier: verifier } : {}) };
    }
    case 'device_code':
      return { ...own, device_code: grant.device_code };
    case 'refresh_token':
      return { ...own, refresh_token: grant.refresh_token };
  }
}

/** The parameter `scope`; none without scopes. */
const scopeOf = ({ scope_separator }: OAuth2Method, scopes: readonly string[]) =>
  scopes.length > 0 ? { scope: scopes.join(scope_separator) } : {};

const filled = (templates: Record<string, string>, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template, values)]));

/** The guarded fetch for a device code. GitHub responds with a form unless JSON is requested. */
function asking(services: Services, { client_auth }: OAuth2Method) {
  const ask = providerFetch(services.egress);
  return async (url: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    const isJson = client_auth === 'json';
    if (isJson) headers.set('content-type', 'application/json');
    const body = isJson ? JSON.stringify(Object.fromEntries(init.body)) : init.body;
    const answer = await ask(url, { method: 'POST', headers, body });
    return new Response(await answer.text(), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}

/** The guarded fetch; converts the body for the provider and the response for the library. */
function conforming(services: Services, { client_auth, token_path }: OAuth2Method) {
  const ask = providerFetch(services.egress);
  return async (url: string, init: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> => {
    const headers = new Headers(init.headers);
    let body: string | URLSearchParams = init.body;
    if (client_auth === 'json') {
      headers.set('content-type', 'application/json');
      body = JSON.stringify(Object.fromEntries(init.body));
    }
    const answer = await ask(url, { method: 'POST', headers, body });
    const { status, reply } = conform(answer.status, await answer.text(), token_path);
    return new Response(JSON.stringify(reply), { status, headers: { 'content-type': 'application/json' } });
  };
}

/** With `raw_basic`, Basic contains the client ID and secret without form-encoding. */
function clientAuth({ client_auth }: OAuth2Method, { client_id, client_secret, raw_basic }: Client): oauth.ClientAuth {
  if (client_secret === null) return oauth.None();
  if (client_auth === 'post') return oauth.ClientSecretPost(client_secret);
  const isRaw = client_auth === 'basic_raw' || (client_auth === 'basic' && raw_basic);
  return (_server, _client, _body, headers) => headers.set('authorization', basicOf(client_id, client_secret, isRaw));
}

async function ownClient(services: Services, { account_id, app }: OAuth2): Promise<OwnClient> {
  const { app: id, name } = app.definition;
  const client = await findClient(services, account_id, id, 'OAUTH2');
  if (!client)
    throw new ConnectFailure('APP_CONFIG', `No client is set for ${name}: an admin can add one on the app’s page.`);
  return client;
}

const typedClient = ({ client_id = '', client_secret = '' }: Record<string, string>, raw_basic: boolean): Client => ({
  client_id,
  client_secret,
  raw_basic,
});

/** Tokens are sent in headers and URLs, so characters not allowed there are rejected here. */
const SENDABLE = /^[\x21-\x7e]{1,16384}$/;
const CAPTURED_MAX_CHARS = 2000;

function tokensFrom(
  { app, definition }: OAuth2,
  reply: oauth.TokenEndpointResponse,
  before: Record<string, string>,
): Tokens {
  const { access_token, refresh_token = null, expires_in = definition.lives_seconds } = reply;
  const { name } = app.definition;
  if (!SENDABLE.test(access_token) || (refresh_token !== null && !SENDABLE.test(refresh_token)))
    throw new ConnectFailure('EXCHANGE_FAILED', `${name} returned a token that can’t be sent.`);
  const captured: Record<string, string> = {};
  for (const [own, path] of Object.entries(definition.capture)) {
    const value = at(reply, path);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : before[own];
    if (text === undefined || text.length > CAPTURED_MAX_CHARS || !/^[\x20-\x7e]+$/.test(text))
      throw new ConnectFailure('EXCHANGE_FAILED', `${name} returned a token without ${path}.`);
    captured[own] = text;
  }
  return {
    access_token,
    refresh_token,
    expires_at: expires_in === null ? null : new Date(Date.now() + expires_in * 1000).toISOString(),
    captured,
  };
}
