/**
 * OpenID Connect with one provider: discovery, the authorization URL, the exchange of the code, the ID token. The
 * library oauth4webapi implements the protocol; the guarded fetch decides which addresses may be connected to.
 *
 * The nonce and the PKCE verifier are derived from the state, which the database knows as a hash only, so any node can
 * finish a sign-in and no row contains a secret.
 */
import * as oauth from 'oauth4webapi';
import { Email } from '../../../contract/account.ts';
import { createLookupCache, type LookupCache } from '../../lib/lookup-cache.ts';
import type { Services } from '../../platform/context.ts';
import type { EgressPolicy } from '../../platform/egress/egress.ts';
import { ProviderTrouble, providerFetch } from '../../platform/egress/provider-fetch.ts';
import { callbackUrl, type Provider, signedOutUrl } from './provider.ts';

/** Why a sign-in through a provider failed. The message is for people: it names the provider and what to do. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  /** 502: the provider did not respond as it should. */
  readonly status: 403 | 502;
  /** The email address that the provider named, for the audit log. */
  email: string | undefined;

  constructor(message: string, { status = 403, cause }: { status?: 403 | 502; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** What the provider says about the user. */
export type Claims = {
  subject: string;
  /** Undefined if the provider sent none, or an unverified one. */
  email: string | undefined;
  isUnverified: boolean;
  name: string | undefined;
  /** When the user authenticated there, if the provider says so. */
  authenticatedMs: number | undefined;
  all: Record<string, unknown>;
  idToken: string;
};

/** Asymmetric algorithms only: `none` and algorithms with the client secret are never accepted. */
const ALGORITHMS = /^(?:RS|PS|ES)(?:256|384|512)$|^(?:EdDSA|Ed25519)$/;
const METADATA_MAX = 200;
const METADATA_TTL_MS = 300_000;
const CLOCK_TOLERANCE_SECONDS = 60;
/** An ID token beyond this size is not stored for the sign-out. */
const ID_TOKEN_MAX_CHARS = 8_000;

const caches = new WeakMap<EgressPolicy, LookupCache<oauth.AuthorizationServer>>();

/** The provider's metadata, cached for five minutes. Throws SignInRefused. */
export async function discover({ egress }: Services, { issuer, name }: Pick<Provider, 'issuer' | 'name'>) {
  const cache = caches.get(egress) ?? createLookupCache({ maxEntries: METADATA_MAX, ttlMs: METADATA_TTL_MS });
  caches.set(egress, cache);
  const found = await cache
    .find(issuer, () => readMetadata(egress, issuer))
    .catch((error: unknown) => {
      throw toRefusal(error, name, 'its metadata could not be read');
    });
  if (!found) throw new Error('metadata is never missing');
  return found;
}

async function readMetadata(egress: EgressPolicy, issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...optionsOf(egress) });
  const metadata = await oauth.processDiscoveryResponse(url, response);
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
    if (!isWebUrl(metadata[name], issuer))
      throw new SignInRefused(`The metadata of ${url.host} has no valid ${name}.`, { status: 502 });
  const { id_token_signing_alg_values_supported: algorithms, ...rest } = metadata;
  if (algorithms === undefined) return rest;
  return { ...rest, id_token_signing_alg_values_supported: algorithms.filter((each) => ALGORITHMS.test(each)) };
}

/** Whether the browser may be sent there: never to a script, and not from https to http. */
const isWebUrl = (text: unknown, issuer: string): text is string =>
  typeof text === 'string' &&
  URL.canParse(text) &&
  (/^https:/i.test(text) || (/^http:/i.test(text) && /^http:/i.test(issuer)));

const optionsOf = (egress: EgressPolicy) => ({
  // The guarded fetch decides whether a URL without TLS is allowed.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: providerFetch(egress) as (url: string, init: object) => Promise<Response>,
});

/** Reads the metadata and the keys, for a test of the settings. Throws SignInRefused. */
export async function probe(services: Services, provider: Pick<Provider, 'issuer' | 'name'>): Promise<string> {
  caches.get(services.egress)?.drop(provider.issuer);
  const { jwks_uri = '', authorization_endpoint = '' } = await discover(services, provider);
  const refused = new SignInRefused(`${provider.name}: its keys at ${new URL(jwks_uri).host} could not be read.`, {
    status: 502,
  });
  const response = await providerFetch(services.egress)(jwks_uri).catch((error: unknown) => {
    throw toRefusal(error, provider.name, 'its keys could not be read');
  });
  const keys: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !Array.isArray((keys as { keys?: unknown } | undefined)?.keys)) throw refused;
  return authorization_endpoint;
}

const derived = ({ vault }: Services, purpose: 'nonce' | 'verifier', state: string) =>
  vault.hmac('sign-in', `${purpose}/${state}`);

