import { expect, it } from 'vitest';
import { AppCreate } from '../../../../contract/apps.ts';
import { appSchema, problemsOf } from './check.ts';
import { pairsOf, pairsProblem, textOf, wordsOf } from './pairs.ts';
import {
  type AppValues,
  bodyOf,
  changesOf,
  formNamed,
  idFrom,
  newApp,
  placesOf,
  placesProblem,
  valuesOf,
} from './values.ts';

const every: AppValues = {
  ...newApp('Acme'),
  app: 'acme',
  base_url: 'https://{shop}.example.com/v1',
  docs_url: 'https://docs.example.com',
  default_headers: 'X-Version: 2\nAccept=application/json',
  probe: '/me',
  uses: ['MCP', 'OAUTH2', 'OAUTH1', 'JWT', 'BASIC', 'API_KEY'],
  API_KEY: {
    place: { in: 'query', name: 'key', template: '{api_key}' },
    more_places: 'header X-App-Id: {app_id}\nquery token = {token}',
  },
  BASIC: {
    username_label: 'Account id',
    password_label: 'Auth token',
    login: JSON.stringify({
      url: 'https://a.example.com/login',
      body: 'form',
      params: { user: '{username}', pass: '{password}' },
      headers: {},
      token_path: 'data.token',
      expires_path: null,
      lives_seconds: 3600,
      place: { in: 'header', name: 'X-Session', template: '{access_token}' },
    }),
  },
  JWT: {
    algorithm: 'HS256',
    key_encoding: 'hex',
    header: 'kid: {key_id}',
    claims: 'iss: {issuer}\naud: https://example.com/api',
    lives_seconds: '300',
    exchange: { style: 'bearer', url: 'https://a.example.com/token', scopes: 'read write' },
    place: { in: 'header', name: 'Authorization', template: 'Token {access_token}' },
  },
  OAUTH1: {
    request_url: 'https://a.example.com/1',
    authorize_url: 'https://a.example.com/2',
    access_url: 'https://a.example.com/3',
    signature: 'HMAC-SHA256',
  },
  OAUTH2: {
    ...newApp().OAUTH2,
    authorize_url: 'https://a.example.com/authorize',
    token_url: 'https://a.example.com/token',
    refresh_url: 'https://a.example.com/refresh',
    client_auth: 'json',
    pkce: false,
    scopes: 'read write',
    scope_separator: ',',
    authorize_params: 'access_type: offline',
    token_params: 'audience: api',
  },
  MCP: { server_url: 'https://a.example.com/mcp', auth: 'token' },
  gateway: {
    hosts: 'upload: https://upload.example.com/v2\nfiles: https://files.example.com',
    link_header: true,
    json_links: 'links.next\nitems.*.url',
    rewrite_links: true,
    answer_seconds: '600',
    failure: null,
  },
};

it('gateway options and the login are checked with their field', () => {
  const problems = problemsOf({
    ...every,
    BASIC: { ...every.BASIC, login: '[]' },
    gateway: { ...every.gateway, hosts: 'upload https://x.example.com {', answer_seconds: '0' },
  });
  expect(problems.map(([path]) => path)).toEqual(['BASIC.login', 'gateway.hosts', 'gateway.answer_seconds']);
  const placeholder = { ...every.gateway, hosts: 'eu: https://{region}.example.com' };
  expect(problemsOf({ ...every, gateway: placeholder })).toEqual([
    ['gateway.hosts', expect.stringContaining('without placeholders')],
  ]);
});

it('form values of each method make a body that the API accepts, and are read back', () => {
  const body = bodyOf(every);
  const taken = AppCreate.safeParse(body);
  expect(taken.error?.issues).toBeUndefined();
  expect(body.methods.map(({ method }) => method)).toEqual(['API_KEY', 'BASIC', 'JWT', 'OAUTH1', 'OAUTH2', 'MCP']);
  expect(taken.data && bodyOf(valuesOf(taken.data))).toEqual(body);
});

it('an untouched form reports only missing values', () => {
  const missing = appSchema.safeParse(newApp()).error?.issues.map(({ path }) => path.join('.'));
  expect(missing).toEqual(['name', 'app', 'base_url']);
  expect(problemsOf(every)).toEqual([]);
});

it('errors of an unused method are ignored', () => {
  const values = { ...every, OAUTH2: { ...every.OAUTH2, token_url: 'nowhere' } };
  expect(problemsOf(values).map(([path]) => path)).toEqual(['OAUTH2.token_url']);
  expect(problemsOf({ ...values, uses: ['BASIC'] })).toEqual([]);
  expect(problemsOf({ ...values, uses: [] }).map(([path]) => path)).toEqual(['uses']);
});

it('a key sent in the URL requires its placeholder in the URL', () => {
  const values: AppValues = {
    ...every,
    uses: ['API_KEY'],
    API_KEY: { place: { in: 'address', name: '', template: '' }, more_places: '' },
  };
  expect(problemsOf(values).map(([path]) => path)).toEqual(['base_url']);
  const there = { ...values, base_url: 'https://example.com/bot{api_key}' };
  expect(problemsOf(there)).toEqual([]);
  expect(bodyOf(there).methods).toEqual([{ method: 'API_KEY' }]);
  expect(AppCreate.safeParse(bodyOf(there)).success).toBe(true);
});

it('only edited fields are sent', () => {
  const before = bodyOf(every);
  expect(changesOf(before, before)).toEqual({});
  const after = bodyOf({ ...every, name: 'Other', docs_url: '', app: 'ignored' });
  expect(changesOf(before, after)).toEqual({ name: 'Other', docs_url: null });
});

it('an error has the field path of the form', () => {
  const uses = ['API_KEY', 'OAUTH2'] as const;
  expect(formNamed('methods.1.token_url: expected an address', uses)).toBe('OAUTH2.token_url: expected an address');
  expect(formNamed('methods.0.place.name: no', uses)).toBe('API_KEY.place.name: no');
  expect(formNamed('methods.0.token.claims.iss: no', ['JWT'])).toBe('JWT.claims.iss: no');
  expect(formNamed('methods.0.method: twice', uses)).toBe('uses: twice');
  expect(formNamed('base_url: no', uses)).toBe('base_url: no');
});

it('pairs are parsed from text, and an invalid line is named', () => {
  expect(pairsOf('a: b\n\n c = d:e \nnonsense')).toEqual({ a: 'b', c: 'd:e' });
  expect(textOf({ a: 'b', c: 'd:e' })).toBe('a: b\nc: d:e');
  expect(pairsProblem('a: b\n\nnonsense', 'x: y')).toMatch(/^Line 3: expected/);
  expect(pairsProblem('a: b\nA: c', 'x: y')).toBe('Line 2: A is listed already.');
  expect(wordsOf('read, write\nread')).toEqual(['read', 'write']);
  expect(placesOf('query a: {b}\nnonsense')).toEqual([{ in: 'query', name: 'a', template: '{b}' }]);
  expect(placesProblem('query a: {b}\nnonsense')).toMatch(/^Line 2: /);
});

it('derives an ID from a name', () => {
  expect(idFrom('Order ledger (EU)')).toBe('order-ledger-eu');
  expect(idFrom('  Über–Größe ')).toBe('uber-gro-e');
  expect(idFrom('注文')).toBe('');
  expect(idFrom(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63));
});
