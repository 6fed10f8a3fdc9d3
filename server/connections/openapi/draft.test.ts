/** Extracts in the forms that vendors' documents have, written for this test. */
import { describe, expect, it } from 'vitest';
import { type Draft, draftOf } from './draft.ts';

const draft = (document: object | string, source?: string) =>
  draftOf(typeof document === 'string' ? document : JSON.stringify(document), source);
const problem = (document: object | string) => {
  try {
    draft(document);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const notesOf = ({ notes }: Draft) => notes.map(({ message }) => message).join('\n');
const api = (more: object = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Ledger' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {},
  ...more,
});
const schemes = (securitySchemes: object, security?: object[]) =>
  api({ components: { securitySchemes }, ...(security ? { security } : {}) });
const methodsOf = (document: object) => draft(document).app.methods;

describe('servers', () => {
  const first = (servers: object[], source?: string) => draft(api({ servers }), source).app.base_url;

  it('a variable in the host becomes a field; others have their default', () => {
    const variables = { region: { default: 'us', enum: ['us', 'eu'] }, version: { default: 'v2' } };
    const read = draft(api({ servers: [{ url: 'https://{region}.example.com/{version}/', variables }] }));
    expect(read.app.base_url).toBe('https://{region}.example.com/v2');
    expect(notesOf(read)).toContain('{region} is entered when connecting, usually us, one of us, eu.');
  });

  it.each([
    ['https://{your-domain}.example.com', {}, 'https://{your_domain}.example.com'],
    ['https://{token}.example.com', {}, 'https://{token_name}.example.com'],
    [
      '{scheme}://{host}/api',
      { scheme: { default: 'https' }, host: { default: 'a.example.com' } },
      'https://a.example.com/api',
    ],
    ['https://a.example.com:{port}/v1', { port: { default: 8443 } }, 'https://a.example.com:8443/v1'],
    ['https://a.example.com/{org}', {}, 'https://a.example.com/{org}'],
    [
      'https://a.example.com/{store_hash}',
      { store_hash: { default: 'store_hash' } },
      'https://a.example.com/{store_hash}',
    ],
  ])('%s', (url, variables, expected) => expect(first([{ url, variables }])).toBe(expected));

  it('relative ones are below the URL of the document', () => {
    expect(first([{ url: '/v3' }], 'https://docs.example.com/files/openapi.json')).toBe('https://docs.example.com/v3');
    const read = draft(api({ servers: [{ url: '/v3' }] }));
    expect(read.app.base_url).toBeNull();
    expect(notesOf(read)).toContain('/v3 is not a complete URL');
  });

  it('the usual one comes first', () => {
    const servers = ['http://a.example.com', 'https://sandbox.example.com', 'https://b.example.com'];
    expect(draft(api({ servers: servers.map((url) => ({ url })) })).servers.map(({ url }) => url)).toEqual([
      'https://b.example.com',
      'https://sandbox.example.com',
      'http://a.example.com',
    ]);
  });
});

describe('security', () => {
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const code = {
    authorizationUrl: 'https://a.example.com/authorize',
    tokenUrl: '/token',
    scopes: { read: '', write: '' },
  };

  it('keys in a header, in a query and as a bearer token', () => {
    expect(methodsOf(schemes({ key }))).toEqual([
      { method: 'API_KEY', place: { in: 'header', name: 'X-Key', template: '{api_key}' } },
    ]);
    expect(methodsOf(schemes({ key: { ...key, in: 'query', name: 'k' } }))).toMatchObject([{ place: { in: 'query' } }]);
    expect(methodsOf(schemes({ key: { type: 'http', scheme: 'Bearer' } }))).toMatchObject([
      { place: { name: 'Authorization', template: 'Bearer {api_key}' } },
    ]);
  });

  it('a word before the key is found in the description', () => {
    const authorization = {
      ...key,
      name: 'Authorization',
      description: 'Send `Authorization: Token <your key>`.',
    };
    expect(methodsOf(schemes({ authorization }))).toMatchObject([{ place: { template: 'Token {api_key}' } }]);
  });

  it('two keys of one alternative are sent together', () => {
    const both = schemes({ a: key, b: { ...key, name: 'X-App' } }, [{ a: [], b: [] }]);
    expect(methodsOf(both)).toEqual([
      {
        method: 'API_KEY',
        place: { in: 'header', name: 'X-Key', template: '{api_key}' },
        more_places: [{ in: 'header', name: 'X-App', template: '{b}' }],
      },
    ]);
  });

  it('HTTP Basic and both grants of OAuth 2', () => {
    const all = schemes({
      basic: { type: 'http', scheme: 'basic' },
      oauth: {
        type: 'oauth2',
        flows: { authorizationCode: code, clientCredentials: { tokenUrl: 'https://x.example/t' } },
      },
    });
    expect(methodsOf(all)).toMatchObject([
      { method: 'BASIC' },
      {
        method: 'OAUTH2',
        grant: 'authorization_code',
        authorize_url: 'https://a.example.com/authorize',
        token_url: 'https://api.example.com/token',
        scopes: ['read', 'write'],
      },
    ]);
    const client = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://x.example/t', scopes: {} } } };
    expect(methodsOf(schemes({ client }))).toMatchObject([{ grant: 'client_credentials', scopes: [] }]);
  });

  it('OpenID Connect is left to its metadata', () => {
    const openIdConnectUrl = 'https://id.example.com/.well-known/openid-configuration';
    expect(draft(schemes({ id: { type: 'openIdConnect', openIdConnectUrl } })).openId).toMatchObject({
      url: openIdConnectUrl,
      scopes: ['openid'],
    });
  });

  it.each([
    [{ ...key, in: 'cookie' }, 'A key in cookie is not supported.'],
    [{ type: 'http', scheme: 'digest' }, 'HTTP digest is not supported.'],
    [{ type: 'mutualTLS' }, 'mutualTLS is not supported.'],
    [
      { type: 'oauth2', flows: { implicit: code } },
      'OAuth 2 without an authorization code is not supported: implicit.',
    ],
    [{ type: 'oauth2', flows: { authorizationCode: {} } }, 'is not a complete URL'],
    [{}, 'A scheme without type is not supported.'],
    [[1], 'A scheme without type is not supported.'],
  ])('%j is noted', (scheme, expected) => {
    const read = draft(schemes({ scheme }));
    expect(read.app.methods).toEqual([]);
    expect(notesOf(read)).toContain(expected);
  });
});

describe('operations', () => {
  const secured = { security: [{ key: [] }] };
  const probeOf = (paths: object, more: object = secured) => draft(api({ paths, ...more })).app.probe?.path;

  it('are listed with method, id and summary', () => {
    const paths = { '/a/{id}': { parameters: [], get: { operationId: 'getA', summary: ' Get\n an a ' }, delete: {} } };
    const { app, operations } = draft(api({ paths }));
    expect(operations).toBe(2);
    expect(app.paths).toEqual([
      { method: 'GET', path: '/a/{id}', operation_id: 'getA', summary: 'Get an a' },
      { method: 'DELETE', path: '/a/{id}', operation_id: null, summary: null },
    ]);
  });

  it('the test request is a GET of the caller without parameters', () => {
    expect(probeOf({ '/items': { get: {} }, '/users/me': { get: {} }, '/me': { post: {} } })).toBe('/users/me');
    expect(probeOf({ '/health': { get: {} }, '/items': { get: {} } })).toBe('/items');
    expect(probeOf({ '/me': { get: { security: [] } }, '/items/{id}': { get: {} } })).toBeUndefined();
    const needs = { parameters: [{ $ref: '#/components/parameters/tenant' }] };
    const components = { parameters: { tenant: { in: 'header', name: 'tenant', required: true } } };
    expect(probeOf({ '/me': { get: needs } }, { ...secured, components })).toBeUndefined();
    expect(probeOf({ '/user': { get: {} }, '/items': { get: {} } }, {})).toBe('/user');
  });

  it('Swagger 2.0 is read as well', () => {
    const read = draft(
      [
        'swagger: 2.0',
        'info: {title: Notes}',
        'host: notes.example.com',
        'basePath: /api',
        'schemes: [http, https]',
        'securityDefinitions:',
        '  login: {type: oauth2, flow: accessCode, authorizationUrl: https://n.example/a, tokenUrl: https://n.example/t}',
        '  plain: {type: basic}',
        'paths: {/me: {get: {security: [{plain: []}]}}}',
      ].join('\n'),
    );
    expect(read).toMatchObject({ format: 'Swagger 2.0', app: { name: 'Notes', probe: { path: '/me' } } });
    expect(read.servers.map(({ url }) => url)).toEqual([
      'https://notes.example.com/api',
      'http://notes.example.com/api',
    ]);
    expect(read.app.methods.map(({ method }) => method)).toEqual(['BASIC', 'OAUTH2']);
  });
});

describe('bad documents', () => {
  it.each([
    ['', 'expected JSON or YAML ('],
    ['- 1', 'expected an object in JSON or YAML'],
    ['{"openapi": ', 'expected JSON ('],
    ['a: b: c', 'expected JSON or YAML ('],
    ['<!doctype html>', 'expected JSON or YAML, not a web page'],
    [{ asyncapi: '3.0.0' }, 'not AsyncAPI'],
    [{ discoveryVersion: 'v1' }, 'not a discovery document of Google'],
    [{ openapi: '4.0.0' }, 'not another version of OpenAPI'],
    [{ swaggerVersion: '1.2' }, 'not Swagger 1'],
    [{ info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' } }, 'not a Postman collection'],
    [{}, 'expected an OpenAPI document'],
    [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, 'nested at most 200 deep'],
    [`a: ${'['.repeat(300)}`, 'expected JSON or YAML ('],
  ])('%j', (document, expected) => expect(problem(document)).toContain(expected));

  it('wrong types everywhere are read as absent', () => {
    for (const wrong of [null, 1, 'text', true, [], [null], {}, { a: null }, { a: [1] }]) {
      const { app } = draft({
        openapi: '3.1.0',
        info: wrong,
        servers: wrong,
        security: wrong,
        components: { securitySchemes: { scheme: wrong, other: { type: wrong, flows: wrong, name: wrong } } },
        paths: {
          '/a': wrong,
          '/b': { get: wrong, parameters: wrong },
          '/c': { get: { security: wrong, parameters: wrong } },
        },
        externalDocs: wrong,
      });
      expect(app.methods).toEqual([]);
    }
    expect(draft({ openapi: '3.1.0', paths: null, components: null }).operations).toBe(0);
  });

  it('references in a circle, to another document and to a missing part are not followed', () => {
    const paths = {
      '/circle': { $ref: '#/paths/~1circle' },
      '/other': { $ref: './other.yaml#/a' },
      '/missing': { $ref: '#/components/pathItems/missing/constructor' },
      '/named': { $ref: '#/components/pathItems/named' },
    };
    const read = draft(api({ paths, components: { pathItems: { named: { get: {} } } } }));
    expect(read.app.paths.map(({ path }) => path)).toEqual(['/named']);
    expect(notesOf(read)).toContain('Path items in other documents, not read: 3.');
  });

  it('aliases that would expand to billions of values are only references', () => {
    const levels = [...'bcdefghij'].map(
      (name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(',')}]`,
    );
    const laughs = [
      'openapi: 3.0.0',
      'a: &a [l,l,l,l,l,l,l,l,l]',
      ...levels,
      'paths: *j',
      'servers: *j',
      'security: *j',
    ];
    expect(draft(laughs.join('\n')).operations).toBe(0);
    const many = `openapi: 3.0.0\na: &a 1\nb: [${Array(20_000).fill('*a').join(',')}]`;
    expect(problem(many)).toContain('expected JSON or YAML (');
  });

  it('the first 2,000 of a hundred thousand paths are suggested', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, i) => [`/p/${i}`, { get: { summary: i === 0 ? 'x'.repeat(500) : '' } }]),
    );
    const read = draft(api({ paths }));
    expect(read.operations).toBe(100_000);
    expect(read.app.paths).toHaveLength(2_000);
    expect(read.app.paths[0]?.summary).toHaveLength(200);
    expect(notesOf(read)).toContain('Suggested are the first 2,000 of 100,000 operations.');
  });
});