/** The provider's page. `fresh` asks it to authenticate the user again. */
export async function authorizationUrl(
  services: Services,
  provider: Provider,
  { state, fresh, email }: { state: string; fresh: boolean; email?: string | undefined },
): Promise<string> {
  const { authorization_endpoint = '' } = await discover(services, provider);
  const url = new URL(authorization_endpoint);
  const params = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: callbackUrl(services, provider.owner),
    scope: [...new Set(['openid', 'email', 'profile', ...provider.scopes])].join(' '),
    state,
    nonce: derived(services, 'nonce', state),
    code_challenge: await oauth.calculatePKCECodeChallenge(derived(services, 'verifier', state)),
    code_challenge_method: 'S256',
    ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
    ...(email === undefined ? {} : { login_hint: email }),
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** Redeems the code of a callback and validates the ID token. Throws SignInRefused. */
export async function exchange(
  services: Services,
  provider: Provider,
  state: string,
  parameters: Record<string, string | undefined>,
): Promise<Claims> {
  const server = await discover(services, provider);
  const client: oauth.Client = { client_id: provider.client_id, [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const options = optionsOf(services.egress);
  try {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
    const callback = oauth.validateAuthResponse(server, client, query, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      clientAuthOf(server, provider),
      callback,
      callbackUrl(services, provider.owner),
      derived(services, 'verifier', state),
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: derived(services, 'nonce', state),
      requireIdToken: true,
    });
    // The library trusts the TLS of the token endpoint; check the signature all the same.
    await oauth.validateApplicationLevelSignature(server, response, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims || typeof tokens.id_token !== 'string') throw new Error('no ID token');
    const more = needsUserInfo(provider, claims)
      ? await userInfo(server, client, tokens.access_token, claims.sub, options)
      : {};
    return claimsOf(provider, { ...claims }, more, tokens.id_token);
  } catch (error) {
    throw toRefusal(error, provider.name, 'its response does not belong to this sign-in');
  }
}

function clientAuthOf(server: oauth.AuthorizationServer, { client_secret }: Provider): oauth.ClientAuth {
  if (client_secret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(client_secret)
    : oauth.ClientSecretPost(client_secret);
}

const needsUserInfo = ({ role_claim }: Provider, claims: Record<string, unknown>) =>
  claims['email'] === undefined ||
  claims['email_verified'] === undefined ||
  claims['name'] === undefined ||
  (role_claim !== null && at(claims, role_claim) === undefined);

async function userInfo(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  accessToken: string,
  subject: string,
  options: ReturnType<typeof optionsOf>,
): Promise<Record<string, unknown>> {
  if (server.userinfo_endpoint === undefined) return {};
  const response = await oauth.userInfoRequest(server, client, accessToken, options);
  return { ...(await oauth.processUserInfoResponse(server, client, subject, response)) };
}

function claimsOf(
  provider: Provider,
  idToken: Record<string, unknown>,
  more: Record<string, unknown>,
  text: string,
): Claims {
  // The address and its verification come from one place, so that one cannot vouch for the other.
  const source =
    idToken['email'] !== undefined && idToken['email_verified'] !== undefined ? idToken : { ...idToken, ...more };
  const all = { ...more, ...idToken };
  const email = Email.safeParse(source['email']);
  const isVerified = isVerifiedEmail(provider, source);
  const { auth_time } = idToken;
  return {
    subject: String(idToken['sub']),
    email: email.success && isVerified ? email.data : undefined,
    isUnverified: email.success && !isVerified,
    name: typeof all['name'] === 'string' ? all['name'] : undefined,
    authenticatedMs: typeof auth_time === 'number' ? auth_time * 1000 : undefined,
    all,
    idToken: text.length <= ID_TOKEN_MAX_CHARS ? text : '',
  };
}

/** Entra ID has no `email_verified`: its optional claim `xms_edov` says that the domain's owner verified it. */
function isVerifiedEmail({ issuer }: Provider, claims: Record<string, unknown>): boolean {
  if (claims['email_verified'] !== undefined) return claims['email_verified'] === true;
  if (new URL(issuer).host !== 'login.microsoftonline.com') return false;
  return [true, 1, '1', 'true'].includes(claims['xms_edov'] as boolean);
}

/** A claim by its name, or by a path with dots. */
export function at(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      claims,
    );
}

/** The provider's page that ends its session; null if it has none or can't be reached. */
export async function signOutUrl(
  services: Services,
  provider: Provider,
  idToken: string | null,
): Promise<string | null> {
  const server = await discover(services, provider).catch(() => undefined);
  if (!server || !isWebUrl(server.end_session_endpoint, provider.issuer)) return null;
  const url = new URL(server.end_session_endpoint);
  url.searchParams.set('client_id', provider.client_id);
  url.searchParams.set('post_logout_redirect_uri', signedOutUrl(services));
  if (idToken) url.searchParams.set('id_token_hint', idToken);
  return url.href;
}

const DENIED = new Set(['access_denied', 'login_required', 'interaction_required', 'consent_required']);

function toRefusal(error: unknown, name: string, otherwise: string): unknown {
  if (error instanceof SignInRefused) return error;
  if (error instanceof ProviderTrouble)
    return new SignInRefused(`${name}: ${error.message}`, { status: 502, cause: error });
  if (error instanceof oauth.AuthorizationResponseError) {
    const word = wordOf(error.error);
    const words = DENIED.has(word) ? 'did not sign you in' : 'refused the sign-in';
    return new SignInRefused(`${name} ${words} (${word}).`, { cause: error });
  }
  if (error instanceof oauth.ResponseBodyError) {
    const word = wordOf(error.error);
    const hint = word === 'invalid_client' ? ' An owner has to check the client ID and the client secret.' : '';
    return new SignInRefused(`${name} refused to complete the sign-in (${word}).${hint}`, {
      status: 502,
      cause: error,
    });
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    return new SignInRefused(`${name}: ${otherwise} (${error.message}).`, { cause: error });
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new SignInRefused(`${name}: its user information could not be read.`, { status: 502, cause: error });
  if (error instanceof TypeError && 'code' in error)
    return new SignInRefused(`${name}: ${otherwise}.`, { status: 502, cause: error });
  return error;
}

const wordOf = (given: string) => (/^[\w.-]{1,60}$/.test(given) ? given : 'unknown error');
