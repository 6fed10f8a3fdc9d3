/** What needs attention: the list selects exactly the connections that say why; and scheduled checks. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import type { AttentionCode } from '../../../contract/states.ts';
import { newId } from '../../lib/ids.ts';
import type { ConnectionsTable } from '../../platform/database/schema.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';
import { connect } from './connecting.ts';
import { addCustomApp, connectBy, startApp } from './custom-support.ts';

type Connection = Reply<'connectionGet'>['connection'];
let status = 200;
let asked: string[] = [];
const upstream = forAll(() =>
  startApp((req, res) => {
    asked.push(`${req.url} ${req.headers.authorization}`);
    res.writeHead(status).end('{}');
  }),
);
const service = serviceForAll();
beforeEach(() => {
  status = 200;
  asked = [];
});

const place = { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' };
const addProbed = () => addCustomApp(service, upstream.url, [{ method: 'API_KEY', place }], { probe: { path: '/me' } });
const probed = async () => {
  const app = await addProbed();
  const id = await connectBy(service, app, 'API_KEY', { api_key: 'k' });
  asked = [];
  return { app, id };
};
const read = async (id: string) =>
  (await service.api<{ connection: Connection }>('GET', `/connections/${id}`)).body.connection;
const patch = (id: string, body: object) =>
  service.api<{ connection: Connection; message: string }>('PATCH', `/connections/${id}`, body);
const inNeed = async (app: string) =>
  (await service.api<Reply<'connectionList'>>('GET', `/connections?attention=true&app=${app}`)).body.connections;
const set = (id: string, changes: Partial<ConnectionsTable>) =>
  service.services.db.updateTable('connections').set(changes).where('connection_id', '=', id).execute();
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('needs attention', () => {
  const soon = inDays(3);
  const failure = { code: 'REVOKED', message: 'Revoked.', since: inDays(-1) };
  const CHECK = JSON.stringify({ at: inDays(-1), ok: null, status: 500, message: 'No.' });
  const CASES: [AttentionCode, Partial<ConnectionsTable>, string][] = [
    ['FAILED', { status: 'FAILED', failure: JSON.stringify(failure) }, 'Revoked.'],
    ['CONNECT_FAILED', { last_error: JSON.stringify({ ...failure, time: failure.since }) }, 'Revoked.'],
    ['UNCONFIRMED', { unconfirmed: JSON.stringify({ message: 'Not asked.', time: failure.since }) }, 'Not asked.'],
    ['REFRESH_FAILING', { refresh_failing_since: inDays(-1), refresh_at: inDays(1) }, 'Every token refresh failed'],
    ['TOKEN_EXPIRED', { token_expires_at: inDays(-1), refreshed_at: inDays(-2) }, 'The access token expired'],
    ['TOKEN_EXPIRES', { token_expires_at: soon, refresh_at: soon, refreshed_at: inDays(-1) }, 'no refresh token'],
    ['CREDENTIALS_EXPIRE', { credentials_expire_at: inDays(13) }, 'Replace them before'],
    ['CREDENTIALS_EXPIRED', { credentials_expire_at: inDays(-1) }, 'The credentials expired'],
    ['SCOPE_MISSING', { missing_scopes: '["read","write"]' }, 'did not grant all scopes: read, write.'],
    ['CALLS_DENIED', { denied_calls: 3 }, 'rejected the last 3 calls'],
    ['CHECK_FAILED', { check_failures: 2, check_result: CHECK }, 'The last check failed: No.'],
  ];
  it.each(CASES)('%s', async (code, changes, words) => {
    const { app, id } = await probed();
    expect([(await read(id)).attention, await inNeed(app)]).toEqual([[], []]);
    await set(id, changes);
    const message = expect.stringContaining(words);
    expect((await read(id)).attention).toEqual([{ code, message }]);
    expect(await inNeed(app)).toMatchObject([{ connection_id: id, attention: [{ code, message }] }]);
  });

  it('WEBHOOK_FAILED', async () => {
    const { app, id } = await probed();
    const at = new Date().toISOString();
    const { account_id } = await service.services.db
      .selectFrom('connections')
      .select('account_id')
      .where('connection_id', '=', id)
      .executeTakeFirstOrThrow();
    const hook = { hook_id: newId(), trigger_id: newId(), app, connection_id: id, ingress_hash: 'x', wanted: '{}' };
    const state = { state: 'FAILED' as const, remote_id: null, message: 'No.', tries: 1, leased: false, next_at: null };
    await service.services.db
      .insertInto('source_hooks')
      .values({ account_id, ...hook, ...state, created_at: at, updated_at: at })
      .execute();
    expect((await inNeed(app)).map(({ attention }) => attention)).toEqual([
      [{ code: 'WEBHOOK_FAILED', message: expect.stringContaining('webhook of a trigger') }],
    ]);
    await service.services.db.deleteFrom('source_hooks').where('hook_id', '=', hook.hook_id).execute();
  });

  it.each([
    ['a token that is refreshed on use', { token_expires_at: inDays(-1), refreshed_at: inDays(-1), refresh_at: null }],
    ['a token that is refreshed before it expires', { token_expires_at: soon, refresh_at: inDays(2) }],
    ['credentials that expire later', { credentials_expire_at: inDays(15) }],
    ['two denied calls', { denied_calls: 2 }],
    ['one check without a result', { check_failures: 1, check_result: CHECK }],
  ])('not for %s', async (_, changes) => {
    const { app, id } = await probed();
    await set(id, changes);
    expect([(await read(id)).attention, await inNeed(app)]).toEqual([[], []]);
  });

  it('after three calls with 401 or 403, until another response arrives', async () => {
    const { app, id } = await probed();
    const call = () => service.api('GET', `/${app}/x`);
    status = 403;
    for (let calls = 0; calls < 3; calls++) await call();
    await expect
      .poll(async () => (await inNeed(app)).map(({ attention }) => attention[0]?.code))
      .toEqual(['CALLS_DENIED']);
    status = 200;
    await call();
    await expect.poll(async () => (await read(id)).attention).toEqual([]);
  });

  it('of another account is not visible', async () => {
    const { id } = await probed();
    await set(id, { denied_calls: 3 });
    const { key } = await service.secondAccount();
    const { body } = await service.api<Reply<'connectionList'>>('GET', '/connections?attention=true', undefined, {
      key,
    });
    expect(body.connections).toEqual([]);
  });
});

describe('a scheduled check', () => {
  /** Makes the check due and waits for its result. */
  async function checked(id: string): Promise<Connection> {
    const before = (await read(id)).check?.at;
    await set(id, { check_at: inDays(-1) });
    service.services.nudge('checker');
    await expect.poll(async () => (await read(id)).check?.at !== before).toBe(true);
    return read(id);
  }

  it('is off by default; it is set for a connection, or for its app', async () => {
    const { app, id } = await probed();
    expect(await read(id)).toMatchObject({ check_every_minutes: null, check: null, next_check_at: null });
    const within = (at: string | null, minutes: number) => {
      const leftMs = Date.parse(at ?? '') - Date.now();
      return leftMs > 0 && leftMs <= minutes * 60_000;
    };
    await service.api('PUT', `/apps/${app}/checks`, { every_minutes: 60 });
    expect((await service.api('GET', `/apps/${app}/checks`)).body).toEqual({
      check: { every_minutes: 60, available: true },
    });
    expect(within((await read(id)).next_check_at, 60)).toBe(true);
    // A later connection is checked, too.
    const later = await connectBy(service, app, 'API_KEY', { api_key: 'k' });
    expect(within((await read(later)).next_check_at, 60)).toBe(true);
    // Its own setting takes precedence.
    expect((await patch(id, { check_every_minutes: 15 })).body.connection.check_every_minutes).toBe(15);
    expect(within((await read(id)).next_check_at, 15)).toBe(true);
    expect((await patch(id, { check_every_minutes: 0 })).body.connection.next_check_at).toBeNull();
    await service.api('PUT', `/apps/${app}/checks`, { every_minutes: 30 });
    expect((await read(id)).next_check_at).toBeNull();
    expect(within((await patch(id, { check_every_minutes: null })).body.connection.next_check_at, 30)).toBe(true);
    await service.api('PUT', `/apps/${app}/checks`, { every_minutes: 0 });
    expect((await read(later)).next_check_at).toBeNull();
  });

  it.each([14, -1, 10_081, 1.5, '60'])('is not every %j minutes', async (minutes) => {
    const { app, id } = await probed();
    for (const answer of [
      await patch(id, { check_every_minutes: minutes }),
      await service.api<{ message: string }>('PUT', `/apps/${app}/checks`, { every_minutes: minutes }),
    ])
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('every_minutes')]);
  });

  it('needs a request that checks credentials', async () => {
    const app = await addCustomApp(service, upstream.url, [{ method: 'API_KEY', place }]);
    const id = await connect(service, app, { api_key: 'k' });
    expect((await patch(id, { check_every_minutes: 60 })).status).toBe(400);
    const refused = await service.api<{ message: string }>('PUT', `/apps/${app}/checks`, { every_minutes: 60 });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('expected an app with')]);
    expect((await service.api('PUT', '/apps/nothing/checks', { every_minutes: 60 })).status).toBe(404);
  });

  it('is recorded as health, and neither as a call nor as a use', async () => {
    const { id } = await probed();
    const calls = async () => {
      await service.services.memory.calls.close();
      return (await service.api<Reply<'connectionCallList'>>('GET', `/connections/${id}/calls`)).body.calls;
    };
    const before = await calls();
    await patch(id, { check_every_minutes: 60 });
    const { check, last_used_time, next_check_at } = await checked(id);
    expect(asked).toEqual(['/me Bearer k']);
    expect(check).toMatchObject({ ok: true, status: 200, message: expect.stringContaining('accepted') });
    expect(last_used_time).toBeNull();
    expect(Date.parse(next_check_at ?? '')).toBeGreaterThan(Date.now() + 50 * 60_000);
    expect(await calls()).toEqual(before);
  });

  it('without a result needs attention the second time, until one succeeds', async () => {
    const { id } = await probed();
    await patch(id, { check_every_minutes: 60 });
    status = 500;
    expect((await checked(id)).attention).toEqual([]);
    expect((await checked(id)).attention).toMatchObject([{ code: 'CHECK_FAILED' }]);
    expect((await read(id)).check).toMatchObject({ ok: null, status: 500 });
    status = 200;
    expect((await checked(id)).attention).toEqual([]);
  });

  it('that is rejected twice makes the connection FAILED, which ends its checks', async () => {
    const { id } = await probed();
    await patch(id, { check_every_minutes: 60 });
    status = 401;
    await set(id, { check_at: inDays(-1) });
    service.services.nudge('checker');
    await expect.poll(async () => (await read(id)).status).toBe('FAILED');
    expect(asked).toEqual(['/me Bearer k', '/me Bearer k']);
    expect(await read(id)).toMatchObject({
      metadata: { failure: { code: 'INVALID_CREDENTIALS' } },
      next_check_at: null,
    });
  });

  it('is done once, though several nodes look', async () => {
    const { app } = await probed();
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await connectBy(service, app, 'API_KEY', { api_key: `k${n}` }));
    asked = [];
    for (const id of ids) await set(id, { check_every_minutes: 60, check_at: inDays(-1) });
    const { claim } = await import('../store/connection-checks.ts');
    const { db } = service.services;
    const claimed = await Promise.all(Array.from({ length: 6 }, () => claim(db, inDays(1), { limit: 16, each: 2 })));
    const taken = claimed.flat().map(({ connection_id }) => connection_id);
    expect(new Set(taken).size).toBe(taken.length);
    for (const rows of claimed) expect(rows.length).toBeLessThanOrEqual(2);
  });
});
