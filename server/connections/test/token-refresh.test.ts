/** Token refresh: before expiry, during a call, and the effect of failures on the connection. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { type Connection, getConnection, submitIn } from './connecting.ts';
import { addCloud, callbackOf, connectAt, type Flow } from './oauth-flow.ts';
import { type OAuthProvider, startProvider } from './oauth-provider.ts';

let service: Service;
let provider: OAuthProvider;
beforeAll(async () => {
  service = await startService();
  provider = await startProvider({ redirect_urls: [callbackOf(service)] });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});
afterEach(() => {
  provider.instead = undefined;
});

const connect = async () => connectAt(service, await addCloud(service, provider));
const read = ({ id }: Flow) => getConnection(service, id);
const call = ({ app, id }: Flow) =>
  service.api('GET', `/${app}/whoami`, undefined, { headers: { 'service-connection': id } });
const refreshes = () => provider.calls.filter(({ grant }) => grant === 'refresh_token').length;
/** Changes the row as if time had passed. */
async function pass(
  { id }: Flow,
  what: { ended?: true; endsIn?: number; due?: true; old?: true; failingDays?: number; overdueDays?: number },
) {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  await service.services.db
    .updateTable('connections')
    .set({
      ...(what.ended ? { token_expires_at: ago(1), refreshed_at: ago(3600) } : {}),
      ...(what.endsIn ? { token_expires_at: ago(-what.endsIn) } : {}),
      ...(what.old ? { refreshed_at: ago(3600) } : {}),
      ...(what.due ? { refresh_at: ago(1) } : {}),
      ...(what.failingDays ? { refresh_failing_since: ago(what.failingDays * 86_400) } : {}),
      ...(what.overdueDays ? { refresh_at: ago(what.overdueDays * 86_400) } : {}),
    })
    .where('connection_id', '=', id)
    .execute();
}
/** Runs the refresher; returns the row after it. */
async function refreshed(flow: Flow, until: (row: Connection) => boolean): Promise<Connection> {
  service.services.nudge('refresher');
  await expect.poll(async () => until(await read(flow))).toBe(true);
  return read(flow);
}
/** Sets the response of the token URL only. */
function tokenAddressAnswers(status: number, body: unknown) {
  let asked = 0;
  provider.instead = (req, res) => {
    if (req.url !== '/token') return false;
    asked++;
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  return () => asked;
}

describe('a token', () => {
  it('is refreshed when due, and the previous one stays valid for calls in flight', async () => {
    const flow = await connect();
    const before = await read(flow);
    await pass(flow, { due: true });
    const row = await refreshed(flow, ({ refreshed_at }) => refreshed_at !== before.refreshed_at);
    expect(row).toMatchObject({ status: 'ACTIVE', last_updated_time: before.last_updated_time });
    expect(Date.parse(String(row.refresh_at))).toBe(Date.parse(String(row.token_expires_at)) - 15 * 60_000);
    expect((await call(flow)).status).toBe(200);
  });

  it('that expired is refreshed before a call is sent', async () => {
    const flow = await connect();
    await provider.endAccess();
    await pass(flow, { ended: true });
    const before = refreshes();
    const all = await Promise.all(Array.from({ length: 20 }, () => call(flow)));
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(refreshes()).toBe(before + 1);
  });

  it('that the app rejects early is refreshed, and the call is sent again', async () => {
    const flow = await connect();
    expect((await call(flow)).status).toBe(200);
    await provider.endAccess();
    await pass(flow, { old: true });
    const before = refreshes();
    expect((await call(flow)).status).toBe(200);
    expect(refreshes()).toBe(before + 1);
  });

  it('received after the connection was completed again is not stored', async () => {
    const flow = await connect();
    const held = provider.hold();
    const before = refreshes();
    await pass(flow, { due: true });
    service.services.nudge('refresher');
    await held.arrived;
    await connectAt(service, flow.app, flow);
    const rowNow = () =>
      service.services.db.selectFrom('connections').selectAll().where('connection_id', '=', flow.id).execute();
    const theirs = await rowNow();
    held.letGo();
    // The refresh is complete when the lock is released.
    await service.services.locks.hold(flow.id, async () => undefined);
    expect(refreshes()).toBe(before + 1);
    expect((await call(flow)).status).toBe(200);
    expect((await rowNow()).map(({ credentials }) => credentials)).toEqual(
      theirs.map(({ credentials }) => credentials),
    );
  });

  it('that is new and rejected is not refreshed repeatedly', async () => {
    const flow = await connect();
    await provider.endAccess();
    const before = refreshes();
    for (let n = 0; n < 3; n++) expect((await call(flow)).status).toBe(401);
    expect(refreshes()).toBe(before);
    expect((await read(flow)).status).toBe('ACTIVE');
  });

  it('of client credentials is refreshed with them', async () => {
    const method = { grant: 'client_credentials', authorize_url: undefined, scopes: [] };
    const app = await addCloud(service, provider, { method, client: null });
    const { body } = await service.api<{ connection_id: string }>('POST', '/connections', { app });
    const flow = { app, id: body.connection_id, link: '', visitor: openVisitor(), authorize: '' };
    await submitIn(flow.visitor, (await read(flow)).url, 'OAUTH2', provider.client);
    await provider.endAccess();
    await pass(flow, { ended: true });
    expect((await call(flow)).status).toBe(200);
    expect(provider.calls.at(-1)).toEqual({ grant: 'client_credentials', ok: true });
  });
});

describe('a final rejection', () => {
  it('makes the connection FAILED with all effects; reconnecting restores it under its ID', async () => {
    const flow = await connect();
    const trigger = await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: { cron_expression: '0 0 1 1 *' },
      connection_id: flow.id,
    });
    const triggerNow = async () =>
      (await service.api<{ trigger: object }>('GET', `/triggers/${trigger.body.trigger.trigger_id}`)).body.trigger;
    const changes: object[] = [];
    const { stop } = service.services.live.subscribe(service.account_id, undefined, (batch) =>
      changes.push(...batch.changes),
    );
    await provider.revokeAll();
    await pass(flow, { due: true });
    const row = await refreshed(flow, ({ status }) => status === 'FAILED');
    expect(row.metadata).toEqual({
      failure: {
        code: 'REFRESH_REJECTED',
        message: expect.stringMatching(/^Cloud no longer accepts this connection \(invalid_grant\)/),
        since: row.last_updated_time,
      },
    });
    expect(row.refresh_at).toBe(null);
    expect(await triggerNow()).toMatchObject({ status: 'ENABLED', reason: 'CONNECTION_FAILED' });
    await expect.poll(() => changes).toContainEqual({ noun: 'connection', connection_id: flow.id, status: 'FAILED' });
    expect(await call(flow)).toMatchObject({ status: 400, body: { message: expect.stringContaining('FAILED') } });
    const { body } = await service.api<{ entries: object[] }>('GET', `/audit?resource_id=${flow.id}`);
    expect(body.entries[0]).toMatchObject({
      operation: 'connectionRefresh',
      actor_type: 'SYSTEM',
      actor_name: 'Refresher',
    });

    const again = await connectAt(service, flow.app, flow);
    expect(await read(again)).toMatchObject({ connection_id: flow.id, status: 'ACTIVE', metadata: {} });
    expect(await triggerNow()).toMatchObject({ status: 'ENABLED', reason: null });
    expect((await call(again)).status).toBe(200);
    stop();
  });

  it('is reported to a call that names the connection; other calls use the next connection', async () => {
    const flow = await connect();
    await provider.revokeAll();
    await connectAt(service, flow.app);
    await pass(flow, { ended: true });
    expect((await service.api('GET', `/${flow.app}/whoami`)).status).toBe(200);
    expect((await read(flow)).status).toBe('FAILED');

    const named = await connect();
    await provider.revokeAll();
    await pass(named, { ended: true });
    const message = expect.stringMatching(/^Service-Connection: this connection is FAILED\. Cloud no longer accepts/);
    expect(await call(named)).toMatchObject({ status: 400, body: { message } });
  });

  it('reports revoked access, if the provider has a code for that', async () => {
    const flow = await connect();
    tokenAddressAnswers(200, { ok: false, error: 'token_revoked' });
    await pass(flow, { due: true });
    const row = await refreshed(flow, ({ status }) => status === 'FAILED');
    const message = 'Access was revoked at Cloud (token_revoked).';
    expect(row.metadata).toMatchObject({ failure: { code: 'REVOKED', message } });
  });

  it('of the client is reported as APP_CONFIG', async () => {
    const flow = await connect();
    await service.api('PUT', `/apps/${flow.app}/credentials/OAUTH2`, { ...provider.client, client_secret: 'changed' });
    await pass(flow, { due: true });
    const row = await refreshed(flow, ({ status }) => status === 'FAILED');
    expect(row.metadata).toMatchObject({ failure: { code: 'APP_CONFIG' } });
  });

  it('is also reported for a deleted client', async () => {
    const flow = await connect();
    expect((await service.api('DELETE', `/apps/${flow.app}/credentials/OAUTH2`)).status).toBe(200);
    await pass(flow, { due: true });
    const row = await refreshed(flow, ({ status }) => status === 'FAILED');
    expect(row.metadata).toMatchObject({
      failure: { code: 'APP_CONFIG', message: expect.stringMatching(/No client/) },
    });
  });
});

