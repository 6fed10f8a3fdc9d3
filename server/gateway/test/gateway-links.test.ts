/** Links of an app as links of the gateway, further hosts, timeouts of an app and of a request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect, getConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { addCustomApp, connectBy, startApp } from '../../connections/test/custom-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { rawCall } from './raw-upstream.ts';

let respond: (req: IncomingMessage, res: ServerResponse) => void;
let seen: string[] = [];
const record = (name: string) => (req: IncomingMessage, res: ServerResponse) => {
  seen.push(`${name} ${req.method} ${req.url} ${req.headers.authorization}`);
  respond(req, res);
};
const target = forAll(() => startApp(record('main')));
const upload = forAll(() => startApp(record('upload')));
const service = serviceForAll();
beforeEach(() => {
  seen = [];
  respond = (_, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});

const KEY = [{ method: 'API_KEY', place: { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' } }];
async function connected(gateway: object = {}, base = '') {
  const app = await addCustomApp(service, target.url + base, KEY, { gateway });
  const id = await connect(service, app, { api_key: 'ours' });
  return { app, id, url: `${service.url}/api/${app}` };
}
const call = (app: string, path: string, headers: Record<string, string> = {}) =>
  service.api<{ message: string }>('GET', `/${app}${path}`, undefined, { headers });
const LINKS = { 'service-rewrite': 'links' };

describe('Link and Location', () => {
  const answer = (headers: Record<string, string>) => {
    respond = (_, res) => void res.writeHead(200, headers).end('{}');
  };

  it('are unchanged by default', async () => {
    const { app } = await connected();
    const link = `<${target.url}/x?page=2>; rel="next"`;
    answer({ Link: link, Location: `${target.url}/y` });
    const { headers } = await call(app, '/x');
    expect([headers.get('link'), headers.get('location')]).toEqual([link, `${target.url}/y`]);
  });

  it('lead to the gateway on request, other URLs stay', async () => {
    const { app, url } = await connected();
    const other = '<https://docs.example.com/x>; rel="help"';
    answer({ Link: `<${target.url}/x?page=2>; rel="next", ${other}, </y>; rel="last"`, Location: '/repos/1?a#b' });
    const { headers } = await call(app, '/x', LINKS);
    expect(headers.get('link')).toBe(`<${url}/x?page=2>; rel="next", ${other}, <${url}/y>; rel="last"`);
    expect(headers.get('location')).toBe(`${url}/repos/1?a#b`);
    expect((await call(app, '/x', { 'service-rewrite': 'yes' })).status).toBe(400);
  });

  it('are rewritten for an app, and for a connection', async () => {
    const { app, id, url } = await connected({ rewrite_links: true });
    answer({ Location: `${target.url}/y` });
    expect((await call(app, '/x')).headers.get('location')).toBe(`${url}/y`);
    expect((await call(app, '/x', { 'service-rewrite': 'none' })).headers.get('location')).toBe(`${target.url}/y`);
    await service.api('PATCH', `/connections/${id}`, { metadata: { gateway_options: { rewrite_links: false } } });
    expect((await call(app, '/x')).headers.get('location')).toBe(`${target.url}/y`);
  });

  it('below the path of the base URL lead to the path after it; others can’t be called', async () => {
    const { app, url } = await connected({}, '/v2');
    answer({ Link: `<${target.url}/v2/x>; rel="next", <${target.url}/v22/x>; rel="a", </v2>; rel="b"` });
    const { headers } = await call(app, '/x', LINKS);
    expect(headers.get('link')).toBe(`<${url}/x>; rel="next", <${target.url}/v22/x>; rel="a", <${url}>; rel="b"`);
  });

  it('lead to the host by which the app was called, without the app’s credential', async () => {
    const app = await addCustomApp(service, target.url, [{ method: 'API_KEY', place: { in: 'query', name: 'k' } }]);
    await connectBy(service, app, 'API_KEY', { api_key: 'ours' });
    answer({ Link: `<${target.url}/x?k=ours&page=2>; rel="next"` });
    const request = [
      'GET /x HTTP/1.1',
      `Host: ${app}.gw.localhost:${service.port}`,
      `X-API-Key: ${service.key}`,
      'Service-Rewrite: links',
      'Connection: close',
    ];
    const got = await rawCall(service.port, `${request.join('\r\n')}\r\n\r\n`).until((caller) => caller.ended());
    expect(got).toContain(`Link: <http://${app}.gw.localhost:${service.port}/x?page=2>; rel="next"`);
  });
});

describe('URLs in JSON', () => {
  const body = () => `{"next":"${target.url}/x?page=2","self": "${target.url}/x", "n":12345678901234567890}\n`;
  const answer = (bytes: string | Buffer, headers: Record<string, string> = {}) => {
    const length = { 'Content-Length': Buffer.byteLength(bytes) };
    respond = (_, res) =>
      void res.writeHead(200, { 'Content-Type': 'application/json', ...length, ...headers }).end(bytes);
  };
  const text = async (app: string, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/api/${app}${path}`, {
      headers: { authorization: `Bearer ${service.key}`, ...headers },
    });
    return response.text();
  };

  it('are rewritten at the paths that the app declares, and nothing else', async () => {
    const { app, url } = await connected({ json_links: ['next'] });
    answer(body());
    expect(await text(app, '/x')).toBe(body());
    expect(await text(app, '/x', LINKS)).toBe(body().replace(`${target.url}/x?page=2`, `${url}/x?page=2`));
    answer(gzipSync(body()), { 'Content-Encoding': 'gzip' });
    expect(await text(app, '/x', LINKS)).toContain(`"next":"${url}/x?page=2"`);
  });

  it.each<[string, () => Buffer | string, Record<string, string>]>([
    ['invalid JSON', () => '{"next":"', {}],
    ['not UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d]), {}],
    ['a wrong encoding', () => '{}', { 'Content-Encoding': 'gzip' }],
    ['no JSON', () => body(), { 'Content-Type': 'text/plain' }],
    ['more than 2 MiB', () => body().replace('{', `{${' '.repeat(3 * 1024 * 1024)}`), {}],
  ])('stay as they are in a response with %s', async (_, bytes, headers) => {
    const { app } = await connected({ json_links: ['next'] });
    answer(bytes(), headers);
    const request = [
      `GET /api/${app}/x HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${service.key}`,
      'Service-Rewrite: links',
      'Connection: close',
    ];
    const caller = rawCall(service.port, `${request.join('\r\n')}\r\n\r\n`);
    await caller.until((each) => each.ended());
    expect(caller.bytes().includes(Buffer.from(bytes()))).toBe(true);
  });

  it('are bytes as before with HEAD and 204', async () => {
    const { app } = await connected({ json_links: ['next'], rewrite_links: true });
    respond = (_, res) => void res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 7 }).end();
    const head = await service.api('HEAD', `/${app}/x`);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '7']);
    respond = (_, res) => void res.writeHead(204, { 'Content-Type': 'application/json' }).end();
    expect((await call(app, '/x')).status).toBe(204);
  });
});

describe('a further host', () => {
  const hosts = () => ({ hosts: { upload: `${upload.url}/up` } });

  it('is named by the path, by a header, by a subdomain or by the connection, with the same credentials', async () => {
    const { app, id } = await connected(hosts());
    await call(app, '/~upload/files?a');
    await call(app, '/files', { 'service-host': 'upload' });
    const request = `GET /files HTTP/1.1\r\nHost: upload.${app}.gw.localhost\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;
    await rawCall(service.port, request).until((caller) => caller.ended());
    expect(seen).toEqual([
      'upload GET /up/files?a Bearer ours',
      'upload GET /up/files Bearer ours',
      'upload GET /up/files Bearer ours',
    ]);
    await service.api('PATCH', `/connections/${id}`, { metadata: { gateway_options: { host: 'upload' } } });
    seen = [];
    await call(app, '/files');
    await call(app, '/files', { 'service-host': 'main' });
    expect(seen).toEqual(['upload GET /up/files Bearer ours', 'main GET /files Bearer ours']);
  });

  it('is that of the check of the credentials and of the request builder, too', async () => {
    respond = (_, res) => void res.end('{}');
    const app = await addCustomApp(service, target.url, KEY, { gateway: hosts(), probe: { path: '/me' } });
    const created = await service.api<{ connection_id: string }>('POST', '/connections', {
      app,
      metadata: { gateway_options: { host: 'upload' } },
    });
    const id = created.body.connection_id;
    const { url } = await getConnection(service, id);
    await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'ours' } });
    const send = (path: string) => service.api('POST', `/connections/${id}:request`, { method: 'GET', path });
    await send('/files');
    await service.api('PATCH', `/connections/${id}`, { metadata: {} });
    await send('/~upload/files');
    await send('/files');
    expect(seen).toEqual([
      'upload GET /up/me Bearer ours',
      'upload GET /up/files Bearer ours',
      'upload GET /up/files Bearer ours',
      'main GET /files Bearer ours',
    ]);
    await service.api('PATCH', `/connections/${id}`, { metadata: { gateway_options: { host: 'other' } } });
    expect((await send('/files')).body).toMatchObject({
      response: null,
      error: { code: 400, message: expect.stringContaining('expected one of main, upload') },
    });
  });

  it('must be declared by the app', async () => {
    const { app } = await connected(hosts());
    const answer = await call(app, '/x', { 'service-host': 'evil.example.com' });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain('expected one of main, upload');
    expect((await call(app, '/~other/x')).status).toBe(200);
    expect(seen).toEqual(['main GET /~other/x Bearer ours']);
  });

  it('is part of the links that are rewritten', async () => {
    const { app, url } = await connected(hosts());
    respond = (_, res) => void res.writeHead(302, { Location: `${upload.url}/up/f` }).end();
    expect((await call(app, '/x', LINKS)).headers.get('location')).toBe(`${url}/~upload/f`);
    respond = (_, res) => void res.writeHead(302, { Location: '/up/g' }).end();
    expect((await call(app, '/~upload/x', LINKS)).headers.get('location')).toBe(`${url}/~upload/g`);
  });

  it('keeps the limits of a key', async () => {
    const { app } = await connected(hosts());
    const { body } = await service.api<{ key: string; api_key: string }>('POST', '/api-keys', {
      name: 'Narrow',
      scopes: ['gateway:call'],
      gateway: [{ app, connection_ids: null, methods: ['GET'], paths: ['/files'] }],
    });
    const limited = (path: string) =>
      service.api('GET', `/${app}${path}`, undefined, { key: body.key ?? body.api_key });
    expect((await limited('/~upload/files')).status).toBe(200);
    expect((await limited('/~upload/other')).status).toBe(403);
  });
});

describe('a timeout', () => {
  const silent = () => {
    respond = () => {};
  };

  it('of a request, or of the app, is a 504 that says that the app was reached', async () => {
    silent();
    const { app } = await connected();
    const answer = await call(app, '/x', { 'service-timeout': '1' });
    expect(answer.status).toBe(504);
    expect(answer.body.message).toContain('The app was reached, but did not respond in time');
    expect(answer.headers.get('x-should-retry')).toBe('true');
    const quick = await connected({ answer_seconds: 1 });
    const posted = await service.api('POST', `/${quick.app}/x`, '{}');
    expect([posted.status, posted.headers.get('x-should-retry')]).toEqual([504, 'false']);
    expect((await call(app, '/x', { 'service-timeout': '0' })).status).toBe(400);
    expect((await call(app, '/x', { 'service-timeout': 'soon' })).status).toBe(400);
  });

  it('says to retry what never reached the app', async () => {
    const app = await addCustomApp(service, 'http://127.0.0.1:1', KEY);
    await connect(service, app, { api_key: 'ours' });
    const answer = await service.api<{ message: string }>('POST', `/${app}/x`, '{}');
    expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([502, 'true']);
    expect(answer.body.message).toContain('could not be reached');
  });
});

describe('options', () => {
  it('of an app are returned, replaced and checked', async () => {
    const gateway = { hosts: { eu: 'http://127.0.0.1:2' }, json_links: ['a.*.b'], answer_seconds: 900 };
    const { app } = await connected(gateway);
    const { body } = await service.api<{ app: { gateway: object; definition: { gateway: object } } }>(
      'GET',
      `/apps/${app}`,
    );
    const whole = { ...gateway, link_header: false, rewrite_links: false, failure: null };
    expect(body.app.gateway).toEqual(whole);
    expect(body.app.definition.gateway).toEqual(whole);
    const refused = async (value: object) =>
      (await service.api<{ message: string }>('PATCH', `/apps/${app}`, { gateway: value })).body.message;
    expect(await refused({ hosts: { main: 'http://127.0.0.1:2' } })).toContain('gateway.hosts');
    expect(await refused({ hosts: { eu: 'http://{region}.localhost' } })).toContain(
      'gateway.hosts.eu: expected no placeholders',
    );
    expect(await refused({ hosts: { eu: 'http://10.0.0.1' } })).toContain(
      'gateway.hosts.eu: expected a public address',
    );
    expect(await refused({ json_links: ['a..b'] })).toContain('gateway.json_links.0');
    expect(await refused({ answer_seconds: 0 })).toContain('gateway.answer_seconds');
  });

  it('of a connection are checked', async () => {
    const { id } = await connected();
    const refused = async (options: unknown) =>
      (
        await service.api<{ message: string }>('PATCH', `/connections/${id}`, {
          metadata: { gateway_options: options },
        })
      ).body.message;
    expect(await refused({ rewrite_links: 'yes' })).toContain('metadata.gateway_options.rewrite_links');
    expect(await refused({ answer_seconds: 9999 })).toContain('metadata.gateway_options.answer_seconds');
    expect(await refused('links')).toContain('metadata.gateway_options');
  });
});
