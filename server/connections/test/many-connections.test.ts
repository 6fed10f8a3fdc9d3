/** Tags, end users, filters and pages of connections. */
import { beforeAll, describe, expect, it } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { addApp, type Connection, connect, getConnection, newConnection } from './connecting.ts';

type Page = { connections: Connection[]; next_token?: string | null; message: string };

const service = serviceForAll();
let app: string;
beforeAll(async () => {
  app = await addApp(service, 'http://127.0.0.1:9');
});

const read = (query: string, key = service.key) =>
  service.api<Page>('GET', `/connections?${query}`, undefined, { key });
const idsOf = ({ connections }: Page) => connections.map(({ connection_id }) => connection_id);
const ids = async (query: string, key?: string) => idsOf((await read(query, key)).body);

describe('tags and the end user', () => {
  const end_user = { id: 'u-1', email: 'ann@example.com', name: 'Ann' };

  it('are given at creation, read back, and replaced as a whole', async () => {
    const id = await newConnection(service, app, { tags: ['gold', ' eu ', 'gold'], end_user });
    expect(await getConnection(service, id)).toMatchObject({ tags: ['gold', 'eu'], end_user });
    const patch = async (body: object) =>
      (await service.api<{ connection: Connection }>('PATCH', `/connections/${id}`, body)).body.connection;
    expect(await patch({ tags: ['silver'] })).toMatchObject({ tags: ['silver'], end_user });
    expect(await patch({ end_user: { id: 'u-2' } })).toMatchObject({
      tags: ['silver'],
      end_user: { id: 'u-2', email: null, name: null },
    });
    expect(await patch({ end_user: null, tags: [] })).toMatchObject({ tags: [], end_user: null });
    expect(await getConnection(service, id)).toMatchObject({ tags: [], end_user: null });
  });

  it.each<[string, object]>([
    ['tags: expected at most 20 tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }],
    ['tags.0: expected at most 64 characters', { tags: ['x'.repeat(65)] }],
    ['tags.1: expected at least one character', { tags: ['a', ' '] }],
    ['tags.0: expected no comma', { tags: ['a,b'] }],
    ['tags.0: expected one line', { tags: ['a\nb'] }],
    ['tags', { tags: 'gold' }],
    ['end_user.id', { end_user: {} }],
    ['end_user.id: expected at most 200 characters', { end_user: { id: 'x'.repeat(201) } }],
    ['end_user.email: expected an email address', { end_user: { id: 'x', email: 'ann' } }],
    ['end_user.phone: unknown field', { end_user: { id: 'x', phone: '1' } }],
  ])('is rejected with "%s"', async (message, body) => {
    for (const [method, path] of [
      ['POST', '/connections'],
      ['PATCH', `/connections/${await newConnection(service, app)}`],
    ] as const) {
      const answer = await service.api(method, path, method === 'POST' ? { app, ...body } : body);
      expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});

describe('the filters', () => {
  it('find by tag, end user, text and need of attention', async () => {
    const one = await addApp(service, 'http://127.0.0.1:9');
    const ann = { id: 'customer-7', email: 'ann@acme.example', name: 'Ann Acme' };
    const a = await newConnection(service, one, { name: '100% of sales', tags: ['gold', 'eu_1'], end_user: ann });
    const b = await newConnection(service, one, { tags: ['gold'] });
    const c = await connect(service, one, { api_key: 'k' });
    const of = (query: string) => ids(`app=${one}&${query}`);
    expect(await of('tag=gold')).toEqual([b, a]);
    expect(await of('tag=gol')).toEqual([]);
    expect(await of('tag=gold&q=acme')).toEqual([a]);
    expect(await of('end_user=customer-7')).toEqual([a]);
    expect(await of('end_user=customer')).toEqual([]);
    for (const text of ['100%25 OF', 'EU_1', 'ann%20acme', 'customer-7', '@ACME', a])
      expect(await of(`q=${text}`)).toEqual([a]);
    // a wildcard of SQL is text
    expect(await of('q=%25')).toEqual([a]);
    expect(await of('q=eu%25')).toEqual([]);
    // the name of the app, which the row does not have
    const { body } = await service.api<{ app: { name: string } }>('GET', `/apps/${one}`);
    expect(await ids(`q=${encodeURIComponent(body.app.name.toUpperCase())}`)).toEqual(
      expect.arrayContaining([c, b, a]),
    );
    const failure = { code: 'REVOKED', message: 'Revoked.', since: new Date().toISOString() };
    await service.services.db
      .updateTable('connections')
      .set({ status: 'FAILED', failure: JSON.stringify(failure) })
      .where('connection_id', '=', c)
      .execute();
    await service.services.db
      .updateTable('connections')
      .set({ last_error: JSON.stringify({ code: 'EXCHANGE_FAILED', message: 'No.', time: failure.since }) })
      .where('connection_id', '=', b)
      .execute();
    expect(await of('attention=true')).toEqual([c, b]);
  });

  it.each([
    'tag=',
    'end_user=',
    'q=',
    `q=${'x'.repeat(201)}`,
    'attention=yes',
    'limit=-1',
    'limit=x',
    'next_token=junk',
    'next_token=',
  ])('reject %s', async (query) => {
    const { status, body } = await read(query);
    expect([status, body.message]).toEqual([400, expect.stringContaining(`${query.split('=')[0]}: `)]);
  });
});

describe('a page', () => {
  it('ends with the token of the next; without limit and token all are returned, without a token', async () => {
    const one = await addApp(service, 'http://127.0.0.1:9');
    const all: string[] = [];
    for (let n = 0; n < 5; n++) all.unshift(await newConnection(service, one, { tags: ['x'] }));
    const whole = (await read(`app=${one}`)).body;
    expect(idsOf(whole)).toEqual(all);
    expect(whole).not.toHaveProperty('next_token');
    const first = (await read(`app=${one}&limit=2`)).body;
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    const second = (await read(`app=${one}&limit=2&next_token=${first.next_token}`)).body;
    expect(idsOf(second)).toEqual(all.slice(2, 4));
    const third = (await read(`app=${one}&next_token=${second.next_token}`)).body;
    expect(third).toMatchObject({ connections: [{ connection_id: all[4] }], next_token: null });
    // bound to its filters and to its account
    expect((await read(`app=${one}&tag=x&limit=2&next_token=${first.next_token}`)).status).toBe(400);
    const { key } = await service.secondAccount();
    expect((await read(`app=${one}&limit=2&next_token=${first.next_token}`, key)).status).toBe(400);
    expect(await ids(`app=${one}&limit=0`)).toEqual(all);
    expect(await ids(`app=${one}&tag=x`, key)).toEqual([]);
  });
});
