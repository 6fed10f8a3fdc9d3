import { RE2JS } from 're2js';
import type { AuthMethod } from '../../../contract/states.ts';
import { SIGV4_HEADERS } from '../auth-methods/sigv4.ts';
import type {
  AppDefinition,
  BasicMethod,
  FieldDefinition,
  GatewayDefinition,
  Login,
  MethodDefinition,
  Placement,
} from './definition.ts';
import { dottedTypes } from './event-names.ts';
import { withBlanks } from './fields.ts';
import { fill, placeholders } from './template.ts';

/** An invalid definition; the message starts with the path of the field. */
export class AppMistake extends Error {
  override name = 'AppMistake';
}

export type Place = {
  origin: string;
  host: string;
  /** Prefix of the native path, without a trailing slash. For an MCP server: its whole path, unchanged. */
  base_path: string;
};

/** Where and how the gateway calls an app with one connection's credentials. */
export type Target = Place & {
  /** An MCP server has a single URL and no native paths. */
  mcp: boolean;
  /** Alternating names and values, as sent. */
  headers: string[];
  /** Lower-case names of headers that are dropped from the caller's request. */
  replaced: ReadonlySet<string>;
  query: [name: string, value: string][];
  /** Sent if the caller does not send a header of that (lower-case) name. */
  defaults: [lower: string, name: string, value: string][];
  /** Where clients of the app send their credential, as `header x-key` or `query key`. */
  keyPlaces: ReadonlySet<string>;
  /** The app's further hosts, by name. */
  hosts: ReadonlyMap<string, Place>;
  gateway: GatewayDefinition;
};

/** Values for templates: entered fields, tokens, and values captured from token responses. */
export type Values = Record<string, string>;

export type CompiledApp = {
  definition: AppDefinition;
  /** As in `Target`. */
  keyPlaces: ReadonlySet<string>;
  method<M extends AuthMethod>(method: M): Extract<MethodDefinition, { method: M }> | undefined;
  /** The target of a call with these values; undefined for an app without an API. Throws if the URL is invalid. */
  target(method: AuthMethod, values: Values): Target | undefined;
};

const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Headers that frame the request or belong to the service. */
const FRAMING =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|cookie|proxy-.*|service-.*)$/i;

/** Compiles a definition; throws `AppMistake` if it is invalid. */
export function compileApp(definition: AppDefinition): CompiledApp {
  const methods = new Map<AuthMethod, { method: MethodDefinition; base: Base | null; put: Placement[] }>();
  for (const [index, method] of definition.methods.entries()) {
    const at = `methods.${index}`;
    if (methods.has(method.method)) throw new AppMistake(`${at}.method: ${method.method} is listed twice`);
    const address = addressOf(definition, method);
    if (address === null) throw new AppMistake('base_url: required for an app with methods');
    const named = nameOfAddress(at, method);
    const base = readBase(named, address, method.method === 'MCP');
    const put = placementsOf(method);
    checkMethod(at, method, address, base, put);
    methods.set(method.method, { method, base, put });
  }
  if (definition.base_url !== null && methods.size === 0) readBase('base_url', definition.base_url);
  if (definition.hooks.length > 0 && [...methods.keys()].every((method) => method === 'MCP'))
    throw new AppMistake('events.registration: not supported when every method is MCP');
  const names = dottedTypes(definition).map(({ event_type }) => event_type);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new AppMistake(`events.types: two event types have the name ${twice}`);
  const defaults = Object.entries(definition.default_headers).map(([name, value]): Target['defaults'][number] => [
    name.toLowerCase(),
    name,
    value,
  ]);
  for (const [, name] of defaults) checkHeaderName('default_headers', name);
  const { gateway } = definition;
  const hosts = new Map(Object.entries(gateway.hosts).map(([name, url]) => [name, furtherHost(name, url)]));
  const keyPlaces = new Set(
    [...methods.values()].flatMap(({ put }) =>
      put.map((place) => (place.in === 'header' ? `header ${place.name.toLowerCase()}` : `query ${place.name}`)),
    ),
  );

  return {
    definition,
    keyPlaces,
    method: <M extends AuthMethod>(name: M) =>
      methods.get(name)?.method as Extract<MethodDefinition, { method: M }> | undefined,
    target(name, values) {
      const known = methods.get(name);
      if (!known?.base) return undefined;
      const { method, base } = known;
      const put = method.method === 'MCP' && values['access_token'] === undefined ? [] : known.put;
      const headers = put
        .filter((place) => place.in === 'header')
        .flatMap((place) => [place.name, fill(place.template, values)]);
      if (method.method === 'BASIC' && !method.login) headers.push('Authorization', basicHeader(method, values));
      return {
        ...resolve(base, values),
        mcp: method.method === 'MCP',
        headers,
        // For every method: the caller's Authorization header authenticates to the service, not to the app.
        replaced: new Set([
          'authorization',
          ...headers.filter((_, i) => i % 2 === 0).map((header) => header.toLowerCase()),
          ...(method.method === 'API_KEY' && method.aws ? SIGV4_HEADERS : []),
        ]),
        query: put.filter((place) => place.in === 'query').map((place) => [place.name, fill(place.template, values)]),
        defaults,
        keyPlaces,
        hosts,
        gateway,
      };
    },
  };
}

