import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addApp, connect, getConnection, newConnection, onLink, tokenOf } from '../../connections/test/connecting.ts';
import { startApp } from '../../connections/test/custom-support.ts';
import { newId } from '../../lib/ids.ts';
import { type Service, startService } from '../../test/service.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

/** A real app that returns its request; `/status/<n>` returns that status, `/silent` never responds. */
type Echo = { method: string; url: string; headers: Record<string, string> };
const target = forAll(() =>
  startApp((req, res) => {
    if (req.url === '/silent') return;
    const status = Number(/^\/status\/(\d+)/.exec(req.url ?? '')?.[1] ?? 200);
    res.writeHead(status, { 'Content-Type': 'application/json', 'X-Native': 'yes' });
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers }));
  }),
);
const service = serviceForAll({ env: { SLUICE_GATEWAY_ANSWER_TIMEOUT: '1' } });

const call = (path: string, headers: Record<string, string> = {}, key = service.key) =>
  service.api<Echo & { message: string; type: string; code: number }>('GET', path, undefined, { headers, key });
const by = (connection_id: string) => ({ 'service-connection': connection_id });

describe('a call', () => {
  it('reaches the app’s API with the connection’s key, and its response is unchanged', async () => {
    const app = await addApp(service, `${target.url}/v2/`);
    await connect(service, app, { api_key: 'the-key' });
    const answer = await call(`/${app}/items?limit=2`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-native')).toBe('yes');
    expect(answer.headers.get('x-request-id')).toBeNull();
    expect(answer.body).toMatchObject({ method: 'GET', url: '/v2/items?limit=2' });
    expect(answer.body.headers['authorization']).toBe('Bearer the-key');
  });

  it.each([301, 401, 404, 429, 500, 503])('forwards a %i of the app', async (status) => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'k' });
    const answer = await call(`/${app}/status/${status}`);
    expect([answer.status, answer.body.url]).toEqual([status, `/status/${status}`]);
  });

  it('adds a key to the query without changing the rest', async () => {
    const app = await addApp(service, target.url, { in: 'query', name: 'key!' });
    await connect(service, app, { api_key: 'a&b=c d' });
    expect((await call(`/${app}/x`)).body.url).toBe('/x?key!=a%26b%3Dc%20d');
    expect((await call(`/${app}/x?q=%2f+&key%21=mine&&z&keys=1`)).body.url).toBe(
      '/x?q=%2f+&z&keys=1&key!=a%26b%3Dc%20d',
    );
  });

  it('can’t send another key along with the connection’s', async () => {
    const app = await addApp(service, target.url, { in: 'header', name: 'X-Api-Key', template: 'v1 {api_key}' });
    await connect(service, app, { api_key: 'ours' });
    const { body } = await call(`/${app}/x`, { 'x-api-key': 'theirs', cookie: 'sluice_session=s' });
    expect(body.headers['x-api-key']).toBe('v1 ours');
    expect(body.headers).not.toHaveProperty('authorization');
    expect(body.headers).not.toHaveProperty('cookie');
  });

  it('fills the base URL from the connection’s fields', async () => {
    const { port } = new URL(target.url);
    const app = await addApp(service, `http://{server}:${port}/{area}`);
    const connection_id = await connect(service, app, { server: 'localhost', area: 'eu.west', api_key: 'k' }).catch(
      (error: Error) => error.message,
    );
    expect(connection_id).toContain('fields.area');
    await connect(service, app, { server: 'localhost', area: 'eu-west', api_key: 'k' });
    const { body } = await call(`/${app}/x`);
    expect(body.url).toBe('/eu-west/x');
    expect(body.headers['host']).toBe(`localhost:${port}`);
  });

  it('is stored as the connection’s last use', async () => {
    const app = await addApp(service, target.url);
    const id = await connect(service, app, { api_key: 'k' });
    await call(`/${app}/x`);
    await expect.poll(async () => (await getConnection(service, id)).last_used_time).toMatch(/\d{6}Z$/);
  });

  it('leaves a log line without path, query or key', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'never-in-a-log' });
    await call(`/${app}/private-path?token=private-query`);
    await expect.poll(() => service.logged()).toMatch(new RegExp(`"app":"${app}".*gateway call`));
    expect(service.logged()).not.toMatch(/never-in-a-log|private-path|private-query/);
  });
});

