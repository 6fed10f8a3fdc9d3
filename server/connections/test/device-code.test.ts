/** OAuth 2 by device code (RFC 8628), against oidc-provider: the code is entered in any browser. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { type Service, startService } from '../../test/service.ts';
import { openVisitor } from '../../test/visitor.ts';
import { getConnection, newConnection, onLink, tokenOf } from './connecting.ts';
import { addCloud, callbackOf } from './oauth-flow.ts';
import { enterCode, type OAuthProvider, startProvider } from './oauth-provider.ts';

type Submitted = Reply<'connectSessionSubmit'> & { message?: string };
type Polled = Reply<'connectSessionPoll'> & { message: string };

let service: Service;
let provider: OAuthProvider;
beforeAll(async () => {
  service = await startService();
  provider = await startProvider({
    redirect_urls: [callbackOf(service)],
    configuration: { features: { deviceFlow: { enabled: true } } },
  });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});
afterEach(() => {
  provider.instead = undefined;
});

const addDevice = () =>
  addCloud(service, provider, {
    method: {
      grant: 'device_code',
      authorize_url: undefined,
      device_url: `${provider.url}/device/auth`,
      scopes: ['openid', 'offline_access', 'read'],
    },
  });

/** Presses "Get a code" in the window. */
async function started() {
  const app = await addDevice();
  const id = await newConnection(service, app);
  const token = tokenOf((await getConnection(service, id)).url);
  const { status, body } = (await onLink(service, token, { method: 'OAUTH2', fields: {} })) as unknown as {
    status: number;
    body: Submitted;
  };
  expect([status, body.message]).toEqual([200, undefined]);
  const { device } = body;
  if (!device) throw new Error('no device code');
  return { app, id, token, device, session: body.session };
}

/** Asks the service; with `isDue`, as if the interval had passed. */
async function poll(token: string, handle: unknown, { isDue = true } = {}): Promise<{ status: number; body: Polled }> {
  if (isDue)
    await service.services.db
      .updateTable('connect_flows')
      .set({ next_at: new Date(Date.now() - 1000).toISOString() })
      .where('next_at', 'is not', null)
      .execute();
  const response = await fetch(`${service.url}/connect/api/session:poll`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ handle }),
  });
  return { status: response.status, body: (await response.json()) as Polled };
}
const asked = () => provider.calls.filter(({ grant }) => grant.endsWith(':device_code')).length;

describe('a device code', () => {
  it('is shown with its page, and completes the connection once it was entered elsewhere', async () => {
    const { app, id, token, device, session } = await started();
    expect(device).toEqual({
      handle: expect.stringMatching(/^\S{20,}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_url: `${provider.url}/device`,
      complete_url: expect.stringContaining(`${provider.url}/device?user_code=`),
      expires_at: expect.stringMatching(/Z$/),
      interval_seconds: 5,
    });
    expect([session.finished, session.methods[0]?.grant]).toEqual([false, 'device_code']);
    expect((await poll(token, device.handle)).body).toMatchObject({
      session: { finished: false },
      interval_seconds: 5,
    });
    await enterCode(openVisitor(), device.verification_url, device.user_code);
    expect((await poll(token, device.handle)).body).toMatchObject({ session: { finished: true, status: 'ACTIVE' } });
    // The window may have missed the reply.
    expect((await poll(token, device.handle)).body).toMatchObject({ session: { finished: true } });
    const called = await service.api<{ sub: string }>('GET', `/${app}/whoami`);
    expect([called.status, called.body.sub]).toEqual([200, 'mira']);
    expect(await getConnection(service, id)).toMatchObject({ status: 'ACTIVE', method: 'OAUTH2' });
    const stored = await service.services.db
      .selectFrom('connect_flows')
      .selectAll()
      .where('connection_id', '=', id)
      .execute();
    expect(stored).toEqual([]);
  });

  it('is asked for at the provider once per interval, whatever the window does', async () => {
    const { token, device } = await started();
    await poll(token, device.handle);
    const before = asked();
    const many = await Promise.all(Array.from({ length: 5 }, () => poll(token, device.handle, { isDue: false })));
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(asked()).toBe(before);
  });

  it('is asked for more slowly if the provider wants that, and again after an error of the provider', async () => {
    const { token, device } = await started();
    const tokenSays = (status: number, body: object) => {
      provider.instead = (req, res) => {
        if (req.url !== '/token') return false;
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      };
    };
    tokenSays(400, { error: 'slow_down' });
    expect((await poll(token, device.handle)).body.interval_seconds).toBe(10);
    tokenSays(503, {});
    expect((await poll(token, device.handle)).body).toMatchObject({
      session: { finished: false },
      interval_seconds: 10,
    });
    tokenSays(400, { error: 'expired_token' });
    const expired = await poll(token, device.handle);
    expect([expired.status, expired.body.message]).toEqual([400, expect.stringContaining('The code has expired')]);
    // The link still works.
    expect((await onLink(service, token)).status).toBe(200);
  });

  it('that the user refuses makes the connection FAILED, and the link still works', async () => {
    const { id, token, device } = await started();
    await enterCode(openVisitor(), device.verification_url, device.user_code, true);
    const refused = await poll(token, device.handle);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('denied')]);
    expect(await getConnection(service, id)).toMatchObject({
      status: 'FAILED',
      metadata: { failure: { code: 'ACCESS_DENIED' } },
    });
    expect((await onLink(service, token, { method: 'OAUTH2', fields: {} })).status).toBe(200);
  });

  it('belongs to its link, and to its handle', async () => {
    const one = await started();
    const other = await started();
    for (const [token, handle] of [
      [other.token, one.device.handle],
      [one.token, 'unknown'],
      [one.token, ''],
      [one.token, 7],
    ] as const) {
      const { status, body } = await poll(token, handle);
      expect([status, body.message]).toEqual([400, expect.stringContaining('handle')]);
    }
    expect((await poll('forged', one.device.handle)).status).toBe(404);
  });

  it('of a provider without a page, or with an error, is an error in the window', async () => {
    const app = await addDevice();
    const token = tokenOf((await getConnection(service, await newConnection(service, app))).url);
    const code = { device_code: 'd', user_code: 'u', expires_in: 60 };
    for (const [status, body, message] of [
      [200, { ...code, verification_uri: 'javascript:alert(1)' }, 'code that can’t be shown'],
      [200, { ...code, user_code: 'é', verification_uri: provider.url }, 'code that can’t be shown'],
      [400, { error: 'invalid_scope' }, 'invalid_scope'],
      [200, {}, 'returned no token'],
    ] as const) {
      provider.instead = (req, res) => {
        if (req.url !== '/device/auth') return false;
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      };
      const answer = await onLink(service, token, { method: 'OAUTH2', fields: {} });
      expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
    }
  });

  it('needs the URL of the provider for it', async () => {
    const method = { method: 'OAUTH2', grant: 'device_code', token_url: `${provider.url}/token` };
    const body = { app: 'no-device', name: 'No device', base_url: provider.url, methods: [method] };
    const answer = await service.api<{ message: string }>('POST', '/apps', body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('device_url')]);
  });
});
