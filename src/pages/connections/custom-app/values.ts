/**
 * Form values of a custom app. Every method keeps its fields while unused, so that removing and re-adding a method
 * loses nothing. Lists and maps are text, one entry per line.
 */
import { AUTH_METHODS, type AuthMethod } from '../../../../contract/states.ts';
import type { App } from '../../../api/entities.ts';
import type { CallInput } from '../../../api/operation.ts';
import { type EventValues, eventNamed, eventsBodyOf, eventValuesOf, newEvents } from './event-values.ts';
import { type GatewayValues, gatewayBodyOf, gatewayValuesOf, newGateway } from './gateway-values.ts';
import { linesOf, pairsOf, textOf, wordsOf } from './pairs.ts';

export type AppBody = CallInput<'appCreate'>['body'];
type MethodBody = AppBody['methods'][number];
type Of<M extends AuthMethod> = Extract<MethodBody, { method: M }>;
type Definition = NonNullable<App['definition']>;

export type PlaceValues = { in: 'header' | 'query'; name: string; template: string };
export type KeyPlaceValues = Omit<PlaceValues, 'in'> & { in: 'header' | 'query' | 'address' };

export type AppValues = {
  name: string;
  app: string;
  base_url: string;
  docs_url: string;
  default_headers: string;
  probe: string;
  uses: AuthMethod[];
  API_KEY: { place: KeyPlaceValues; more_places: string };
  /** `login` is JSON text. */
  BASIC: { username_label: string; password_label: string; login: string };
  JWT: {
    algorithm: Of<'JWT'>['algorithm'];
    key_encoding: 'utf8' | 'hex' | 'base64';
    header: string;
    claims: string;
    lives_seconds: string;
    exchange: { style: 'none' | 'rfc7523' | 'bearer'; url: string; scopes: string };
    place: PlaceValues;
  };
  OAUTH1: {
    request_url: string;
    authorize_url: string;
    access_url: string;
    signature: NonNullable<Of<'OAUTH1'>['signature']>;
  };
  OAUTH2: {
    grant: NonNullable<Of<'OAUTH2'>['grant']>;
    authorize_url: string;
    device_url: string;
    subject_token_type: string;
    token_url: string;
    refresh_url: string;
    client_auth: NonNullable<Of<'OAUTH2'>['client_auth']>;
    pkce: boolean;
    scopes: string;
    scope_separator: ' ' | ',';
    authorize_params: string;
    token_params: string;
    place: PlaceValues;
  };
  MCP: { server_url: string; auth: NonNullable<Of<'MCP'>['auth']> };
  events: EventValues;
  gateway: GatewayValues;
  /** Paths of an OpenAPI document, as JSON text; empty if they stay as they are. */
  paths: string;
};

/** The common convention for each place of the key. */
export const USUAL: Record<KeyPlaceValues['in'], KeyPlaceValues> = {
  header: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' },
  query: { in: 'query', name: 'api_key', template: '{api_key}' },
  address: { in: 'address', name: '', template: '' },
};
const BEARER: PlaceValues = { in: 'header', name: 'Authorization', template: 'Bearer {access_token}' };

export const newApp = (name = ''): AppValues => ({
  name,
  app: '',
  base_url: '',
  docs_url: '',
  default_headers: '',
  probe: '',
  uses: ['API_KEY'],
  API_KEY: { place: USUAL.header, more_places: '' },
  BASIC: { username_label: '', password_label: '', login: '' },
  JWT: {
    algorithm: 'RS256',
    key_encoding: 'utf8',
    header: '',
    claims: 'iss: {issuer}',
    lives_seconds: '600',
    exchange: { style: 'none', url: '', scopes: '' },
    place: { in: 'header', name: 'Authorization', template: 'Bearer {token}' },
  },
  OAUTH1: { request_url: '', authorize_url: '', access_url: '', signature: 'HMAC-SHA1' },
  OAUTH2: {
    grant: 'authorization_code',
    authorize_url: '',
    device_url: '',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_url: '',
    refresh_url: '',
    client_auth: 'post',
    pkce: true,
    scopes: '',
    scope_separator: ' ',
    authorize_params: '',
    token_params: '',
    place: BEARER,
  },
  MCP: { server_url: '', auth: 'oauth' },
  events: newEvents(),
  gateway: newGateway(),
  paths: '',
});

