/** An installation on hold: nothing is sent, received or refreshed before its release, and then nothing is missing. */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { getConnection } from '../../connections/test/connecting.ts';
import { addCloud, callbackOf, connectAt } from '../../connections/test/oauth-flow.ts';
import { startProvider } from '../../connections/test/oauth-provider.ts';
import { hold } from '../../platform/hold.ts';
import { addAccount } from '../../test/another-account.ts';
import { invite, signIn } from '../../test/browser.ts';
import { runScript } from '../../test/operator-script.ts';
import { type Service, startService } from '../../test/service.ts';
import { sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';

const sink = sinkForAll();

async function started(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ env, retryScheduleSeconds: [3600] });
  onTestFinished(() => service.stop());
  return service;
}
const holdOf = async (service: Service) => (await service.api<Reply<'holdGet'>>('GET', '/account/hold')).body.hold;
async function restartOnHold(service: Service, origin: string | null = 'monday.sluice'): Promise<void> {
  await hold(service.services.db, { cause: 'COPY', origin });
  await service.restart();
}
const readyz = async (service: Service) => (await fetch(`${service.url}/readyz`)).json() as Promise<object>;

it('sends and takes nothing before its release, and everything afterwards', async () => {
  const service = await started();
  sink.answer('/in', { status: 500 });
  const arrived = () => sink.received('/in').length;
  const hook = await listenTo(service, 'webhook', 'webhook.received', { destinations: [{ url: `${sink.url}/in` }] });
  await post(hook.url, '{"n":1}');
  await expect.poll(() => arrived()).toBe(1);
  await restartOnHold(service);
  await service.services.db.updateTable('deliveries').set({ next_at: new Date().toISOString() }).execute();
  await sql`update waiting_deliveries set next_at = now() - interval '100 s'`.execute(service.services.db);

  const refused = await post(hook.url, '{"n":2}');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(refused.text).toContain('This installation is on hold');
  expect(await holdOf(service)).toMatchObject({
    cause: 'COPY',
    origin: 'monday.sluice',
    waiting_deliveries: 1,
    oldest_event_at: expect.stringMatching(/^20/),
    may_release: true,
  });
  expect(await readyz(service)).toMatchObject({
    status: 'ready',
    on_hold_since: expect.stringMatching(/^20/),
    // Read at the restart at the earliest, and reused for five seconds.
    oldest_due_seconds: expect.toSatisfy((seconds) => seconds >= 100 && seconds < 300),
  });
  // A replay by hand waits, too.
  const event = (await service.api<Reply<'eventListAll'>>('GET', '/events')).body.events[0];
  const at = `/triggers/${event?.trigger_id}/events/${event?.event_id}:replay`;
  expect((await service.api('POST', at, {})).status).toBe(200);
  expect(service.services.pipeline.lanes.figures()).toMatchObject({ inFlight: 0, waiting: 0 });
  expect(arrived()).toBe(1);

  sink.answer('/in', { status: 200 });
  const owner = await signIn(service);
  expect((await owner.call('POST', '/account/hold:release')).status).toBe(200);
  await expect.poll(() => arrived()).toBe(2);
  expect((await post(hook.url, '{"n":2}')).status).toBe(200);
  await expect.poll(() => arrived()).toBe(3);
  expect(await holdOf(service)).toBeNull();
  expect(await readyz(service)).not.toHaveProperty('on_hold_since');
  expect((await owner.call('POST', '/account/hold:release')).status).toBe(409);
});

it('is released only by owners, of the only account', async () => {
  const service = await started({ SLUICE_START: 'held' });
  const owner = await signIn(service);
  const admin = await invite(owner, service, { email: 'ada@example.com', password: 'only an admin here' }, 'ADMIN');
  for (const refused of [
    await admin.browser.call('POST', '/account/hold:release'),
    await service.api('POST', '/account/hold:release'),
    await service.api('POST', '/account/hold:disconnect'),
  ])
    expect(refused.status).toBe(403);
  await addAccount(service.services.db, 'Globex');
  const shared = await owner.call<{ message: string }>('POST', '/account/hold:release');
  expect([shared.status, shared.body.message]).toEqual([403, expect.stringContaining('npm run release')]);
  expect(await holdOf(service)).toMatchObject({ cause: 'SETTING', may_release: false });

  const run = () => runScript('release', [], { DATABASE_URL: service.databaseUrl });
  expect((await run()).stdout).toMatch(/^Released\. It was on hold since 20/);
  await expect.poll(() => holdOf(service)).toBeNull();
  const again = await run();
  expect([again.code, again.stderr]).toEqual([1, 'This installation is not on hold.\n']);
});

it('refreshes no token, and disconnects those that it would refresh', async () => {
  const service = await started();
  const provider = await startProvider({ redirect_urls: [callbackOf(service)] });
  onTestFinished(() => provider.close());
  const flow = await connectAt(service, await addCloud(service, provider));
  await restartOnHold(service);
  const past = new Date(Date.now() - 1000).toISOString();
  await service.services.db
    .updateTable('connections')
    .set({ token_expires_at: past, refresh_at: past })
    .where('connection_id', '=', flow.id)
    .execute();
  const call = () =>
    service.api('GET', `/${flow.app}/whoami`, undefined, { headers: { 'service-connection': flow.id } });
  expect((await call()).status).toBe(503);
  expect(provider.calls.filter(({ grant }) => grant === 'refresh_token')).toEqual([]);

  const owner = await signIn(service);
  expect(await holdOf(service)).toMatchObject({ refreshed_connections: 1 });
  const { body } = await owner.call<Reply<'holdDisconnect'>>('POST', '/account/hold:disconnect');
  expect(body.disconnected).toBe(1);
  expect(await getConnection(service, flow.id)).toMatchObject({
    status: 'FAILED',
    metadata: { failure: { code: 'DISCONNECTED' } },
  });
  expect(await holdOf(service)).toMatchObject({ refreshed_connections: 0 });
  await owner.call('POST', '/account/hold:release');
  await expect.poll(() => holdOf(service)).toBeNull();
  expect(provider.calls.filter(({ grant }) => grant === 'refresh_token')).toEqual([]);
  expect((await owner.call('POST', '/account/hold:disconnect')).status).toBe(409);
});
