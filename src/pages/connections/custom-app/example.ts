/** A preview of the requests of each method with the current values. It sends nothing and contains no secret. */
import type { AuthMethod } from '../../../../contract/states.ts';
import { pairsOf, wordsOf } from './pairs.ts';
import { type AppValues, type PlaceValues, placesOf } from './values.ts';

const HIDDEN = '••••••';

export type Step = { readonly title: string; readonly code: string };
export type Example = {
  /** The call that the account's code makes. */
  readonly call: string;
  /** Steps before the call: user authorization, token exchange. */
  readonly before: readonly Step[];
  /** The request that the app receives. */
  readonly request: string;
};
export type Addresses = { readonly base_url: string; readonly connect_url: string };

export function exampleOf(values: AppValues, method: AuthMethod, addresses: Addresses): Example {
  const id = values.app || '<id>';
  if (method === 'MCP') {
    const { host, path } = parted(values.MCP.server_url);
    return {
      call: `POST ${addresses.base_url}/${id}/mcp`,
      before:
        values.MCP.auth === 'token'
          ? []
          : [{ title: 'The user authorizes at the authorization server listed in', code: discoveryOf(values) }],
      request: [`POST ${path || '/'}`, `host: ${host}`, `authorization: Bearer ${HIDDEN}`].join('\n'),
    };
  }
  return {
    call: `GET ${addresses.base_url}/${id}/items?page=2`,
    before: beforeOf(values, method, addresses),
    request: requestOf(values, method),
  };
}

const discoveryOf = ({ MCP: { server_url } }: AppValues) =>
  `GET ${parted(server_url).origin}/.well-known/oauth-protected-resource`;

function requestOf(values: AppValues, method: Exclude<AuthMethod, 'MCP'>): string {
  const { host, path } = parted(values.base_url);
  const put = credentialsOf(values, method);
  const query = put
    .filter((place) => place.in === 'query')
    .map(({ name, template }) => `&${name || '<name>'}=${template}`);
  const headers = put.filter((place) => place.in === 'header');
  const defaults = Object.entries(pairsOf(values.default_headers)).filter(
    ([name]) => !headers.some((header) => header.name.toLowerCase() === name.toLowerCase()),
  );
  return [
    `GET ${path.replaceAll('{api_key}', HIDDEN)}/items?page=2${query.join('')}`,
    `host: ${host}`,
    ...defaults.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
    ...headers.map(({ name, template }) => `${name.toLowerCase() || '<name>'}: ${template}`),
  ].join('\n');
}

const OAUTH1_PARTS = ['consumer_key', 'token', 'nonce', 'timestamp', 'signature'];

/** A placed credential, with dots instead of the secret. */
function credentialsOf(values: AppValues, method: Exclude<AuthMethod, 'MCP'>): PlaceValues[] {
  switch (method) {
    case 'API_KEY': {
      const { place, more_places } = values.API_KEY;
      const own = place.in === 'address' ? [] : [{ ...place, in: place.in }];
      return [...own, ...placesOf(more_places)].map((each) => ({ ...each, template: masked(each.template) }));
    }
    case 'BASIC': {
      const place = loginPlace(values.BASIC.login);
      if (place) return [{ ...place, template: masked(place.template) }];
      return [{ in: 'header', name: 'Authorization', template: `Basic base64(${basicPair(values)})` }];
    }
    case 'JWT':
      return [{ ...values.JWT.place, template: masked(values.JWT.place.template) }];
    case 'OAUTH1': {
      const parts = OAUTH1_PARTS.map((part) => `oauth_${part}="${part === 'signature' ? HIDDEN : '…'}"`);
      const signed = [...parts, `oauth_signature_method="${values.OAUTH1.signature}"`].join(', ');
      return [{ in: 'header', name: 'Authorization', template: `OAuth ${signed}` }];
    }
    case 'OAUTH2':
      return [{ ...values.OAUTH2.place, template: masked(values.OAUTH2.place.template) }];
  }
}

/** Where the token of a login is sent; undefined without a login. */
function loginPlace(login: string): PlaceValues | undefined {
  if (login.trim() === '') return undefined;
  const usual: PlaceValues = { in: 'header', name: 'Authorization', template: 'Bearer {access_token}' };
  try {
    const { place } = JSON.parse(login) as { place?: PlaceValues };
    return typeof place?.name === 'string' && typeof place.template === 'string' ? place : usual;
  } catch {
    return usual;
  }
}

const masked = (template: string): string => template.replace(/\{\w+\}/g, HIDDEN);
const basicPair = ({ BASIC: { username_label, password_label } }: AppValues): string =>
  `<${username_label || 'User name'}>:<${password_label || 'Password'}>`;

