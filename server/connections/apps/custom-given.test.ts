import { expect, it } from 'vitest';
import { AppCreate } from '../../../contract/apps.ts';
import { customApp } from './custom.ts';
import { givenOf } from './custom-given.ts';

const place = { in: 'header', name: 'X-Key' };
const written = AppCreate.parse({
  app: 'acme',
  name: 'Acme',
  base_url: 'https://{shop}.example.com/v1',
  docs_url: 'https://docs.example.com',
  default_headers: { 'X-Version': '2' },
  probe: { path: '/me' },
  methods: [
    { method: 'API_KEY', place },
    {
      method: 'BASIC',
      username_label: 'Account',
      password_label: 'Secret',
      login: {
        url: 'https://{shop}.example.com/login',
        params: { user: '{username}', pass: '{password}' },
        token_path: 'data.token',
        place: { ...place, template: 'Token {access_token}' },
      },
    },
    {
      method: 'JWT',
      algorithm: 'HS256',
      key_encoding: 'hex',
      header: { kid: '{kid}' },
      claims: { iss: '{issuer}' },
      lives_seconds: 300,
      exchange: { url: 'https://{shop}.example.com/token', style: 'bearer', scopes: ['read'] },
      place: { ...place, template: 'Token {access_token}' },
    },
    {
      method: 'OAUTH1',
      request_url: 'https://a.example.com/1',
      authorize_url: 'https://a.example.com/2',
      access_url: 'https://a.example.com/3',
      signature: 'PLAINTEXT',
    },
    {
      method: 'OAUTH2',
      grant: 'authorization_code',
      authorize_url: 'https://a.example.com/authorize',
      token_url: 'https://a.example.com/token',
      refresh_url: 'https://a.example.com/refresh',
      client_auth: 'json',
      pkce: false,
      scopes: ['read', 'write'],
      scope_separator: ',',
      authorize_params: { audience: 'api' },
      token_params: { audience: 'api' },
      place: { ...place, template: '{access_token}' },
    },
    { method: 'MCP', server_url: 'https://{region}.example.com/mcp', auth: 'token' },
  ],
  events: {
    signature: { kind: 'hmac', header: 'X-Sign', timestamp_header: 'X-Time', signed: '{timestamp}.{body}' },
    name: { header: 'X-Event' },
    id: { body: 'meta.id' },
    types: [
      { event_type: 'order.paid', description: 'An order was paid.', sample: { order: 1 } },
      { event_type: '*', sample: {} },
    ],
  },
});

it('converts a definition back to its request body, for each method', () => {
  expect(givenOf(customApp(written))).toEqual(written);
});

it('returns defaults for omitted fields, which create the same app', () => {
  const short = AppCreate.parse({
    app: 'acme',
    name: 'Acme',
    base_url: 'https://a.example.com',
    methods: [
      { method: 'BASIC' },
      { method: 'JWT', algorithm: 'ES256' },
      { method: 'OAUTH2', grant: 'client_credentials', token_url: 'https://a.example.com/token' },
      { method: 'MCP', server_url: 'https://a.example.com/mcp' },
    ],
  });
  const definition = customApp(short);
  expect(customApp(AppCreate.parse(givenOf(definition)))).toEqual(definition);
});

const registration = {
  add: { path: '/hooks', body: { to: ['{url}'], all: { '{events}': true } }, form: true },
  id: 'id',
  secret: 'signing.secret',
  list: { path: '/hooks?all=1', items: 'data', id: 'id', url: 'to.0' },
  remove: { path: '/hooks/{id}' },
};
it.each<object>([
  { signature: { kind: 'standard' }, secret: 'theirs' },
  { signature: { kind: 'token', header: 'X-Token' } },
  { signature: { kind: 'standard' }, handshake: { kind: 'query', name: 'challenge' } },
  {
    signature: { kind: 'standard' },
    handshake: { kind: 'challenge', when: { path: 'type', equals: 'url_verification' }, reply: 'challenge' },
  },
  {
    signature: { kind: 'standard' },
    secret: 'theirs',
    registration,
    types: [{ event_type: '*', sample: {}, api_names: ['a', 'b'] }],
  },
])('converts events back to %j', (more) => {
  const events = { types: [{ event_type: '*', sample: {} }], ...more };
  const given = AppCreate.parse({
    app: 'acme',
    name: 'Acme',
    base_url: 'https://a.example.com',
    methods: [{ method: 'BASIC' }],
    events,
  });
  expect(givenOf(customApp(given)).events).toEqual(given.events);
});

it.each(['oauth', 'client', 'token'] as const)('converts an MCP server with the authorization %s', (auth) => {
  const methods = [{ method: 'MCP' as const, server_url: 'https://a.example.com/mcp', auth }];
  const given = AppCreate.parse({ app: 'acme', name: 'Acme', methods });
  expect(givenOf(customApp(given)).methods).toEqual(methods);
});

it.each([
  { place: { in: 'header', name: 'X-Key', template: '{api_key}' } },
  { more_places: [{ in: 'query', name: 'k', template: '{api_key}' }] },
  {
    place: { in: 'header', name: 'X-Key', template: 'v1 {api_key}' },
    more_places: [{ in: 'header', name: 'X-App', template: '{app_key}' }],
  },
  {},
] as const)('converts keys in several places back to %j', (places) => {
  const base_url = 'https://a.example.com/{api_key}';
  const methods = [{ method: 'API_KEY' as const, ...places }];
  const definition = customApp(AppCreate.parse({ app: 'acme', name: 'Acme', base_url, methods }));
  expect(customApp(AppCreate.parse(givenOf(definition)))).toEqual(definition);
});
