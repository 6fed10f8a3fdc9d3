/** The database disconnects, or is silently lost, while deliveries are in flight, and recovers. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeEvent, makeTrigger, only, readEvent, whenAll } from '../../deliveries/test/delivery-support.ts';
import { startFaultProxy, throughProxy } from '../../test/fault-proxy.ts';
import { closeDatabase, type Service, startService } from '../../test/service.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';

const env = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [0.1], env });

it('attempts made meanwhile are recorded once it is back, and nothing is sent twice', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/held` }]);
  const held = Promise.withResolvers<void>();
  sink.answer('/held', (response) => void held.promise.then(() => response.end('sent')));
  const events = [];
  for (let n = 0; n < 5; n++) events.push(await makeEvent(service, trigger_id, { n }));
  await expect.poll(() => sink.received('/held')).toHaveLength(5);

  const reopen = await closeDatabase(service.database);
  held.resolve();
  await expect.poll(() => service.logged()).toContain('attempts could not be recorded');
  await reopen();

  for (const event of events) {
    const done = await whenAll(service, event, 'SUCCEEDED');
    expect(only(done.deliveries)).toMatchObject({ attempts: 1, last_response_body: 'sent' });
  }
  const later = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
  expect(await readEvent(service, later)).toEqual(later);
  expect(sink.received('/held')).toHaveLength(6);
});

it('silent connections are closed, and attempts made meanwhile are recorded', async () => {
  const { target, at } = throughProxy(service.databaseUrl);
  const proxy = await startFaultProxy(target);
  const there = { ...env, DATABASE_URL: at(proxy.port), SLUICE_DATA_DIR: service.dataDir };
  const behind = await startService({ env: there, databaseSilentMs: 200 });
  // The same database, so the key is the first service's.
  const other = { ...service, url: behind.url, api: callAt(behind) };
  const { trigger_id } = await makeTrigger(other, [{ url: `${sink.url}/silent` }]);
  const held = Promise.withResolvers<void>();
  sink.answer('/silent', (response) => void held.promise.then(() => response.end('sent')));
  const events = [];
  for (let n = 0; n < 5; n++) events.push(await makeEvent(other, trigger_id, { n }));
  await expect.poll(() => sink.received('/silent')).toHaveLength(5);

  proxy.swallow();
  held.resolve();
  await expect.poll(() => behind.logged()).toContain('database connection timed out, closed');
  proxy.repair();
  for (const event of events) {
    const done = await whenAll(service, event, 'SUCCEEDED');
    expect(only(done.deliveries)).toMatchObject({ attempts: 1, last_response_body: 'sent' });
  }
  expect(sink.received('/silent')).toHaveLength(5);
  await behind.stop();
  await proxy.close();
});

function callAt(other: Service): Service['api'] {
  return (method, path, body) => other.api(method, path, body, { key: service.key });
}