function beforeOf(values: AppValues, method: AuthMethod, { connect_url }: Addresses): Step[] {
  const redirect = `${connect_url}/oauth/callback`;
  switch (method) {
    case 'JWT':
      return jwtSteps(values);
    case 'OAUTH1': {
      const { request_url, authorize_url, access_url } = values.OAUTH1;
      return [
        {
          title: 'Request a token',
          code: [`POST ${request_url || '<request token URL>'}`, `oauth_callback=${redirect}`].join('\n'),
        },
        { title: 'The user authorizes', code: `${authorize_url || '<authorization URL>'}?oauth_token=…` },
        { title: 'Exchange the token', code: `POST ${access_url || '<access token URL>'}` },
      ];
    }
    case 'OAUTH2':
      return oauth2Steps(values, redirect);
    default:
      return [];
  }
}

function jwtSteps({ JWT: { algorithm, header, claims, lives_seconds, exchange } }: AppValues): Step[] {
  const head = { alg: algorithm, typ: 'JWT', ...pairsOf(header) };
  const body = { ...pairsOf(claims), iat: '<now>', exp: `<now + ${lives_seconds || '600'} s>` };
  const signed: Step = { title: 'Signed token', code: `${JSON.stringify(head)}\n${JSON.stringify(body)}` };
  if (exchange.style === 'none') return [signed];
  const scopes = wordsOf(exchange.scopes);
  const sent =
    exchange.style === 'bearer'
      ? ['authorization: Bearer <the signed token>']
      : [
          'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer',
          '&assertion=<the signed token>',
          ...(scopes.length === 0 ? [] : [`&scope=${scopes.join(' ')}`]),
        ];
  const bought = {
    title: 'Exchange for an access token',
    code: [`POST ${exchange.url || '<token URL>'}`, ...sent].join('\n'),
  };
  return [signed, bought];
}

const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

function oauth2Steps({ OAUTH2 }: AppValues, redirect: string): Step[] {
  const { grant, authorize_url, device_url, subject_token_type, token_url, client_auth, pkce, scope_separator } =
    OAUTH2;
  const scopes = wordsOf(OAUTH2.scopes).join(scope_separator);
  const asked = scopes === '' ? {} : { scope: scopes };
  const agreed = {
    response_type: 'code',
    client_id: '<client ID>',
    redirect_uri: redirect,
    state: '…',
    ...asked,
    ...(pkce ? { code_challenge: '…', code_challenge_method: 'S256' } : {}),
    ...pairsOf(OAUTH2.authorize_params),
  };
  const client = client_auth === 'post' ? { client_id: '<client ID>', client_secret: HIDDEN } : {};
  const bought =
    grant === 'client_credentials'
      ? { grant_type: grant, ...asked, ...client }
      : grant === 'device_code'
        ? { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: '…', ...client }
        : grant === 'token_exchange'
          ? { grant_type: EXCHANGE_GRANT, subject_token: HIDDEN, subject_token_type, ...asked, ...client }
          : {
              grant_type: grant,
              code: '…',
              redirect_uri: redirect,
              ...client,
              ...(pkce ? { code_verifier: '…' } : {}),
            };
  const body = { ...bought, ...pairsOf(OAUTH2.token_params) };
  const token: Step = {
    title: grant === 'authorization_code' ? 'Exchange the code for a token' : 'Request an access token',
    code: [
      `POST ${token_url || '<token URL>'}`,
      ...(client_auth === 'post' ? [] : ['authorization: Basic base64(<client ID>:<client secret>)']),
      client_auth === 'json' ? JSON.stringify(body) : joined(body),
    ].join('\n'),
  };
  if (grant === 'client_credentials' || grant === 'token_exchange') return [token];
  if (grant === 'device_code') {
    const request = [`POST ${device_url || '<device authorization URL>'}`, joined({ ...client, ...asked })];
    return [{ title: 'Request a device code', code: request.join('\n') }, token];
  }
  const page = authorize_url || '<authorization URL>';
  const person = {
    title: 'The user authorizes',
    code: `${page}${page.includes('?') ? '&' : '?'}${joined(agreed)}`,
  };
  return [person, token];
}

/** Unencoded for readability. */
const joined = (params: Record<string, string>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** Splits a URL; placeholders such as {shop} are kept. */
function parted(address: string): { origin: string; host: string; path: string } {
  const readable = address.trim().replaceAll('{', '%7B').replaceAll('}', '%7D');
  const url = URL.canParse(readable) ? new URL(readable) : undefined;
  if (!url) return { origin: '<address>', host: '<host>', path: '' };
  const host = url.host.replaceAll('%7b', '{').replaceAll('%7d', '}');
  const path = url.pathname.replaceAll('%7B', '{').replaceAll('%7D', '}').replace(/\/+$/, '');
  return { origin: `${url.protocol}//${host}`, host, path };
}