/** `asWritten` keeps a trailing slash, which is part of an MCP server's URL. */
type Base = { origin: string; path: string; asWritten: boolean };

const addressOf = (definition: AppDefinition, method: MethodDefinition) =>
  method.method === 'MCP' ? method.server_url : (method.base_url ?? definition.base_url);

/** Path of that URL in the definition. */
const nameOfAddress = (at: string, method: MethodDefinition) => {
  if (method.method === 'MCP') return `${at}.server_url`;
  return method.base_url === undefined ? 'base_url' : `${at}.base_url`;
};

/** Omitted for an MCP server without authorization. */
const BEARER: Placement = { in: 'header', name: 'Authorization', template: 'Bearer {access_token}' };

/** OAuth 1 signs each request when it is sent, and Basic needs more than a template. */
function placementsOf(method: MethodDefinition): Placement[] {
  if (method.method === 'BASIC') return method.login?.put ?? [];
  if (method.method === 'OAUTH1') return [];
  return method.method === 'MCP' ? [BEARER] : method.put;
}

/** Names that templates may use besides the fields: tokens, and values captured from token responses. */
function derivedOf(method: MethodDefinition): string[] {
  if (method.method === 'OAUTH2') return ['access_token', ...Object.keys(method.capture)];
  if (method.method === 'JWT')
    return method.exchange ? ['access_token', ...Object.keys(method.exchange.capture)] : ['token'];
  if (method.method === 'API_KEY' || method.method === 'BASIC') return method.login ? ['access_token'] : [];
  return method.method === 'MCP' ? ['access_token'] : [];
}

/** RFC 7617, in UTF-8. Either part may be empty if its field is optional. */
function basicHeader({ username, password, fields }: BasicMethod, values: Values): string {
  const whole = withBlanks(fields, values);
  return `Basic ${Buffer.from(`${fill(username, whole)}:${fill(password, whole)}`).toString('base64')}`;
}

/** Splits a URL template into origin and path, placeholders included, so that a host name is never read as a path. */
function readBase(at: string, base_url: string, asWritten = false): Base {
  // A token response may provide scheme and host together.
  const [, whole, rest = ''] = /^(\{\w+\})(\/.*)?$/.exec(base_url) ?? [];
  const readable = whole ? `https://whole.invalid${rest}` : base_url;
  if (!URL.canParse(readable)) throw new AppMistake(`${at}: expected an absolute http or https URL`);
  const url = new URL(readable);
  if (!/^https?:$/.test(url.protocol)) throw new AppMistake(`${at}: expected an absolute http or https URL`);
  if (url.search || url.hash || url.username) throw new AppMistake(`${at}: expected no ?, # or user name in it`);
  const written = (whole ? rest : url.pathname).replace(/%7B(\w+)%7D/gi, '{$1}');
  const path = asWritten ? written : withoutSlash(written);
  return { origin: whole ?? `${url.protocol}//${url.host}`, path, asWritten };
}

