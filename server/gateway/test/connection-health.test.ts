/** The health of a connection: its last calls, and the refreshes of its tokens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect, newConnection } from '../../connections/test/connecting.ts';
import { addCloud, callbackOf, connectAt } from '../../connections/test/oauth-flow.ts';
import { type OAuthProvider, startProvider } from '../../connections/test/oauth-provider.ts';
import { type Service, startService } from '../../test/service.ts';

type Health = Reply<'connectionHealth'>;

const target = createServer((req, res) => {
  const status = Number(/status=(\d+)/.exec(req.url ?? '')?.[1]);
  if (status) res.writeHead(status).end();
  else req.socket.destroy();
});
let service: Service;
let provider: OAuthProvider;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  service = await startService();
  provider = await startProvider({ redirect_urls: [callbackOf(service)] });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  target.close();
});

const health = async (id: string, key = service.key) =>
  service.api<Health>('GET', `/connections/${id}/health`, undefined, { key });

it('has the last call that succeeded, and the last that failed with its cause', async () => {
  const app = await addApp(service, `http://127.0.0.1:${(target.address() as AddressInfo).port}`);
  const id = await connect(service, app, { api_key: 'k' });
  expect((await health(id)).body).toEqual({
    last_success: null,
    last_error: null,
    token_expires_at: null,
    refresh_failing_since: null,
    refreshes: [],
  });
  const through = async (path: string) => {
    await service.api('GET', `/${app}${path}`);
    return expect.poll(async () => (await health(id)).body);
  };
  await (await through('/good?status=204')).toMatchObject({
    last_success: { path: '/good', status: 204 },
    last_error: null,
  });
  await (await through('/forbidden?status=403')).toMatchObject({
    last_success: { path: '/good' },
    last_error: {
      path: '/forbidden',
      status: 403,
      message: 'The app accepted the credentials, but they may not do this (403).',
    },
  });
  await (await through('/teapot?status=418')).toMatchObject({
    last_error: { message: 'The app rejected the request (418).' },
  });
  await (await through('/broken?status=500')).toMatchObject({ last_error: { message: 'The app failed (500).' } });
  await (await through('/gone')).toMatchObject({
    last_success: { path: '/good' },
    last_error: { path: '/gone', status: null, message: expect.stringMatching(/\w/) },
  });
  const { key } = await service.secondAccount();
  expect((await health(id, key)).status).toBe(404);
});

it('has the refreshes of the tokens, newest first, with the cause of each failure', async () => {
  const { id } = await connectAt(service, await addCloud(service, provider));
  const due = async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    await service.services.db
      .updateTable('connections')
      .set({ refresh_at: past })
      .where('connection_id', '=', id)
      .execute();
    service.services.nudge('refresher');
  };
  const outcomes = async () => (await health(id)).body.refreshes.map(({ outcome }) => outcome);
  await due();
  await expect.poll(outcomes).toEqual(['REFRESHED']);
  provider.instead = (req, res) => {
    if (req.url !== '/token') return false;
    res.writeHead(503).end();
    return true;
  };
  await due();
  await expect.poll(outcomes).toEqual(['FAILED', 'REFRESHED']);
  const failing = (await health(id)).body;
  expect(failing.refreshes[0]?.message).toMatch(/503/);
  expect(failing.refresh_failing_since).toBe(failing.refreshes[0]?.at);
  const { connections } = (await service.api<Reply<'connectionList'>>('GET', '/connections?attention=true')).body;
  expect(connections.map(({ connection_id }) => connection_id)).toEqual([id]);
  provider.instead = undefined;
  await provider.revokeAll();
  await due();
  await expect.poll(outcomes).toEqual(['REJECTED', 'FAILED', 'REFRESHED']);
  expect((await health(id)).body.refreshes[0]?.message).toMatch(/invalid_grant/);
});

it('keeps a bounded number of refreshes, and deletes them with the connection', async () => {
  const id = await newConnection(service, 'stripe');
  const { db } = service.services;
  const { insert } = await import('../../connections/store/connection-refreshes.ts');
  for (let n = 0; n < 55; n++) {
    const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
    await db
      .transaction()
      .execute((tx) => insert(tx, service.account_id, id, { at, outcome: 'REFRESHED', message: null }));
  }
  const { refreshes } = (await health(id)).body;
  expect(refreshes).toHaveLength(50);
  expect(refreshes.map(({ at }) => at.slice(0, 19)).slice(0, 2)).toEqual([
    '2026-01-01T00:00:54',
    '2026-01-01T00:00:53',
  ]);
  await service.api('DELETE', `/connections/${id}`);
  const left = await db.selectFrom('connection_refreshes').select('at').where('connection_id', '=', id).execute();
  expect(left).toEqual([]);
});
