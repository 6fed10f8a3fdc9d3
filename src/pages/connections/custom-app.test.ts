import { expect, it } from 'vitest';
import { type CustomApp, exampleOf, idFrom, newCustomApp, USUAL } from './custom-app.ts';

const app = (more: Partial<CustomApp>, place = USUAL.header): CustomApp => ({
  ...newCustomApp,
  app: 'ledger',
  base_url: 'https://api.example.com/v1/',
  methods: [{ method: 'API_KEY', place }],
  ...more,
});
const GATEWAY = 'https://sluice.example.com/api';

it('makes an id of a name', () => {
  expect(idFrom('Order ledger (EU)')).toBe('order-ledger-eu');
  expect(idFrom('  Über–Größe ')).toBe('uber-gro-e');
  expect(idFrom('注文')).toBe('');
  expect(idFrom(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63));
});

it('shows the request an app gets, with the key in a header', () => {
  expect(exampleOf(app({}), GATEWAY)).toEqual({
    call: 'GET https://sluice.example.com/api/ledger/items?page=2',
    request: 'GET /v1/items?page=2\nhost: api.example.com\nauthorization: Bearer ••••••',
  });
});

it('shows it with the key in the query', () => {
  expect(exampleOf(app({}, USUAL.query), GATEWAY).request).toBe(
    'GET /v1/items?page=2&api_key=••••••\nhost: api.example.com',
  );
});

it('keeps the parts that are asked for in braces', () => {
  const { request } = exampleOf(app({ base_url: 'https://{shop}.example.com/{area}' }), GATEWAY);
  expect(request).toContain('GET /{area}/items?page=2\nhost: {shop}.example.com');
});

it('says what is missing of an address that is not written yet', () => {
  expect(exampleOf(newCustomApp, GATEWAY)).toEqual({
    call: 'GET https://sluice.example.com/api/<id>/items?page=2',
    request: 'GET /items?page=2\nhost: <host>\nauthorization: Bearer ••••••',
  });
});