/** `Order ledger (EU)` → `order-ledger-eu`. */
export function idFrom(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
}

/** The used methods in the API's order: a rejection refers to a method by its index. */
export const usedOf = ({ uses }: Pick<AppValues, 'uses'>): AuthMethod[] =>
  AUTH_METHODS.filter((method) => uses.includes(method));

const orNull = (text: string): string | null => (text === '' ? null : text);

/** The body of `POST /apps`. */
export function bodyOf(values: AppValues): AppBody {
  return {
    app: values.app,
    name: values.name,
    base_url: orNull(values.base_url),
    docs_url: orNull(values.docs_url),
    default_headers: pairsOf(values.default_headers),
    probe: values.probe === '' ? null : { path: values.probe },
    methods: usedOf(values).map((method) => METHOD_BODY[method](values)),
    events: eventsBodyOf(values.events),
    gateway: gatewayBodyOf(values.gateway),
    ...(values.paths === '' ? {} : { paths: JSON.parse(values.paths) as NonNullable<AppBody['paths']> }),
  };
}

const METHOD_BODY: Record<AuthMethod, (values: AppValues) => MethodBody> = {
  API_KEY: ({ API_KEY: { place, more_places } }) => {
    const more = placesOf(more_places);
    return {
      method: 'API_KEY',
      ...(place.in === 'address' ? {} : { place: { ...place, in: place.in } }),
      ...(more.length === 0 ? {} : { more_places: more }),
    };
  },
  BASIC: ({ BASIC: { username_label, password_label, login } }) => ({
    method: 'BASIC',
    ...(username_label === '' ? {} : { username_label }),
    ...(password_label === '' ? {} : { password_label }),
    ...(login.trim() === '' ? {} : { login: JSON.parse(login) as NonNullable<Of<'BASIC'>['login']> }),
  }),
  JWT: ({ JWT: { algorithm, key_encoding, header, claims, lives_seconds, exchange, place } }) => ({
    method: 'JWT',
    algorithm,
    ...(algorithm === 'HS256' ? { key_encoding } : {}),
    header: pairsOf(header),
    claims: pairsOf(claims),
    lives_seconds: Number(lives_seconds),
    exchange:
      exchange.style === 'none' ? null : { url: exchange.url, style: exchange.style, scopes: wordsOf(exchange.scopes) },
    place,
  }),
  OAUTH1: ({ OAUTH1 }) => ({ method: 'OAUTH1', ...OAUTH1 }),
  OAUTH2: ({ OAUTH2 }) => {
    const {
      authorize_url,
      device_url,
      subject_token_type,
      refresh_url,
      scopes,
      authorize_params,
      token_params,
      ...rest
    } = OAUTH2;
    const person = rest.grant === 'authorization_code';
    return {
      method: 'OAUTH2',
      ...rest,
      pkce: person && rest.pkce,
      ...(person ? { authorize_url, authorize_params: pairsOf(authorize_params) } : {}),
      ...(rest.grant === 'device_code' ? { device_url } : {}),
      ...(rest.grant === 'token_exchange' ? { subject_token_type } : {}),
      refresh_url: orNull(refresh_url),
      scopes: wordsOf(scopes),
      token_params: pairsOf(token_params),
    };
  },
  MCP: ({ MCP }) => ({ method: 'MCP', ...MCP }),
};

const PLACE = /^\s*(header|query)\s+([^\s:=]+)\s*[:=]\s*(.+?)\s*$/i;

/** `header X-App-Id: {app_id}`, one a line. */
export function placesOf(text: string): PlaceValues[] {
  return linesOf(text).flatMap(({ line }) => {
    const [, where, name, template] = PLACE.exec(line) ?? [];
    if (where === undefined || name === undefined || template === undefined) return [];
    return [{ in: where.toLowerCase() === 'query' ? ('query' as const) : ('header' as const), name, template }];
  });
}