describe('the selected connection', () => {
  it('is the named one, else the default, else the oldest ACTIVE one', async () => {
    const app = await addApp(service, target.url);
    const keyUsed = async (headers = {}) => (await call(`/${app}/x`, headers)).body.headers['authorization'];
    await newConnection(service, app);
    const first = await connect(service, app, { api_key: 'first' });
    const second = await connect(service, app, { api_key: 'second' });
    expect(await keyUsed()).toBe('Bearer first');
    expect(await keyUsed(by(second))).toBe('Bearer second');
    expect(await keyUsed(by(second.toUpperCase()))).toBe('Bearer second');
    await service.api('PATCH', `/connections/${second}`, { is_default: true });
    expect(await keyUsed()).toBe('Bearer second');
    await service.api('DELETE', `/connections/${second}`);
    expect(await keyUsed()).toBe('Bearer first');
    const { url } = await getConnection(service, first);
    await onLink(service, tokenOf(url), { method: 'API_KEY', fields: { api_key: 'rotated' } });
    expect(await keyUsed()).toBe('Bearer rotated');
  });

  it('must belong to the account and the app, and be ACTIVE', async () => {
    const app = await addApp(service, target.url);
    const other = await addApp(service, target.url);
    const pending = await newConnection(service, app);
    const elsewhere = await connect(service, other, { api_key: 'k' });
    const none = await call(`/${app}/x`);
    expect(none.status).toBe(400);
    expect(none.body).toEqual({
      message: expect.stringMatching(/no ACTIVE connection for app-\d+: create one with POST \/connections/),
      type: 'Bad Request',
      code: 400,
    });
    expect(none.headers.get('x-request-id')).toBeTruthy();
    const statuses = async (headers: Record<string, string>) => (await call(`/${app}/x`, headers)).status;
    expect(await statuses(by(pending))).toBe(400);
    expect(await statuses(by(elsewhere))).toBe(400);
    expect(await statuses(by(newId()))).toBe(404);
    expect(await statuses(by('not-an-id'))).toBe(404);
    await connect(service, app, { api_key: 'k' });
    expect(await statuses({})).toBe(200);
    expect(await statuses(by(''))).toBe(404);
  });

  it('is never another account’s', async () => {
    const { key } = await service.secondAccount();
    const app = await addApp(service, target.url);
    const id = await connect(service, app, { api_key: 'mine' });
    expect((await call(`/${app}/x`, by(id), key)).status).toBe(400);
    const body = {
      app,
      name: 'Same id',
      base_url: target.url,
      methods: [{ method: 'API_KEY', place: { in: 'header', name: 'X' } }],
    };
    await service.api('POST', '/apps', body, { key });
    expect((await call(`/${app}/x`, by(id), key)).status).toBe(404);
    expect((await call(`/${app}/x`, {}, key)).status).toBe(400);
    expect((await call(`/${app}/x`, by(id))).status).toBe(200);
  });
});

describe('an error of the service', () => {
  it.each([
    ['/no-such-app/x', 400, 'Unknown app "no-such-app"'],
    ['/schedule/x', 400, 'it has no API to call'],
    ['/%00/x', 400, 'Unknown app'],
  ])('for %s is a %i', async (path, status, message) => {
    const answer = await call(path);
    expect([answer.status, answer.body.code, answer.body.type]).toEqual([status, status, 'Bad Request']);
    expect(answer.body.message).toContain(message);
  });

  it('is a 401 without a key, and a session’s cookie is none', async () => {
    for (const headers of [{}, { cookie: 'sluice_session=x' }, { authorization: 'Basic eDp5' }])
      expect((await service.api('GET', '/stripe/v1', undefined, { key: null, headers })).status).toBe(401);
    expect((await call('/stripe/v1', {}, 'slc_wrong')).status).toBe(401);
  });

  it('is a 502 if nothing listens, without URL and key', async () => {
    const app = await addApp(service, 'http://127.0.0.1:1');
    await connect(service, app, { api_key: 'k-secret' });
    const answer = await call(`/${app}/x`);
    expect(answer.status).toBe(502);
    expect(answer.body).toEqual({
      message: 'The app could not be reached (ECONNREFUSED).',
      type: 'Bad Gateway',
      code: 502,
    });
  });

  it('is a 504 if the app does not respond in time', async () => {
    const app = await addApp(service, target.url);
    await connect(service, app, { api_key: 'k' });
    const answer = await call(`/${app}/silent`, { 'x-request-id': 'impatient' });
    expect(answer.status).toBe(504);
    expect(answer.headers.get('x-request-id')).toBe('impatient');
    expect(answer.body).toMatchObject({ type: 'Gateway Timeout', code: 504 });
  });
});

describe('where private addresses are not allowed', () => {
  let strict: Service;
  beforeAll(async () => {
    strict = await startService({ env: { SLUICE_ALLOW_PRIVATE_CIDRS: '' } });
  });
  afterAll(() => strict.stop());

  it.each(['localhost', '2130706433', '0x7f000001', '127'])('a call to the host %s is a 502', async (host) => {
    const app = await addApp(strict, `http://{host}:${new URL(target.url).port}`);
    await connect(strict, app, { host, api_key: 'k' });
    const answer = await strict.api('GET', `/${app}/x`);
    expect(answer.status).toBe(502);
    expect(answer.body['message']).toBe('The app could not be reached: its URL does not resolve to a public address.');
  });

  it('fields that form no valid URL are rejected on entry', async () => {
    const app = await addApp(strict, 'http://{host}');
    const refused = await connect(strict, app, { host: '99999999999', api_key: 'k' }).catch(
      (error: Error) => error.message,
    );
    expect(refused).toContain('fields: expected values that form a valid URL');
  });
});
