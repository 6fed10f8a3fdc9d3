import { describe, expect, it } from 'vitest';
import { AppId } from '../../contract/apps.ts';
import { RESERVED_SEGMENTS } from '../../contract/routes.ts';
import { catalogue } from './catalogue.ts';
import { AppMistake, compileApp } from './compile.ts';
import { type AppDefinition, bearerKey, defineApp, secret, text } from './definition.ts';
import { checkFields } from './fields.ts';

const KEYS: Record<string, string> = { stripe: 'sk_test_1', sendgrid: 'SG.a.b' };

describe.each([...catalogue])('%s', (id, app) => {
  const { definition } = app;

  it('can be named in a path, and says where it is documented', () => {
    expect(AppId.safeParse(id).success).toBe(true);
    expect(RESERVED_SEGMENTS).not.toContain(id);
    expect(definition.app).toBe(id);
    if (definition.base_url === null) return;
    expect(definition.base_url).toMatch(/^https:\/\/[^/]+$/);
    expect(definition.docs_url).toMatch(/^https:\/\//);
  });

  it('sends every field that is asked for, to its own host only', () => {
    for (const { method, fields } of definition.methods) {
      const typed = Object.fromEntries(fields.map(({ name }) => [name, KEYS[id] ?? `typed-${name}`]));
      const { values, problems } = checkFields(fields, typed);
      expect(problems).toEqual([]);
      const target = app.target(method, values);
      expect(target?.origin.startsWith('https://')).toBe(true);
      for (const value of Object.values(values)) expect(JSON.stringify(target)).toContain(value);
    }
  });
});

it('puts credentials where each app wants them', () => {
  const headers = (id: string, fields: object) => catalogue.get(id)?.target('API_KEY', { ...fields })?.headers;
  expect(headers('github', { api_key: 'k' })).toEqual(['Authorization', 'Bearer k']);
  expect(headers('linear', { api_key: 'k' })).toEqual(['Authorization', 'k']);
  expect(headers('shopify', { shop: 's', api_key: 'k' })).toEqual(['X-Shopify-Access-Token', 'k']);
  expect(catalogue.get('shopify')?.target('API_KEY', { shop: 's', api_key: 'k' })?.host).toBe('s.myshopify.com');
  const trello = catalogue.get('trello')?.target('API_KEY', { api_key: 'k', token: 't' });
  expect(trello).toMatchObject({
    headers: [],
    query: [
      ['key', 'k'],
      ['token', 't'],
    ],
  });
});

const key = secret('api_key', 'Key', null);
it.each<[string, Partial<AppDefinition>]>([
  ['base_url: expected an absolute', { base_url: 'example.com' }],
  ['base_url: expected no ?', { base_url: 'https://example.com/?a=1' }],
  ['base_url: expected one where', { base_url: null }],
  ['base_url: {shop} names no field', { base_url: 'https://{shop}.example.com' }],
  [
    'base_url: {shop} stands in the host',
    {
      base_url: 'https://{shop}.example.com',
      methods: [{ ...bearerKey(key), fields: [key, text('shop', 'Shop', null)] }],
    },
  ],
  [
    'methods.0.put.0.name: Host',
    { methods: [{ ...bearerKey(key), put: [{ in: 'header', name: 'Host', template: '{api_key}' }] }] },
  ],
  ['methods.0.fields: api_key is asked for', { methods: [{ ...bearerKey(key), put: [] }] }],
  ['methods.0.fields: expected each name once', { methods: [{ ...bearerKey(key), fields: [key, key] }] }],
  ['methods.1.method: API_KEY stands there twice', { methods: [bearerKey(key), bearerKey(key)] }],
  ['default_headers: Cookie', { default_headers: { Cookie: 'a=1' } }],
])('a definition is refused with "%s"', (message, change) => {
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