export function placesProblem(text: string): string | undefined {
  const wrong = linesOf(text).find(({ line }) => !PLACE.test(line));
  return (
    wrong &&
    `Line ${wrong.number}: expected header or query, a name, a colon and a value, such as header X-App-Id: {app_id}`
  );
}

/** The form's values of an existing app. */
export function valuesOf({ methods, probe, ...app }: Definition): AppValues {
  const values: AppValues = {
    ...newApp(),
    name: app.name,
    app: app.app,
    base_url: app.base_url ?? '',
    docs_url: app.docs_url ?? '',
    default_headers: textOf(app.default_headers),
    probe: probe?.path ?? '',
    uses: methods.map(({ method }) => method),
    events: eventValuesOf(app.events),
    gateway: gatewayValuesOf(app.gateway),
  };
  const described = methods.map((method) => [method.method, methodValues(method, values)] as const);
  return { ...values, ...Object.fromEntries(described) };
}

function methodValues(method: Definition['methods'][number], known: AppValues): AppValues[AuthMethod] {
  switch (method.method) {
    case 'API_KEY':
      return {
        place: method.place ?? USUAL.address,
        more_places: (method.more_places ?? []).map((each) => `${each.in} ${each.name}: ${each.template}`).join('\n'),
      };
    case 'BASIC':
      return {
        username_label: method.username_label ?? '',
        password_label: method.password_label ?? '',
        login: method.login ? JSON.stringify(method.login, null, 2) : '',
      };
    case 'JWT':
      return {
        algorithm: method.algorithm,
        key_encoding: method.key_encoding === undefined || method.key_encoding === 'pem' ? 'utf8' : method.key_encoding,
        header: textOf(method.header),
        claims: textOf(method.claims),
        lives_seconds: String(method.lives_seconds ?? 600),
        exchange: method.exchange
          ? {
              style: method.exchange.style ?? 'rfc7523',
              url: method.exchange.url,
              scopes: (method.exchange.scopes ?? []).join(' '),
            }
          : known.JWT.exchange,
        place: method.place ?? known.JWT.place,
      };
    case 'OAUTH1': {
      const { request_url, authorize_url, access_url, signature = 'HMAC-SHA1' } = method;
      return { request_url, authorize_url, access_url, signature };
    }
    case 'OAUTH2':
      return {
        grant: method.grant ?? 'authorization_code',
        authorize_url: method.authorize_url ?? '',
        device_url: method.device_url ?? '',
        subject_token_type: method.subject_token_type ?? known.OAUTH2.subject_token_type,
        token_url: method.token_url,
        refresh_url: method.refresh_url ?? '',
        client_auth: method.client_auth ?? 'post',
        pkce: method.pkce ?? true,
        scopes: (method.scopes ?? []).join(' '),
        scope_separator: method.scope_separator ?? ' ',
        authorize_params: textOf(method.authorize_params),
        token_params: textOf(method.token_params),
        place: method.place ?? BEARER,
      };
    case 'MCP':
      return { server_url: method.server_url, auth: method.auth ?? 'oauth' };
  }
}

/** The changed fields only, so that a concurrent change to another field is kept. */
export function changesOf(before: AppBody, after: AppBody): CallInput<'appUpdate'>['body'] {
  const { app: _, ...given } = after;
  const was: Partial<Record<string, unknown>> = before;
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name])),
  );
}

/** The rejection with field paths of the form: `methods.1.token_url: …` refers to the second used method. */
export function formNamed(message: string, uses: readonly AuthMethod[]): string {
  return eventNamed(message)
    .replace(/^methods\.(\d+)(?:\.method)?:/, 'uses:')
    .replace(/^methods\.(\d+)\.(?:token\.)?/, (whole, index: string) => {
      const method = uses[Number(index)];
      return method === undefined ? whole : `${method}.`;
    })
    .replace(/^methods:/, 'uses:');
}
