import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { addApp, type Connection, connect, getConnection, newConnection, onLink, tokenOf } from './connecting.ts';

const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addApp(service, 'http://127.0.0.1:9');
});

const list = async (query = '', key = service.key) =>
  (await service.api<{ connections: Connection[] }>('GET', `/connections${query}`, undefined, { key })).body
    .connections;
const patch = (id: string, body: object, key = service.key) =>
  service.api<{ connection: Connection; message: string }>('PATCH', `/connections/${id}`, body, { key });

describe('a connection', () => {
  it('starts PENDING without a method, with a link to complete it', async () => {
    const answer = await service.api('POST', '/connections', { app });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ connection_id: expect.any(String) });
    const connection = await getConnection(service, String(answer.body['connection_id']));
    expect(connection).toEqual({
      connection_id: answer.body['connection_id'],
      status: 'PENDING',
      creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      last_updated_time: connection.creation_time,
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/connect\?token=[\w.-]+$/),
      app,
      metadata: {},
      name: null,
      is_default: false,
      last_used_time: null,
      token_expires_at: null,
      refreshed_at: null,
      refresh_at: null,
      trigger_count: 0,
      tags: [],
      end_user: null,
      attention: [],
      check_every_minutes: null,
      check: null,
      next_check_at: null,
      credentials_expire_at: null,
    });
    expect((await getConnection(service, connection.connection_id)).url.length).toBe(connection.url.length);
  });

  it('has the given method, name and metadata', async () => {
    const id = await newConnection(service, app, { method: 'API_KEY', name: ' Mine ', metadata: { user: { id: 7 } } });
    expect(await getConnection(service, id)).toMatchObject({
      method: 'API_KEY',
      name: 'Mine',
      metadata: { user: { id: 7 } },
    });
  });

  it.each<[string, object]>([
    ['app: expected an app of GET /apps', { app: 'no-such-app' }],
    ['app: schedule needs no connection', { app: 'schedule' }],
    ['app: ', {}],
    ['method: expected a method of anthropic (API_KEY), got OAUTH2', { app: 'anthropic', method: 'OAUTH2' }],
    ['method: ', { app: 'stripe', method: 'MAGIC' }],
    ['metadata: ', { app: 'stripe', metadata: { failure: 1 } }],
    ['secret: unknown field', { app: 'stripe', secret: 'x' }],
  ])('is rejected with "%s" for %j', async (message, body) => {
    const answer = await service.api('POST', '/connections', body);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toContain(message);
  });

  it('can be renamed, and its metadata is replaced as a whole', async () => {
    const id = await newConnection(service, app, { name: 'One', metadata: { a: 1, b: 2 } });
    const { body } = await patch(id, { metadata: { a: 3 } });
    expect(body.connection).toMatchObject({ name: 'One', metadata: { a: 3 } });
    expect((await patch(id, { name: null })).body.connection).toMatchObject({ name: null, metadata: { a: 3 } });
    expect(body.connection.last_updated_time > body.connection.creation_time).toBe(true);
    expect((await patch(id, { is_default: false })).status).toBe(400);
    expect((await patch(id, { status: 'ACTIVE' })).status).toBe(400);
  });

  it('replaces the previous default of its app, also with concurrent requests', async () => {
    const other = await newConnection(service, 'stripe');
    const ids = await Promise.all([1, 2, 3, 4].map(() => newConnection(service, app)));
    await patch(other, { is_default: true });
    const answers = await Promise.all(ids.map((id) => patch(id, { is_default: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await list(`?app=${app}`)).filter((each) => each.is_default)).toHaveLength(1);
    expect((await getConnection(service, other)).is_default).toBe(true);
  });

  it('has an audit entry for each change', async () => {
    const id = await connect(service, app, { api_key: 'k' });
    await patch(id, { name: 'Audited' });
    await service.api('DELETE', `/connections/${id}`);
    const { body } = await service.api<{ entries: Record<string, unknown>[] }>('GET', `/audit?resource_id=${id}`);
    expect(body.entries.map((each) => [each['operation'], each['actor_type']])).toEqual([
      ['connectionDelete', 'API_KEY'],
      ['connectionUpdate', 'API_KEY'],
      ['connectSessionSubmit', 'CONNECT_LINK'],
      ['connectionCreate', 'API_KEY'],
    ]);
  });
});

describe('the list', () => {
  it('is newest first and filtered by app, status and method', async () => {
    const one = await addApp(service, 'http://127.0.0.1:9');
    const ids = [await newConnection(service, one), await newConnection(service, one, { method: 'API_KEY' })];
    ids.push(await connect(service, one, { api_key: 'k' }));
    const found = async (query: string) => (await list(`?app=${one}${query}`)).map((each) => each.connection_id);
    expect(await found('')).toEqual(ids.toReversed());
    expect(await found('&status=ACTIVE')).toEqual([ids[2]]);
    expect(await found('&status=PENDING&method=API_KEY')).toEqual([ids[1]]);
    expect(await found('&method=OAUTH2')).toEqual([]);
    expect((await service.api('GET', '/connections?status=active')).status).toBe(400);
    expect((await service.api('GET', '/connections?method=KEY')).status).toBe(400);
  });

  it('contains connections of one account only', async () => {
    const id = await newConnection(service, app);
    const { key } = await service.secondAccount();
    expect(await list('', key)).toEqual([]);
    for (const [method, body] of [
      ['GET'],
      ['PATCH', { name: 'x' }],
      ['PATCH', { is_default: true }],
      ['DELETE'],
    ] as const)
      expect((await service.api(method, `/connections/${id}`, body, { key })).status).toBe(404);
    expect((await getConnection(service, id)).name).toBeNull();
  });
});

describe('deleting', () => {
  it('disables the triggers that used it, and its link stops working', async () => {
    const id = await newConnection(service, app);
    const { url } = await getConnection(service, id);
    const { body } = await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
    });
    // No source of the catalogue uses a connection yet.
    await service.services.db
      .updateTable('triggers')
      .set({ connection_id: id })
      .where('trigger_id', '=', body.trigger.trigger_id)
      .execute();
    expect((await service.api('DELETE', `/connections/${id}`)).body).toEqual({});
    expect((await service.api('GET', `/triggers/${body.trigger.trigger_id}`)).body).toMatchObject({
      trigger: { status: 'DISABLED', reason: 'CONNECTION_DELETED', connection_id: id },
    });
    expect((await service.api('DELETE', `/connections/${id}`)).status).toBe(404);
    expect((await onLink(service, tokenOf(url))).status).toBe(404);
  });

  it('returns 404 for an unknown connection', async () => {
    expect((await service.api('DELETE', `/connections/${newId()}`)).status).toBe(404);
  });
});