/** A further host of an app. It gets the credentials, so no value that a user enters is part of it. */
function furtherHost(name: string, url: string): Place {
  const at = `gateway.hosts.${name}`;
  if (placeholders(url).length > 0) throw new AppMistake(`${at}: expected no placeholders`);
  return resolve(readBase(at, url), {});
}

function resolve(base: Base, values: Values): Place {
  const address = fill(base.origin, values);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AppMistake(`fields: expected values that form a valid URL, not ${address.slice(0, 200)}`);
  const own = base.origin.startsWith('{') ? url.pathname : '';
  const path = base.asWritten && base.path === '' ? own : withoutSlash(own) + fill(base.path, values, encodeSegment);
  return { origin: url.origin, host: url.host, base_path: path };
}

const withoutSlash = (path: string) => path.replace(/\/+$/, '');

function checkMethod(at: string, method: MethodDefinition, address: string, base: Base, put: Placement[]): void {
  const fields = new Map(method.fields.map((field) => [field.name, field]));
  if (fields.size !== method.fields.length) throw new AppMistake(`${at}.fields: expected each name once`);
  const derived = new Set(derivedOf(method));
  for (const field of method.fields) {
    if (!/^\w+$/.test(field.name) || derived.has(field.name))
      throw new AppMistake(`${at}.fields: ${field.name} can't be the name of a field`);
    if (field.pattern !== null) RE2JS.compile(field.pattern);
  }
  const need = (where: string, template: string, mayBeBlank = false) => {
    for (const name of placeholders(template)) {
      const field = fields.get(name);
      if (!(field && (field.required || field.default !== undefined || mayBeBlank)) && !derived.has(name))
        throw new AppMistake(`${where}: {${name}} names no field that must be filled in`);
    }
  };
  const named = nameOfAddress(at, method);
  need(named, address);
  checkHost(named, base.origin, fields, derived);
  for (const [index, place] of put.entries()) checkPlacement(`${at}.put.${index}`, place, fields, need);
  const templates = templatesOf(method);
  for (const [name, template] of templates)
    need(`${at}.${name}`, template, method.method === 'BASIC' || name === 'aws.session_token');
  for (const [name, template] of templates)
    if (/_url$|\.url$/.test(name)) checkAddress(`${at}.${name}`, template, fields);
  const used = new Set(
    [address, ...put.map((place) => place.template), ...templates.map(([, t]) => t)].flatMap(placeholders),
  );
  const idle = method.fields.find((field) => !used.has(field.name) && !isSentByMethod(method, field));
  if (idle) throw new AppMistake(`${at}.fields: ${idle.name} is never sent`);
}

/** The method itself sends the fields of client credentials, of a token to exchange and of a static MCP token. */
const isSentByMethod = ({ method }: MethodDefinition, { name }: FieldDefinition) =>
  (['OAUTH2', 'MCP'].includes(method) && ['client_id', 'client_secret'].includes(name)) ||
  (method === 'OAUTH2' && name === 'subject_token') ||
  (method === 'MCP' && name === 'token');

const under = (name: string, map: Record<string, string>): [string, string][] =>
  Object.entries(map).map(([key, template]) => [`${name}.${key}`, template]);
const loginTemplates = ({ url, params, headers }: Login): [name: string, template: string][] => [
  ['login.url', url],
  ...under('login.params', params),
  ...under('login.headers', headers),
];

