import { expect, it } from 'vitest';
import { exampleOf } from './example.ts';
import { type AppValues, newApp, USUAL } from './values.ts';

const ADDRESSES = { base_url: 'https://sluice.example.com/api', connect_url: 'https://sluice.example.com/connect' };
const app = (more: Partial<AppValues> = {}): AppValues => ({
  ...newApp('Ledger'),
  app: 'ledger',
  base_url: 'https://api.example.com/v1/',
  ...more,
});
const oauth2 = (more: Partial<AppValues['OAUTH2']> = {}) =>
  app({
    OAUTH2: {
      ...newApp().OAUTH2,
      authorize_url: 'https://a.example.com/authorize',
      token_url: 'https://a.example.com/token',
      scopes: 'read write',
      ...more,
    },
  });

it('shows the request an app gets, with the key in a header', () => {
  expect(exampleOf(app(), 'API_KEY', ADDRESSES)).toEqual({
    call: 'GET https://sluice.example.com/api/ledger/items?page=2',
    before: [],
    request: 'GET /v1/items?page=2\nhost: api.example.com\nauthorization: Bearer ••••••',
  });
});

it('shows the key in the query or URL, with additional credentials', () => {
  const query = app({
    API_KEY: { place: USUAL.query, more_places: 'header X-App: {app_id}' },
    default_headers: 'X-Version: 2',
  });
  expect(exampleOf(query, 'API_KEY', ADDRESSES).request).toBe(
    'GET /v1/items?page=2&api_key=••••••\nhost: api.example.com\nx-version: 2\nx-app: ••••••',
  );
  const address = app({
    API_KEY: { place: USUAL.address, more_places: '' },
    base_url: 'https://api.example.com/bot{api_key}',
  });
  expect(exampleOf(address, 'API_KEY', ADDRESSES).request).toBe('GET /bot••••••/items?page=2\nhost: api.example.com');
});

it('keeps placeholders in braces, and names missing values', () => {
  const { request } = exampleOf(app({ base_url: 'https://{shop}.example.com/{area}' }), 'API_KEY', ADDRESSES);
  expect(request).toContain('GET /{area}/items?page=2\nhost: {shop}.example.com');
  expect(exampleOf(newApp(), 'API_KEY', ADDRESSES)).toMatchObject({
    call: 'GET https://sluice.example.com/api/<id>/items?page=2',
    request: 'GET /items?page=2\nhost: <host>\nauthorization: Bearer ••••••',
  });
});

it('shows the authorization step and the token exchange', () => {
  const { before, request } = exampleOf(oauth2(), 'OAUTH2', ADDRESSES);
  expect(before[0]?.code).toBe(
    'https://a.example.com/authorize?response_type=code&client_id=<client ID>&redirect_uri=https://sluice.example.com/connect/oauth/callback&state=…&scope=read write&code_challenge=…&code_challenge_method=S256',
  );
  expect(before[1]?.code).toContain('grant_type=authorization_code&code=…');
  expect(request).toContain('authorization: Bearer ••••••');
  const own = exampleOf(oauth2({ grant: 'client_credentials', client_auth: 'json' }), 'OAUTH2', ADDRESSES);
  expect(own.before.map(({ code }) => code)).toEqual([
    'POST https://a.example.com/token\nauthorization: Basic base64(<client ID>:<client secret>)\n{"grant_type":"client_credentials","scope":"read write"}',
  ]);
});

it('shows a signed token, and one exchanged for it', () => {
  const direct = exampleOf(app(), 'JWT', ADDRESSES);
  expect(direct.before).toHaveLength(1);
  expect(direct.before[0]?.code).toContain('"iss":"{issuer}"');
  const exchange = { style: 'rfc7523' as const, url: 'https://a.example.com/token', scopes: 'read' };
  const bought = exampleOf(app({ JWT: { ...newApp().JWT, exchange } }), 'JWT', ADDRESSES).before[1]?.code;
  expect(bought).toContain('POST https://a.example.com/token\ngrant_type=urn:ietf:params:oauth:grant-type:jwt-bearer');
});

it('an MCP server is called at its own URL', () => {
  const values = app({ MCP: { server_url: 'https://tools.example.com/mcp', auth: 'token' } });
  expect(exampleOf(values, 'MCP', ADDRESSES)).toEqual({
    call: 'POST https://sluice.example.com/api/ledger/mcp',
    before: [],
    request: 'POST /mcp\nhost: tools.example.com\nauthorization: Bearer ••••••',
  });
});
