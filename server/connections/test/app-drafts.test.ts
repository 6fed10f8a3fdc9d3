import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { type LocalApp, startApp } from './custom-support.ts';

const service = serviceForAll();

type Draft = {
  message: string;
  format: string;
  app: { base_url: string; probe: object; methods: object[]; paths: object[]; name: string };
  notes: { at: string; message: string }[];
};
const draft = (body: object) => service.api<Draft>('POST', '/apps:draft', body);
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Ledger API' },
  servers: [{ url: '/v1' }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: { '/me': { get: { operationId: 'me', summary: 'The caller' } }, '/bills/{id}': { get: {} } },
};

let host: LocalApp;
beforeAll(async () => {
  host = await startApp((req, res) => {
    if (req.url === '/moved') res.writeHead(302, { location: '/openapi.json' }).end();
    else if (req.url === '/circle') res.writeHead(302, { location: '/circle' }).end();
    else if (req.url === '/openapi.json') res.end(JSON.stringify(DOCUMENT));
    else if (req.url === '/large') res.end(Buffer.alloc(17 * 1024 * 1024, ' '));
    else if (req.url === '/openid')
      res.end(JSON.stringify({ authorization_endpoint: `${host.url}/a`, token_endpoint: `${host.url}/t` }));
    else res.writeHead(404).end();
  });
});
afterAll(() => host.close());

it('drafts an app from a URL, and the app is created with its paths', async () => {
  const { status, body } = await draft({ url: `${host.url}/moved` });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    format: 'OpenAPI 3.1.0',
    operations: 2,
    servers: [{ url: `${host.url}/v1`, description: null }],
    app: {
      name: 'Ledger API',
      base_url: `${host.url}/v1`,
      docs_url: null,
      probe: { method: 'GET', path: '/me', body: null },
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'X-Key', template: '{api_key}' } }],
    },
  });
  const created = await service.api('POST', '/apps', { app: 'drafted', ...body.app });
  expect(created.status).toBe(200);
  const paths = await service.api<{ paths: object[] }>('GET', '/apps/drafted/paths');
  expect(paths.body.paths).toEqual([
    { method: 'GET', path: '/me', operation_id: 'me', summary: 'The caller' },
    { method: 'GET', path: '/bills/{id}', operation_id: null, summary: null },
  ]);
  // Other changes keep them; an empty list removes them.
  await service.api('PATCH', '/apps/drafted', { name: 'Ledger' });
  expect((await service.api('GET', '/apps/drafted/paths')).body).toEqual(paths.body);
  await service.api('PATCH', '/apps/drafted', { paths: [] });
  expect((await service.api('GET', '/apps/drafted/paths')).body).toEqual({ paths: [] });
});

it('reads a pasted document in YAML, and the metadata of OpenID Connect', async () => {
  const { body } = await draft({
    document: [
      'openapi: 3.0.0',
      'info: {title: Notes}',
      'servers: [{url: https://notes.example.com}]',
      `components: {securitySchemes: {id: {type: openIdConnect, openIdConnectUrl: '${host.url}/openid'}}}`,
    ].join('\n'),
  });
  expect(body.app.methods).toMatchObject([
    { method: 'OAUTH2', authorize_url: `${host.url}/a`, token_url: `${host.url}/t`, scopes: ['openid'] },
  ]);
});

it.each([
  [{}, 'document: expected either url or document'],
  [{ url: 'https://a.example.com', document: 'x' }, 'document: expected either url or document'],
  [{ document: '' }, 'document: expected a document'],
  [{ document: '{}' }, 'document: expected an OpenAPI document'],
  [{ document: '<html>' }, 'document: expected JSON or YAML, not a web page'],
  [{ url: 'ftp://a.example.com' }, 'url: '],
])('%j is rejected', async (body, message) => {
  const answer = await draft(body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it.each([
  ['/none', 'returned 404'],
  ['/circle', 'url: expected at most 3 redirects'],
  ['/large', 'returned more than 16384 KB'],
])('the URL %s is rejected', async (path, message) => {
  const answer = await draft({ url: `${host.url}${path}` });
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('metadata of OpenID Connect that can’t be read is a note', async () => {
  const scheme = { type: 'openIdConnect', openIdConnectUrl: `${host.url}/none` };
  const document = { ...DOCUMENT, security: [], components: { securitySchemes: { scheme } } };
  const { status, body } = await draft({ document: JSON.stringify(document) });
  expect([status, body.app.methods]).toEqual([200, []]);
  expect(body.notes.map(({ message }) => message).join()).toContain('returned 404 for its OpenID Connect metadata');
});

it('paths of an app of the catalogue, of an unknown one and of another account', async () => {
  expect((await service.api('GET', '/apps/stripe/paths')).body).toEqual({ paths: [] });
  expect((await service.api('GET', '/apps/unknown/paths')).status).toBe(404);
  expect((await service.api('GET', '/apps/%00/paths')).status).toBe(404);
});

it.each([
  [[{ method: 'GET', path: 'me' }], 'paths.0.path: expected a path that starts with /'],
  [[{ method: 'get', path: '/me' }], 'paths.0.method'],
  [Array.from({ length: 2001 }, () => ({ method: 'GET', path: '/me' })), 'paths: expected at most 2000 paths'],
])('invalid paths are rejected', async (paths, message) => {
  const body = { app: 'wrong', name: 'Wrong', base_url: host.url, methods: [{ method: 'BASIC' }], paths };
  const answer = await service.api<{ message: string }>('POST', '/apps', body);
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
});
