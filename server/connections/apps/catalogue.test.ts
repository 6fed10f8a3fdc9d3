import oauth from 'grant/config/oauth.json' with { type: 'json' };
import * as icons from 'simple-icons';
import { describe, expect, it } from 'vitest';
import { AppId } from '../../../contract/apps.ts';
import { RESERVED_SEGMENTS } from '../../../contract/routes.ts';
import { describe as describeApp } from './apps.ts';
import { catalogue } from './catalogue.ts';
import { AppMistake, addressesOf, compileApp } from './compile.ts';
import {
  type AppDefinition,
  basic,
  bearerKey,
  clientCredentials,
  defineApp,
  type FieldDefinition,
  type MethodDefinition,
  oauth2,
  secret,
  text,
} from './definition.ts';
import { checkFields } from './fields.ts';
import { fill, placeholders } from './template.ts';

/** Sample values: the first that matches the pattern of a field is used. */
const SAMPLES = [
  ...['typed', 'typed_1', '12345', 'us1', 'datadoghq.eu', 'app.example.com', 'https://app.example.com/mcp'],
  ...[
    '123:typed',
    'sk_test_1',
    'pk_1',
    'SG.a.b',
    '11111111-2222-3333-4444-555555555555',
    'a@example.com',
    'US',
    'ABC123',
  ],
  'eu',
  'eu-central-1',
  'acme.okta.com',
  'payments',
];
function typedOf(field: FieldDefinition): string {
  const fits = (value: string) => checkFields([field], { [field.name]: value }).problems.length === 0;
  const sample = [`typed-${field.name}`, ...SAMPLES].find(fits);
  if (sample === undefined) throw new Error(`no sample fits ${field.name}: ${field.pattern}`);
  return sample;
}
/** Values of a token response, including captured ones. */
function derivedOf(method: MethodDefinition): Record<string, string> {
  const reply = method.method === 'OAUTH2' ? method : method.method === 'JWT' ? method.exchange : null;
  const captured = Object.keys(reply?.capture ?? {}).map((name) => [name, 'https://captured.example.com']);
  return { access_token: 'bought', token: 'signed', ...Object.fromEntries(captured) };
}
const authorizeUrlOf = (method: MethodDefinition) =>
  method.method === 'OAUTH1' || (method.method === 'OAUTH2' && method.grant === 'authorization_code')
    ? method.authorize_url
    : null;

