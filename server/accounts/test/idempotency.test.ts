import { describe, expect, it } from 'vitest';
import { fromNow } from '../../lib/clock.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import * as idempotency from '../idempotency.ts';

const service = serviceForAll();

const make = (body: unknown, key: string, as = service.key) =>
  service.api('POST', '/api-keys', body, { key: as, headers: { 'idempotency-key': key } });
const named = async (name: string) => {
  const { body } = await service.api<{ api_keys: { name: string }[] }>('GET', '/api-keys');
  return body.api_keys.filter((each) => each.name === name).length;
};
const entry = (key: string) =>
  service.services.db.selectFrom('idempotency').selectAll().where('key', '=', key).executeTakeFirstOrThrow();
const age = (key: string, touched_at: string) =>
  service.services.db.updateTable('idempotency').set({ touched_at }).where('key', '=', key).execute();

describe('an idempotency key', () => {
  it('returns the first response again, and runs the operation once', async () => {
    const first = await make({ name: 'once' }, 'k-1');
    const second = await make({ name: 'once' }, 'k-1');
    expect(first.status).toBe(200);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await named('once')).toBe(1);
  });

  it('is bound to one body, one operation and one account', async () => {
    await make({ name: 'mine' }, 'k-2');
    const other = await make({ name: 'another' }, 'k-2');
    expect(other.status).toBe(409);
    expect(other.body).toMatchObject({
      type: 'Conflict',
      code: 409,
      message: expect.stringMatching(/^Idempotency-Key: /),
    });
    const stranger = await service.secondAccount();
    expect((await make({ name: 'mine' }, 'k-2', stranger.key)).headers.get('idempotency-replayed')).toBeNull();
  });

  it('is released after a failed call', async () => {
    expect((await make({ name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 'k-3')).status).toBe(400);
    expect((await make({ name: 'after a failure' }, 'k-3')).status).toBe(200);
  });

  it('runs one of several concurrent calls, and returns its response to the others', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => make({ name: 'at once' }, 'k-4')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body['key'])).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await named('at once')).toBe(1);
  });

  it('runs the next of several concurrent calls after a failure', async () => {
    const past = { name: 'at once', expires_at: '2001-01-01T00:00:00Z' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => make(past, 'k-8')));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('stores the response sealed', async () => {
    const { body } = await make({ name: 'secret' }, 'k-5');
    const { answer } = await entry('k-5');
    expect(answer).toMatch(/^v1\./);
    expect(answer).not.toContain(String(body['key']).slice(4));
  });

  it('survives a restart', async () => {
    const { body } = await make({ name: 'kept' }, 'k-6');
    await service.restart();
    expect((await make({ name: 'kept' }, 'k-6')).body).toEqual(body);
  });

  it('expires after 24 hours', async () => {
    await make({ name: 'a day ago' }, 'k-7');
    await age('k-7', fromNow(-86_401_000));
    expect((await make({ name: 'another day' }, 'k-7')).status).toBe(200);
    await age('k-7', fromNow(-86_401_000));
    await idempotency.sweep(service.services);
    await expect(entry('k-7')).rejects.toThrow();
    await expect(entry('k-6')).resolves.toBeDefined();
  });
});

describe('a call that is in progress', () => {
  const claimOf = (key: string) => ({ account_id: service.account_id, operation: 'x', key, fingerprint: 'f' });

  it('keeps its key until it is not renewed for a minute; then the same call can claim it safely', async () => {
    const [first, second] = [claimOf('g-1'), claimOf('g-1')];
    const begin = (claim: idempotency.Claim) => idempotency.begin(service.services, claim);
    expect(await begin(first)).toEqual({ state: 'fresh' });
    await expect(begin(second)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('in progress') });
    await age('g-1', fromNow(-61_000));
    await expect(begin({ ...second, fingerprint: 'other' })).rejects.toMatchObject({ status: 409 });
    expect(await begin(second)).toEqual({ state: 'fresh' });

    await idempotency.finish(service.services, first, { status: 200, body: '{"n":1}' });
    await expect(begin(claimOf('g-1'))).rejects.toMatchObject({ status: 409 });
    await idempotency.finish(service.services, second, { status: 200, body: '{"n":2}' });
    expect(await begin(claimOf('g-1'))).toEqual({ state: 'answer', status: 200, body: '{"n":2}' });
    await idempotency.release(service.services, first);
    expect(await begin(claimOf('g-1'))).toMatchObject({ state: 'answer' });
  });
});
