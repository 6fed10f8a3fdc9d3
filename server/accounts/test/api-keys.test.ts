import { describe, expect, it } from 'vitest';
import { fromNow } from '../../lib/clock.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

type Key = { key_id: string; name: string; prefix: string; last_used_at: string | null; expires_at: string | null };
type Made = { api_key: Key; key: string };

const service = serviceForAll();

const make = async (body: unknown) => (await service.api<Made>('POST', '/api-keys', body)).body;
const list = async (key = service.key) =>
  (await service.api<{ api_keys: Key[] }>('GET', '/api-keys', undefined, { key })).body.api_keys;
const statusWith = async (key: string) => (await service.api('GET', '/account', undefined, { key })).status;

describe('a key', () => {
  it('is returned in clear once, and works at once', async () => {
    const { api_key, key } = await make({ name: 'deploys' });
    expect(key).toMatch(/^slc_[0-9A-Za-z]{43}$/);
    expect(api_key).toEqual({
      key_id: expect.any(String),
      name: 'deploys',
      prefix: key.slice(0, 12),
      created_at: expect.any(String),
      ...{ created_by: 'First key', created_by_user_id: null, creator_removed: false },
      ...{ access: 'FULL', scopes: null, gateway: null, functions: null, ip_ranges: null },
      last_used_at: null,
      last_used_ip: null,
      expires_at: null,
      old: null,
    });
    expect(await statusWith(key)).toBe(200);
    expect((await list())[0]).toMatchObject({ key_id: api_key.key_id, prefix: key.slice(0, 12) });
    expect(JSON.stringify(await list())).not.toContain(key.slice(12));
    expect(service.logged()).not.toContain(key.slice(12));
    const rows = await service.services.db.selectFrom('api_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(key.slice(12));
  });

  it('acts for its account under its name', async () => {
    const { api_key, key } = await make({ name: 'actor' });
    await service.api('POST', '/api-keys', { name: 'made by a key' }, { key });
    const { key_id } = api_key;
    for (const filter of ['actor_id', 'key_id']) {
      const { body } = await service.api('GET', `/audit?${filter}=${key_id}`);
      expect(body).toMatchObject({
        entries: [{ actor_type: 'API_KEY', actor_name: 'actor', key_id, operation: 'apiKeyCreate' }],
      });
    }
  });

  it('is rejected as soon as it is revoked', async () => {
    const { api_key, key } = await make({ name: 'short-lived' });
    expect(await statusWith(key)).toBe(200);
    expect((await service.api('DELETE', `/api-keys/${api_key.key_id}`)).status).toBe(200);
    expect(await statusWith(key)).toBe(401);
    expect((await service.api('DELETE', `/api-keys/${api_key.key_id}`)).status).toBe(404);
    expect((await list()).map((each) => each.key_id)).not.toContain(api_key.key_id);
  });

  it('can be renamed, and its expiry set or removed, separately', async () => {
    const { api_key } = await make({ name: 'old', expires_at: fromNow(3_600_000) });
    const path = `/api-keys/${api_key.key_id}`;
    const renamed = await service.api<Made>('PATCH', path, { name: 'new' });
    expect(renamed.body.api_key).toEqual({ ...api_key, name: 'new' });
    const endless = await service.api<Made>('PATCH', path, { expires_at: null });
    expect(endless.body.api_key).toEqual({ ...api_key, name: 'new', expires_at: null });
    expect((await service.api<Made>('PATCH', path, {})).body).toEqual(endless.body);
    const dated = await service.api<Made>('PATCH', path, { expires_at: '2999-01-31T09:00:00+01:00' });
    expect(dated.body.api_key.expires_at).toBe('2999-01-31T08:00:00.000000Z');
  });

  it('expires, within seconds also if another node set the time', async () => {
    const { api_key, key } = await make({ name: 'ends', expires_at: fromNow(3_600_000) });
    expect(await statusWith(key)).toBe(200);
    await service.services.db
      .updateTable('api_keys')
      .set({ expires_at: fromNow(-1000) })
      .where('key_id', '=', api_key.key_id)
      .execute();
    await expect.poll(() => statusWith(key)).toBe(401);
    await service.api('PATCH', `/api-keys/${api_key.key_id}`, { expires_at: null });
    expect(await statusWith(key)).toBe(200);
  });

  it('has the time of its last use', async () => {
    const { api_key, key } = await make({ name: 'used' });
    await statusWith(key);
    const lastUsed = async () => (await list()).find((each) => each.key_id === api_key.key_id)?.last_used_at;
    await expect.poll(lastUsed).toMatch(/^\d{4}-.*\.\d{6}Z$/);
  });

  it('stores its last use before the service stops', async () => {
    const { api_key, key } = await make({ name: 'used at the end' });
    await statusWith(key);
    await service.restart();
    expect((await list()).find((each) => each.key_id === api_key.key_id)?.last_used_at).not.toBeNull();
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'two\nlines' }, 'name'],
    [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
    [{ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    [{ name: 'x', scope: 'all' }, 'scope'],
  ])('refuses %j', async (body, field) => {
    const answer = await service.api('POST', '/api-keys', body);
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toMatch(new RegExp(`^${field}: `));
  });

  it('of another account is not found', async () => {
    const other = await service.secondAccount();
    const mine = await make({ name: 'mine' });
    expect((await list(other.key)).map((each) => each.name)).toEqual(['second']);
    for (const [method, body] of [
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await service.api(method, `/api-keys/${mine.api_key.key_id}`, body, { key: other.key });
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toBe('API key not found');
    }
    expect(await statusWith(mine.key)).toBe(200);
  });
});

describe('the Authorization header', () => {
  it.each(['Bearer', 'Bearer ', 'Basic abc', 'bearer nothing', 'Bearer a b'])(
    '%j is not a key',
    async (authorization) => {
      const answer = await service.api('GET', '/account', undefined, { key: null, headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    },
  );
});