describe.each([...catalogue])('%s', (id, app) => {
  const { definition } = app;

  it('has an id that fits in a path, and a link to its documentation', () => {
    expect(AppId.safeParse(id).success).toBe(true);
    expect(RESERVED_SEGMENTS).not.toContain(id);
    expect(definition.app).toBe(id);
    expect(definition.name).not.toBe('');
    expect(definition.description).toMatch(/^\S.*\.$/);
    if (definition.methods.length > 0) expect(definition.docs_url).toMatch(/^https:\/\//);
    if (definition.webhook) expect(definition.webhook.docs_url).toMatch(/^https:\/\//);
  });

  it('has an icon of simple-icons, or none', () => {
    if (definition.icon !== null) expect(icons).toHaveProperty(definition.icon);
  });

  it('uses TLS only, except an MCP server whose URL a user enters', () => {
    const all = [...addressesOf(definition).map(([, address]) => address), ...definition.methods.map(authorizeUrlOf)];
    const own = all.filter((address) => address !== null && address !== '{server_url}');
    for (const address of own) expect(address).toMatch(/^(?:https:\/\/|\{\w+\}(?:\/|$))/);
  });

  it('hides every secret field, and has no field for the client of an app', () => {
    for (const method of definition.methods) {
      for (const { name, secret, type } of method.fields) {
        if (/(?:^|_)(?:key|secret|token|password)$/.test(name)) expect(secret, name).toBe(true);
        expect(['password', 'multiline'].includes(type), name).toBe(secret);
        if (authorizeUrlOf(method) !== null) expect(['client_id', 'client_secret']).not.toContain(name);
      }
    }
  });

  it('sends all entered values, to its own host only', () => {
    for (const method of definition.methods) {
      const typed = Object.fromEntries(method.fields.map((field) => [field.name, typedOf(field)]));
      const { values, problems } = checkFields(method.fields, typed);
      expect(problems).toEqual([]);
      const target = app.target(method.method, { ...derivedOf(method), ...values });
      expect(target?.origin).toMatch(/^https:\/\//);
      const sent = JSON.stringify([target, Buffer.from(target?.headers[1]?.split(' ')[1] ?? '', 'base64').toString()]);
      const isKey = method.method === 'API_KEY' || method.method === 'BASIC';
      // A login gets the values, and calls have its token.
      if (isKey && method.login) {
        const { url, params } = method.login;
        expect(new URL(fill(url, values)).origin).toBe(target?.origin);
        expect(Object.values(params).flatMap(placeholders).sort()).toEqual(
          method.fields
            .map(({ name }) => name)
            .filter((name) => !url.includes(`{${name}}`))
            .sort(),
        );
      }
      const isSigned = method.method === 'API_KEY' && method.aws !== undefined;
      const whole = isKey && !isSigned && !method.login ? Object.values(values) : [];
      for (const value of whole) expect(sent).toContain(value);
    }
  });

  it('has a probe below its base URL, with a JSON body', () => {
    const { probe } = definition;
    if (!probe) return;
    expect(probe.path).toMatch(/^\/[^\s{}]*$/);
    expect(definition.methods).not.toEqual([]);
    if (probe.body !== null) expect(() => JSON.parse(probe.body ?? '')).not.toThrow();
  });

  it('has two references for its facts', () => {
    if (definition.methods.length === 0) return;
    const { vendor, others } = evidenceOf(definition);
    expect(definition.evidence?.verified).toMatch(/^20\d\d-\d\d(?:-\d\d)?$/);
    expect(others).not.toEqual([]);
    expect(new Set([...vendor, ...others].map((each) => each.split(' ')[0])).size).toBeGreaterThan(1);
    for (const reference of [...vendor, ...others]) expect(reference).toMatch(REFERENCE);
    expect(others.filter((each) => vendor.includes(each))).toEqual([]);
  });

  it('has references for a push source, and a match for each parameter', () => {
    const { source, event_types } = definition;
    if (source?.transport !== 'push' || source.checked !== 'webhook') return;
    for (const reference of source.docs?.facts ?? ['none']) expect(reference).toMatch(REFERENCE);
    const parameters = event_types.flatMap((each) => Object.keys(each.parameters['properties'] as object));
    expect(Object.keys(source.match).sort()).toEqual([...new Set(parameters)].sort());
  });

  it('does not return data that is for the docs pages only', () => {
    const reply = JSON.stringify(describeApp(definition, false, new Map()));
    const { vendor, others } = evidenceOf(definition);
    for (const path of [...vendor, ...others].filter((each) => !each.startsWith('http')))
      expect(reply).not.toContain(path);
    expect(reply).not.toMatch(/"(?:evidence|docs)":/);
  });
});

const evidenceOf = ({ evidence }: AppDefinition): { vendor: readonly string[]; others: readonly string[] } =>
  evidence ?? { vendor: [], others: [] };
/** A URL, or a path in a public repository as `owner/repo path`. */
const REFERENCE = /^(?:https?:\/\/\S+|[\w.-]+\/[\w.-]+ \S+)$/;

it('has at least three hundred apps with an API', () => {
  const called = [...catalogue.values()].filter(({ definition }) => definition.methods.length > 0);
  expect(called.length).toBeGreaterThanOrEqual(300);
});

const grant: Record<string, { request_url?: string; authorize_url?: string; access_url?: string }> = oauth;
/** The name of a provider in grant, if it differs from the app's ID. */
const ALIASES: Record<string, string> = {
  confluence: 'atlassian',
  'google-calendar': 'google',
  'google-drive': 'google',
  'google-mail': 'google',
  'google-sheets': 'google',
  jira: 'atlassian',
};
/** Intended differences from grant, with the reason. */
const DEVIATIONS: Record<string, string> = {
  box: 'the authorize address moved to account.box.com',
  discord: 'the authorize address is documented without /api, and both work',
  figma: 'grant has the token address of before, Figma’s specification the one below its API',
  microsoft: 'grant has common only; an app that is registered for one tenant needs its own',
  pinterest: 'grant has the OAuth of version 1 of the API, and the API is at version 5',
  reddit: 'grant has the host of a time before all of Reddit was encrypted',
  salesforce: 'grant has login only; a sandbox and an own domain have hosts of theirs',
  slack: 'grant has the OAuth of Slack’s classic apps, of which none can be made any more',
  surveymonkey: 'grant has the host of before, api.surveymonkey.net',
  xero: 'grant has OAuth 1, which Xero gave up',
};
const named = (address: string | undefined) => address?.replace(/\[\w+\]|\{\w+\}/g, '*').replace(/\/$/, '');

it('has the same URLs as grant for apps that grant supports', () => {
  const differing = [...catalogue].flatMap(([id, app]) => {
    const known = grant[ALIASES[id] ?? id];
    const [oauth1, two] = [app.method('OAUTH1'), app.method('OAUTH2')];
    const ours = oauth1
      ? [oauth1.request_url, oauth1.authorize_url, oauth1.access_url]
      : two?.grant === 'authorization_code' && [undefined, two.authorize_url, two.token_url];
    if (!known || !ours) return [];
    const theirs = [known.request_url, known.authorize_url, known.access_url];
    return JSON.stringify(ours.map(named)) === JSON.stringify(theirs.map(named)) ? [] : [id];
  });
  expect(differing.sort()).toEqual(Object.keys(DEVIATIONS));
});

it('places credentials as each app requires', () => {
  const target = (id: string, method: MethodDefinition['method'], values: object) =>
    catalogue.get(id)?.target(method, { ...values });
  const headers = (id: string, values: object) => target(id, 'API_KEY', values)?.headers;
  expect(headers('github', { api_key: 'k' })).toEqual(['Authorization', 'Bearer k']);
  expect(headers('linear', { api_key: 'k' })).toEqual(['Authorization', 'k']);
  expect(headers('gitlab', { api_key: 'k' })).toEqual(['PRIVATE-TOKEN', 'k']);
  expect(headers('discord', { api_key: 'k' })).toEqual(['Authorization', 'Bot k']);
  expect(headers('shopify', { shop: 's', api_key: 'k' })).toEqual(['X-Shopify-Access-Token', 'k']);
  expect(target('shopify', 'API_KEY', { shop: 's', api_key: 'k' })?.host).toBe('s.myshopify.com');
  expect(target('trello', 'API_KEY', { api_key: 'k', token: 't' })).toMatchObject({
    headers: [],
    query: [
      ['key', 'k'],
      ['token', 't'],
    ],
  });
  // in the path
  expect(target('telegram', 'API_KEY', { api_key: '1:a/b' })).toMatchObject({
    host: 'api.telegram.org',
    base_path: '/bot1:a%2Fb',
    headers: [],
    query: [],
  });
  // in several headers, with a default header
  expect(target('datadog', 'API_KEY', { site: 'us3.datadoghq.com', api_key: 'k', application_key: 'a' })).toMatchObject(
    {
      host: 'api.us3.datadoghq.com',
      headers: ['DD-API-KEY', 'k', 'DD-APPLICATION-KEY', 'a'],
    },
  );
  expect(target('anthropic', 'API_KEY', { api_key: 'k' })).toMatchObject({
    headers: ['x-api-key', 'k'],
    replaced: new Set(['authorization', 'x-api-key']),
    defaults: [['anthropic-version', 'anthropic-version', '2023-06-01']],
  });
  const bitbucket = target('bitbucket', 'BASIC', { email: 'a@b.c', api_token: 'ü' });
  expect(bitbucket?.headers).toEqual(['Authorization', `Basic ${Buffer.from('a@b.c:ü').toString('base64')}`]);
  expect(target('gitlab', 'OAUTH2', { access_token: 'a' })?.headers).toEqual(['Authorization', 'Bearer a']);
  expect(target('github', 'JWT', { access_token: 'a' })?.headers).toEqual(['Authorization', 'Bearer a']);
  expect(target('monday', 'OAUTH2', { access_token: 'a' })?.headers).toEqual(['Authorization', 'a']);
  expect(target('twitch', 'OAUTH2', { access_token: 'a', client_id: 'c' })?.headers).toEqual([
    'Authorization',
    'Bearer a',
    'Client-Id',
    'c',
  ]);
  // another base URL by method
  expect(target('jira', 'BASIC', { site: 's', email: 'e', api_token: 't' })?.host).toBe('s.atlassian.net');
  expect(target('jira', 'OAUTH2', { cloud_id: 'c', access_token: 'a' })).toMatchObject({
    host: 'api.atlassian.com',
    base_path: '/ex/jira/c',
  });
  expect(target('notion', 'API_KEY', { api_key: 'k' })?.defaults).toEqual([
    ['notion-version', 'Notion-Version', '2022-06-28'],
  ]);
  expect(target('mcp', 'MCP', { server_url: 'https://m.example.com/mcp/', access_token: 'a' })).toMatchObject({
    origin: 'https://m.example.com',
    base_path: '/mcp/',
    headers: ['Authorization', 'Bearer a'],
  });
});

const key = secret('api_key', 'Key', null);
const user = text('user', 'User', null);
const shop = text('shop', 'Shop', null);
const addresses = { authorize_url: 'https://example.com/a', token_url: 'https://example.com/t' };
const jwt: MethodDefinition = {
  method: 'JWT',
  fields: [key],
  token: { algorithm: 'HS256', key: '{api_key}', key_encoding: 'utf8', header: {}, claims: {}, lives_seconds: 60 },
  exchange: null,
  put: [{ in: 'header', name: 'Authorization', template: 'Bearer {token}' }],
};
const oauth1: MethodDefinition = {
  method: 'OAUTH1',
  fields: [],
  request_url: 'https://example.com/r',
  authorize_url: 'https://example.com/a',
  access_url: 'https://example.com/t',
  signature: 'HMAC-SHA1',
  authorize_params: {},
};
const exchange = { url: '/token', style: 'rfc7523' as const, scopes: [], token_name: 'access_token', capture: {} };
const one = (method: MethodDefinition): Partial<AppDefinition> => ({ methods: [method] });

it.each<[string, Partial<AppDefinition>]>([
  ['base_url: expected an absolute', { base_url: 'example.com' }],
  ['base_url: expected no ?', { base_url: 'https://example.com/?a=1' }],
  ['base_url: required for an app with methods', { base_url: null }],
  ['base_url: {shop} names no field', { base_url: 'https://{shop}.example.com' }],
  [
    'base_url: {shop} is in the host',
    { base_url: 'https://{shop}.example.com', ...one({ ...bearerKey(key), fields: [key, shop] }) },
  ],
  [
    'methods.0.put.0.name: Host',
    one({ ...bearerKey(key), put: [{ in: 'header', name: 'Host', template: '{api_key}' }] }),
  ],
  ['methods.0.fields: api_key is never sent', one({ ...bearerKey(key), put: [] })],
  ['methods.0.fields: expected each name once', one({ ...bearerKey(key), fields: [key, key] })],
  ['methods.1.method: API_KEY is listed twice', { methods: [bearerKey(key), bearerKey(key)] }],
  ['default_headers: Cookie', { default_headers: { Cookie: 'a=1' } }],
  ['methods.0.username: {user} names no field', one({ ...basic(user, key), fields: [key] })],
  ['methods.0.fields: user is never sent', one({ ...basic(user, key), username: 'x' })],
  ['methods.0.token.key: {api_key} names no field', one({ ...jwt, fields: [] })],
  ['methods.0.token.claims.iss: {user} names no', one({ ...jwt, token: { ...jwt.token, claims: { iss: '{user}' } } })],
  ['methods.0.put.0.template: {token} names no field', one({ ...jwt, exchange })],
  ['methods.0.exchange.url: expected an absolute', one({ ...jwt, exchange, put: [] })],
  ['methods.0.fields: token can', one({ ...jwt, fields: [key, secret('token', 'Token', null)] })],
  ['methods.0.request_url: expected an absolute', one({ ...oauth1, request_url: '/r' })],
  ['methods.0.access_url: expected an absolute', one({ ...oauth1, access_url: 'https://u:p@example.com/t' })],
  ['methods.0.token_url: expected an absolute', one(oauth2({ ...addresses, token_url: 'ftp://example.com' }))],
  ['methods.0.authorize_url: {shop} names no field', one(oauth2({ ...addresses, authorize_url: 'https://{shop}/a' }))],
  [
    'methods.0.refresh_url: {shop} is in the host',
    one(oauth2({ ...addresses, fields: [shop], refresh_url: 'https://{shop}/t' })),
  ],
  ['methods.0.fields: shop is never sent', one(oauth2({ ...addresses, fields: [shop] }))],
  ['methods.0.token_params.aud: {shop} names no field', one(oauth2({ ...addresses, token_params: { aud: '{shop}' } }))],
  [
    'methods.0.fields: access_token can',
    one(oauth2({ ...addresses, fields: [secret('access_token', 'Token', null)] })),
  ],
  ['base_url: {region} names no field', { base_url: 'https://{region}', ...one(oauth2(addresses)) }],
  ['methods.0.token_url: expected an absolute', one(clientCredentials({ token_url: 'example.com/token' }))],
  [
    'methods.0.server_url: {shop} is in the host',
    one({ method: 'MCP', fields: [shop], server_url: 'https://{shop}/mcp' }),
  ],
  ['methods.0.fields: user is never sent', one({ method: 'MCP', fields: [user], server_url: 'https://example.com' })],
])('an invalid definition is rejected with "%s"', (message, change) => {
  const base = defineApp({
    app: 'x',
    name: 'X',
    description: 'X',
    category: 'custom',
    base_url: 'https://example.com',
    docs_url: null,
    methods: [bearerKey(key)],
  });
  expect(() => compileApp({ ...base, ...change })).toThrow(AppMistake);
  expect(() => compileApp({ ...base, ...change })).toThrow(message);
});