describe('a temporary failure', () => {
  it.each([503, 500, 429, 408])(
    'such as %i leaves it ACTIVE, and calls still use a token that has not expired',
    async (status) => {
      const flow = await connect();
      tokenAddressAnswers(status, { error: 'server_error' });
      await pass(flow, { due: true });
      const row = await refreshed(flow, ({ refresh_at }) => Date.parse(String(refresh_at)) > Date.now());
      expect(row).toMatchObject({ status: 'ACTIVE', metadata: {} });
      const waitMs = Date.parse(String(row.refresh_at)) - Date.now();
      expect(waitMs).toBeGreaterThan(45_000);
      expect(waitMs).toBeLessThanOrEqual(60_000);
      expect((await call(flow)).status).toBe(200);
    },
  );

  it('is reported to the call that needed the token; other calls don’t repeat the request', async () => {
    const flow = await connect();
    const asked = tokenAddressAnswers(503, {});
    await pass(flow, { ended: true });
    const all = await Promise.all(Array.from({ length: 10 }, () => call(flow)));
    for (const { status, body } of all)
      expect([status, body['message']]).toEqual([
        502,
        'The app’s token could not be refreshed: Cloud returned 503 instead of a token.',
      ]);
    expect((await call(flow)).status).toBe(502);
    expect(asked()).toBe(1);
    expect((await read(flow)).status).toBe('ACTIVE');
  });

  it('shortly before expiry fails no call', async () => {
    const flow = await connect();
    const asked = tokenAddressAnswers(503, {});
    await pass(flow, { endsIn: 30, old: true });
    for (let n = 0; n < 3; n++) expect((await call(flow)).status).toBe(200);
    expect(asked()).toBe(1);
  });

  it('includes internal errors, such as a changed app', async () => {
    const flow = await connect();
    const methods = provider.methods({ token_url: `${provider.url}/{tenant}` });
    expect((await service.api('PATCH', `/apps/${flow.app}`, { methods })).status).toBe(200);
    await pass(flow, { ended: true, due: true });
    expect(await call(flow)).toMatchObject({
      status: 502,
      body: { message: expect.stringMatching(/The app was changed, and tenant is missing here: connect it again\.$/) },
    });
    const row = await read(flow);
    expect(row.status).toBe('ACTIVE');
    expect(Date.parse(String(row.refresh_at))).toBeGreaterThan(Date.now());
  });

  it('is retried with backoff', async () => {
    const flow = await connect();
    tokenAddressAnswers(500, {});
    await pass(flow, { due: true, failingDays: 1 });
    const row = await refreshed(flow, ({ refresh_at }) => Date.parse(String(refresh_at)) > Date.now());
    expect(Date.parse(String(row.refresh_at)) - Date.now()).toBeGreaterThan(50 * 60_000);
  });

  it('for four days fails the connection; a success resets that time', async () => {
    const flow = await connect();
    tokenAddressAnswers(500, {});
    await pass(flow, { due: true, failingDays: 3.9 });
    expect(await refreshed(flow, ({ refresh_at }) => Date.parse(String(refresh_at)) > Date.now())).toMatchObject({
      status: 'ACTIVE',
    });
    await pass(flow, { due: true, failingDays: 4.1 });
    const row = await refreshed(flow, ({ status }) => status === 'FAILED');
    expect(row.metadata).toMatchObject({
      failure: { code: 'REFRESH_EXHAUSTED', message: 'For 4 days: Cloud returned 500 instead of a token.' },
    });

    provider.instead = undefined;
    const lucky = await connect();
    await pass(lucky, { due: true, failingDays: 3.9 });
    await refreshed(lucky, ({ refresh_at }) => Date.parse(String(refresh_at)) > Date.now());
    const { rows } = await sql`select refresh_failing_since from connections where connection_id = ${lucky.id}`.execute(
      service.services.db,
    );
    expect(rows).toEqual([{ refresh_failing_since: null }]);
  });

  it('after days of downtime counts as the first one', async () => {
    const flow = await connect();
    tokenAddressAnswers(500, {});
    await pass(flow, { failingDays: 6, overdueDays: 5 });
    expect(await refreshed(flow, ({ refresh_at }) => Date.parse(String(refresh_at)) > Date.now())).toMatchObject({
      status: 'ACTIVE',
    });
  });
});
