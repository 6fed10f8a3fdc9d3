import type { z } from 'zod';
import type { AppCreate, AppUpdate } from '../../../contract/apps.ts';
import { customEvents } from './custom-events.ts';
import { givenOf } from './custom-given.ts';
import {
  type AppDefinition,
  awsKeys,
  basic,
  clientCredentials,
  defineApp,
  deviceCode,
  type FieldDefinition,
  type MethodDefinition,
  oauth2,
  secret,
  secretFile,
  text,
} from './definition.ts';
import { placeholders } from './template.ts';

type Given = z.output<typeof AppCreate>;
type GivenMethod = Given['methods'][number];

/** One label of a host name, so that a value can't contain another host, port or path. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** Builds the definition of a custom app. Placeholders of its URLs become fields of the connect form. */
export function customApp(body: Given): AppDefinition {
  return defineApp({
    app: body.app,
    name: body.name,
    description: '',
    category: 'custom',
    base_url: body.base_url ?? null,
    docs_url: body.docs_url ?? null,
    default_headers: body.default_headers ?? {},
    probe: body.probe ?? null,
    methods: body.methods.map((method) => customMethod(method, body.base_url ?? '')),
    ...(body.gateway ? { gateway: body.gateway } : {}),
    ...(body.events ? customEvents(body.name, body.docs_url ?? null, body.events) : {}),
  });
}

/** The definition with the fields of a PATCH replaced. */
export function changedApp(before: AppDefinition, body: z.output<typeof AppUpdate>): AppDefinition {
  return customApp({ ...givenOf(before), ...present(body) });
}

function customMethod(given: GivenMethod, base_url: string): MethodDefinition {
  switch (given.method) {
    case 'API_KEY':
      return customKey(given, base_url);
    case 'BASIC': {
      // The API key may be either part; the other part is then empty.
      const password = { ...secret('password', given.password_label ?? 'Password', null), required: false };
      const method = basic(text('username', given.username_label ?? 'User name', null), password);
      if (!given.login) return { ...method, fields: [...fieldsOf([base_url]), ...method.fields] };
      const { place, ...login } = given.login;
      const templates = [base_url, login.url, ...Object.values(login.params), ...Object.values(login.headers)];
      const open = fieldsOf(templates, ['username', 'password']);
      return { ...method, fields: [...open, ...method.fields], login: { ...login, put: [place] } };
    }
    case 'JWT':
      return customJwt(given, base_url);
    case 'OAUTH1': {
      const { request_url, authorize_url, access_url } = given;
      const addresses = { request_url, authorize_url, access_url };
      const fields = fieldsOf([base_url, request_url, authorize_url, access_url]);
      return {
        method: 'OAUTH1',
        fields,
        ...addresses,
        signature: given.signature ?? 'HMAC-SHA1',
        authorize_params: {},
      };
    }
    case 'OAUTH2':
      return customOAuth2(given, base_url);
    case 'MCP': {
      const { server_url, auth = 'oauth' } = given;
      return { method: 'MCP', server_url, fields: [...fieldsOf([server_url]), ...MCP_FIELDS[auth]] };
    }
  }
}

function customKey(given: Extract<GivenMethod, { method: 'API_KEY' }>, base_url: string): MethodDefinition {
  const { place, more_places = [], aws } = given;
  if (aws) return awsKeys(aws.service, aws.region, fieldsOf([base_url, aws.service, aws.region]));
  const open = fieldsOf([base_url, place?.template ?? '']);
  const more = more_places
    .flatMap(({ template }) => placeholders(template))
    .filter((name, index, all) => all.indexOf(name) === index)
    .filter((name) => name !== 'api_key' && !open.some((field) => field.name === name))
    .map((name) => secret(name, labelOf(name), null));
  const put = [...(place ? [place] : []), ...more_places];
  return { method: 'API_KEY', fields: [...open, secret('api_key', 'API key', null), ...more], put };
}