/** Every other template of a method, by its path in the definition. */
function templatesOf(method: MethodDefinition): [name: string, template: string][] {
  switch (method.method) {
    case 'MCP':
      return [];
    case 'API_KEY':
      return [...(method.aws ? under('aws', method.aws) : []), ...(method.login ? loginTemplates(method.login) : [])];
    case 'BASIC':
      return [
        ['username', method.username],
        ['password', method.password],
        ...(method.login ? loginTemplates(method.login) : []),
      ];
    case 'JWT':
      return [
        ['token.key', method.token.key],
        ...under('token.header', method.token.header),
        ...under('token.claims', method.token.claims),
        ...(method.exchange ? [['exchange.url', method.exchange.url] as [string, string]] : []),
      ];
    case 'OAUTH1':
      return [
        ['request_url', method.request_url],
        ['authorize_url', method.authorize_url],
        ['access_url', method.access_url],
      ];
    case 'OAUTH2':
      return [
        ...(method.grant === 'authorization_code' ? [['authorize_url', method.authorize_url] as [string, string]] : []),
        ...(method.grant === 'device_code' ? [['device_url', method.device_url ?? ''] as [string, string]] : []),
        ['token_url', method.token_url],
        ...(method.refresh_url ? [['refresh_url', method.refresh_url] as [string, string]] : []),
        ...under('authorize_params', method.authorize_params),
        ...under('token_params', method.token_params),
      ];
  }
}

/** Every URL of the definition that the service connects to, by its path in the definition. */
export function addressesOf(definition: AppDefinition): [name: string, address: string][] {
  const base: [string, string][] = definition.base_url === null ? [] : [['base_url', definition.base_url]];
  const hosts = Object.entries(definition.gateway.hosts).map(([name, url]): [string, string] => [
    `gateway.hosts.${name}`,
    url,
  ]);
  return [
    ...base,
    ...hosts,
    ...definition.methods.flatMap((method, index): [string, string][] => {
      const own = method.method === 'MCP' ? method.server_url : method.base_url;
      const named = templatesOf(method).filter(([name]) => /_url$|\.url$/.test(name) && name !== 'authorize_url');
      const all: [string, string][] = own
        ? [[method.method === 'MCP' ? 'server_url' : 'base_url', own], ...named]
        : named;
      return all.map(([name, address]) => [`methods.${index}.${name}`, address]);
    }),
  ];
}

type Fields = Map<string, FieldDefinition>;

/** Checks a URL that the service itself requests: it must be absolute, and no entered value may choose its host. */
function checkAddress(at: string, template: string, fields: Fields): void {
  const host = /^https?:\/\/([^/?#]+)/i.exec(template)?.[1];
  if (!host || host.includes('@')) throw new AppMistake(`${at}: expected an absolute http or https URL`);
  checkHost(at, host, fields, new Set());
}

/** Without a pattern, the entered value could contain another host, port or path. */
function checkHost(at: string, host: string, fields: Fields, derived: Set<string>): void {
  for (const name of placeholders(host)) {
    if (derived.has(name) ? host !== `{${name}}` : !fields.get(name)?.pattern)
      throw new AppMistake(`${at}: {${name}} is in the host and its field has no pattern`);
  }
}

function checkPlacement(
  at: string,
  place: Placement,
  fields: Fields,
  need: (where: string, template: string) => void,
): void {
  if (place.in === 'header') checkHeaderName(`${at}.name`, place.name);
  if (!/^[\x20-\x7e]+$/.test(place.template)) throw new AppMistake(`${at}.template: expected printable characters`);
  need(`${at}.template`, place.template);
  if (placeholders(place.template).some((name) => fields.get(name)?.type === 'multiline'))
    throw new AppMistake(`${at}.template: expected fields of one line`);
}

function checkHeaderName(at: string, name: string): void {
  if (!NAME.test(name) || FRAMING.test(name)) throw new AppMistake(`${at}: ${name} is not a header an app may be sent`);
}

/** Colons stay unencoded: they are allowed in a path segment, and some keys contain one. */
const encodeSegment = (value: string) => encodeURIComponent(value).replaceAll('%3A', ':');
