/** API_KEY and BASIC, typed on a link and sent through the gateway to an app that looks at them. */
import { describe, expect, it } from 'vitest';
import { getConnection } from '../../connections/test/connecting.ts';
import {
  addCustomApp,
  connectBy,
  type Received,
  startEcho,
  tryConnect,
} from '../../connections/test/custom-support.ts';
import { echoForAll, serviceForAll } from '../../test/shared-set-up.ts';

const echo = echoForAll();
const service = serviceForAll();

const call = (path: string) => service.api<Received & { message: string }>('GET', path);
const header = (name: string, template: string) => ({ in: 'header', name, template });

describe('a key', () => {
  it.each<[string, string, object, Record<string, string>, Partial<Received>]>([
    ['in a header', '', { place: header('X-Key', '{api_key}') }, {}, { headers: { 'x-key': 'k/1' } }],
    [
      'in a template with another field',
      '',
      { place: header('Authorization', 'Token {account}:{api_key}') },
      { account: 'acme' },
      { headers: { authorization: 'Token acme:k/1' } },
    ],
    [
      'in the query',
      '/v1',
      { place: { in: 'query', name: 'key', template: '{api_key}' } },
      {},
      { url: '/v1/me?a=b&key=k%2F1' },
    ],
    ['in the path', '/bot{api_key}', {}, {}, { url: '/botk%2F1/me?a=b' }],
    [
      'in two headers and the query',
      '',
      {
        place: header('X-Api-Key', '{api_key}'),
        more_places: [header('X-App-Key', '{app_key}'), { in: 'query', name: 'site', template: '{app_key}.{site}' }],
      },
      { app_key: 'second', site: 'eu' },
      { url: '/me?a=b&site=second.eu', headers: { 'x-api-key': 'k/1', 'x-app-key': 'second' } },
    ],
  ])('%s reaches the app', async (_, path, places, fields, expected) => {
    const app = await addCustomApp(service, echo.url + path, [{ method: 'API_KEY', ...places }]);
    await connectBy(service, app, 'API_KEY', { api_key: 'k/1', ...fields });
    const { status, body } = await call(`/${app}/me?a=b`);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
    expect(body.headers['authorization'] ?? '').not.toContain(service.key);
  });

  it.each<[string, Record<string, string>, string]>([
    ['left out', {}, 'fields.api_key: expected a value'],
    ['of spaces', { api_key: ' \t ' }, 'fields.api_key: expected a value'],
    ['with a line break', { api_key: 'k\r\nX-Admin: 1' }, 'fields.api_key: expected one line'],
    ['with a NUL', { api_key: 'k\u0000' }, 'fields.api_key: expected no NUL character'],
    ['of other letters', { api_key: 'schlüssel' }, 'fields.api_key: expected one line'],
    ['beside an unknown one', { api_key: 'k', other: 'x' }, 'fields.other: unknown field'],
  ])('%s is refused by name, and the connection waits on', async (_, fields, message) => {
    const app = await addCustomApp(service, echo.url, [
      { method: 'API_KEY', place: header('Authorization', 'Bearer {api_key}') },
    ]);
    const refused = await tryConnect(service, app, 'API_KEY', fields);
    expect([refused.status, refused.message]).toEqual([400, expect.stringContaining(message)]);
    expect(await getConnection(service, refused.id)).toMatchObject({ status: 'PENDING', metadata: {} });
  });
});

describe('a user name and a password', () => {
  const letIn = (username: string, password: string) => (received: Received) => {
    const [scheme, given = ''] = (received.headers['authorization'] ?? '').split(' ');
    const text = Buffer.from(given, 'base64').toString();
    const colon = text.indexOf(':');
    return scheme === 'Basic' && text.slice(0, colon) === username && text.slice(colon + 1) === password;
  };

  it.each([
    ['plain', 'mira', 'secret'],
    ['beyond ASCII', 'Müller', 'pässwörd 密码 🔑'],
    ['with colons', 'mira', 'a:b::c:'],
    ['without a password, as where a key stands for the name', 'sk_test_1', ''],
    ['with what means something elsewhere', '{password}', '%0d%0a&?#"\\'],
  ])('%s are let in', async (_, username, password) => {
    const strict = await startEcho(letIn(username, password));
    const app = await addCustomApp(service, strict.url, [{ method: 'BASIC' }]);
    await connectBy(service, app, 'BASIC', { username, ...(password === '' ? {} : { password }) });
    expect((await call(`/${app}/me`)).status).toBe(200);
    await connectBy(service, app, 'BASIC', { username, password: 'another' }).then(async (other) => {
      const answer = await service.api('GET', `/${app}/me`, undefined, { headers: { 'service-connection': other } });
      expect(answer.status).toBe(401);
    });
    await strict.close();
  });

  it.each<[Record<string, string>, string]>([
    [{ password: 'p' }, 'fields.username: expected a value'],
    [{ username: 'a:b', password: 'p' }, 'fields.username: expected a user name without a colon'],
    [{ username: 'a', password: 'p\r\nX: 1' }, 'fields.password: expected one line without control characters'],
    [{ username: 'a\u0085', password: 'p' }, 'fields.username: expected one line without control characters'],
    [{ username: 'a', password: 'p\ud800' }, 'fields.password: expected text without lone surrogates'],
  ])('%j are refused by name', async (fields, message) => {
    const app = await addCustomApp(service, echo.url, [{ method: 'BASIC' }]);
    const refused = await tryConnect(service, app, 'BASIC', fields);
    expect([refused.status, refused.message]).toEqual([400, message]);
  });

  it('are called what the app calls them', async () => {
    const labels = { username_label: 'Account SID', password_label: 'Auth token' };
    const app = await addCustomApp(service, echo.url, [{ method: 'BASIC', ...labels }]);
    const { body } = await service.api('GET', `/apps/${app}`);
    expect(body).toMatchObject({
      app: {
        methods: [{ fields: [{ label: 'Account SID' }, { label: 'Auth token', secret: true, required: false }] }],
      },
    });
  });
});

describe('an updated app', () => {
  it('is called with its new definition at once', async () => {
    const place = header('X-Key', '{api_key}');
    const app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place }]);
    await connectBy(service, app, 'API_KEY', { api_key: 'k' });
    expect((await call(`/${app}/me`)).body.headers['x-key']).toBe('k');
    const methods = [{ method: 'API_KEY', place: header('X-Other', 'v2 {api_key}') }];
    await service.api('PATCH', `/apps/${app}`, { base_url: `${echo.url}/v2`, methods });
    const { body } = await call(`/${app}/me`);
    expect(body).toMatchObject({ url: '/v2/me', headers: { 'x-other': 'v2 k' } });
    expect(body.headers).not.toHaveProperty('x-key');
  });

  it('reports connections that lack a newly required field', async () => {
    const place = header('X-Key', '{api_key}');
    const app = await addCustomApp(service, echo.url, [{ method: 'API_KEY', place }]);
    const id = await connectBy(service, app, 'API_KEY', { api_key: 'k' });
    await service.api('PATCH', `/apps/${app}`, { base_url: `${echo.url}/{region}` });
    const answer = await call(`/${app}/me`);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      `The connection ${id} can’t be used: region is missing. Connect it again on its url.`,
    ]);
    await service.api('PATCH', `/apps/${app}`, { methods: [{ method: 'BASIC' }] });
    expect((await call(`/${app}/me`)).body.message).toContain(`The connection ${id} has no method of ${app}`);
  });
});