/** `oauth` has no fields: the client is registered dynamically. */
const MCP_FIELDS = {
  oauth: [],
  client: [
    text('client_id', 'Client ID', null),
    { ...secret('client_secret', 'Client secret', 'Leave empty for a public client.'), required: false },
  ],
  token: [secret('token', 'Token', null)],
};

function customJwt(given: Extract<GivenMethod, { method: 'JWT' }>, base_url: string): MethodDefinition {
  const { header = {}, claims = {} } = given;
  const encoding = given.key_encoding ?? (given.algorithm === 'HS256' ? 'utf8' : 'pem');
  const pem = encoding === 'pem';
  const key = pem ? secretFile('key', 'Private key', 'In PEM.') : secret('key', 'Key', null);
  const token = given.exchange ? '{access_token}' : '{token}';
  const templates = [base_url, given.exchange?.url ?? '', ...Object.values(header), ...Object.values(claims)];
  return {
    method: 'JWT',
    fields: [...fieldsOf(templates, ['key']), key],
    token: {
      algorithm: given.algorithm,
      key: '{key}',
      key_encoding: encoding,
      header,
      claims,
      lives_seconds: given.lives_seconds ?? 600,
    },
    exchange: given.exchange
      ? {
          url: given.exchange.url,
          style: given.exchange.style ?? 'rfc7523',
          scopes: given.exchange.scopes ?? [],
          token_name: given.exchange.style === 'bearer' ? 'token' : 'access_token',
          capture: {},
        }
      : null,
    put: [given.place ?? { in: 'header', name: 'Authorization', template: `Bearer ${token}` }],
  };
}

function customOAuth2(given: Extract<GivenMethod, { method: 'OAUTH2' }>, base_url: string): MethodDefinition {
  const { method: _, grant, authorize_url = '', device_url = '', place, ...rest } = given;
  const fields = fieldsOf([
    base_url,
    authorize_url,
    device_url,
    given.token_url,
    given.refresh_url ?? '',
    ...Object.values(given.authorize_params ?? {}),
    ...Object.values(given.token_params ?? {}),
  ]);
  const settings = { ...present(rest), fields, ...(place ? { put: [place] } : {}) };
  if (grant === 'client_credentials') return clientCredentials(settings);
  if (grant === 'token_exchange') return tokenExchange(settings);
  return grant === 'device_code' ? deviceCode({ ...settings, device_url }) : oauth2({ ...settings, authorize_url });
}

/** A token of another issuer, which the user enters and the app exchanges for an access token (RFC 8693). */
function tokenExchange(given: Omit<Parameters<typeof oauth2>[0], 'authorize_url'>): MethodDefinition {
  const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
  const fields = [...(given.fields ?? []), secret('subject_token', 'Subject token', null)];
  const method = oauth2({ subject_token_type, ...given, authorize_url: '', pkce: false, fields });
  return { ...method, grant: 'token_exchange' };
}

/** Removes undefined values, so that they don't override defaults. */
const present = <T extends object>(map: T) =>
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const DERIVED = ['api_key', 'token', 'access_token', 'client_id', 'client_secret', 'key', 'subject_token'];

/** One field for each placeholder. A value in a URL is limited to one label, so that it can't span several parts. */
function fieldsOf(templates: string[], without: string[] = []): FieldDefinition[] {
  const names = new Set(templates.flatMap(placeholders));
  return [...names]
    .filter((name) => !DERIVED.includes(name) && !without.includes(name))
    .map((name) => {
      const where = templates.find((template) => template.includes(`{${name}}`)) ?? '';
      const help = where === `{${name}}` ? null : `Fills {${name}} in ${where}`;
      return text(name, labelOf(name), help, isInAddress(name, templates) ? LABEL : null);
    });
}

const isInAddress = (name: string, templates: string[]) =>
  templates.some((template) => /^https?:/i.test(template) && template.includes(`{${name}}`));

const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
