/** Rotation of API keys: a new secret, and an overlap in which the old one works. */
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { fromNow } from '../../lib/clock.ts';
import { signIn } from '../../test/browser.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Made = Reply<'apiKeyCreate'>;

const service = serviceForAll();
const owner = forAll(() => signIn(service));
const make = async (body: Omit<Body<'apiKeyCreate'>, 'name'>): Promise<Made> =>
  (await service.api<Made>('POST', '/api-keys', { name: 'rotated', ...body })).body;
const ask = (key: string, method: string, path: string, { body }: { body?: unknown } = {}) =>
  service.api<{ message: string }>(method, path, body, { key });

describe('a rotated key', () => {
  it('has a new secret; the old one works until the overlap ends', async () => {
    const { api_key, key } = await make({ scopes: ['triggers:read'] });
    const rotated = await service.api<Made>('POST', `/api-keys/${api_key.key_id}:rotate`, { overlap_hours: 2 });
    expect(rotated.body.api_key).toMatchObject({
      key_id: api_key.key_id,
      scopes: ['triggers:read'],
      old: { prefix: api_key.prefix },
    });
    expect(rotated.body.api_key.prefix).not.toBe(api_key.prefix);
    const endsMs = Date.parse(rotated.body.api_key.old?.expires_at ?? '') - Date.now();
    expect(Math.round(endsMs / 60_000)).toBe(120);
    for (const each of [key, rotated.body.key]) {
      expect((await ask(each, 'GET', '/triggers')).status).toBe(200);
      expect((await ask(each, 'GET', '/events')).status).toBe(403);
    }
    const row = service.services.db.updateTable('api_keys').set({ old_expires_at: fromNow(-1000) });
    await row.where('key_id', '=', api_key.key_id).execute();
    await ask(service.key, 'PATCH', `/api-keys/${api_key.key_id}`, { body: { name: 'rotated' } });
    expect((await ask(key, 'GET', '/triggers')).status).toBe(401);
    expect((await ask(rotated.body.key, 'GET', '/triggers')).status).toBe(200);
  });

  it('loses the secret of an earlier rotation, and without an overlap the old one at once', async () => {
    const { api_key, key } = await make({});
    const rotate = async (overlap_hours?: number) =>
      (await service.api<Made>('POST', `/api-keys/${api_key.key_id}:rotate`, { overlap_hours })).body;
    const second = await rotate();
    expect(Math.round((Date.parse(second.api_key.old?.expires_at ?? '') - Date.now()) / 3_600_000)).toBe(24);
    const third = await rotate(1);
    expect((await ask(key, 'GET', '/account')).status).toBe(401);
    expect((await ask(second.key, 'GET', '/account')).status).toBe(200);
    const fourth = await rotate(0);
    expect(fourth.api_key.old).toBeNull();
    expect((await ask(second.key, 'GET', '/account')).status).toBe(401);
    expect((await ask(third.key, 'GET', '/account')).status).toBe(401);
    expect((await ask(fourth.key, 'GET', '/account')).status).toBe(200);
    await ask(service.key, 'DELETE', `/api-keys/${api_key.key_id}`);
    expect((await ask(fourth.key, 'GET', '/account')).status).toBe(401);
  });

  it('is revoked with both secrets', async () => {
    const { api_key, key } = await make({});
    const { key: newer } = (await service.api<Made>('POST', `/api-keys/${api_key.key_id}:rotate`)).body;
    for (const each of [key, newer]) expect((await ask(each, 'GET', '/account')).status).toBe(200);
    await ask(service.key, 'DELETE', `/api-keys/${api_key.key_id}`);
    for (const each of [key, newer]) expect((await ask(each, 'GET', '/account')).status).toBe(401);
  });

  it.each([-1, 169, 1.5, '24'])('refuses an overlap of %j hours', async (overlap_hours) => {
    const { api_key } = await make({});
    const answer = await ask(service.key, 'POST', `/api-keys/${api_key.key_id}:rotate`, { body: { overlap_hours } });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/^overlap_hours: /)]);
  });

  it('needs the password again in the console', async () => {
    const { api_key } = await make({});
    await service.services.db
      .updateTable('sessions')
      .set({ confirmed_at: fromNow(-7_200_000) })
      .execute();
    for (const [method, path, body] of [
      ['POST', `/api-keys/${api_key.key_id}:rotate`, {}],
      ['PATCH', `/api-keys/${api_key.key_id}`, { access: 'FULL' }],
    ] as const) {
      const answer = await owner.call<{ required?: string }>(method, path, body);
      expect([answer.status, answer.body.required]).toEqual([403, 'CONFIRM_PASSWORD']);
    }
    expect((await owner.call('PATCH', `/api-keys/${api_key.key_id}`, { name: 'only renamed' })).status).toBe(200);
  });
});
