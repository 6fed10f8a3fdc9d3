/** What depends on a function, and which of its versions ran. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, HELLO, invoke, makeFunction, PATIENTLY } from './functions-support.ts';

const service = serviceForAll();

it('lists callers whose requests contain text that PostgreSQL rejects', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'odd callers' });
  const headers = { ...bearer(service.key), 'user-agent': 'odd/1.0' };
  await callAddress(service, fn.url, { path: '/%00?a=%00', headers });
  await callAddress(service, fn.url, { method: 'POST', body: 'a\u0000b', headers });
  await invoke(service, fn, { body: '\u0000', query: { a: '\u0000' } });
  const uses = async () =>
    (await service.api<Reply<'functionUses'>>('GET', `/functions/${fn.function_id}/uses`)).body.callers;
  await expect
    .poll(uses, PATIENTLY)
    .toContainEqual({ source_ip: '127.0.0.1', user_agent: 'odd/1.0', runs: 2, last_at: expect.any(String) });
});

const FAILS = 'export default { fetch: () => { throw new Error("failed"); } };';

it('lists destinations, callers and stars of other accounts, and nothing of another function', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'used', visibility: 'PUBLIC' });
  const other = await makeFunction(service, HELLO, { name: 'used-too' });
  const trigger = async (name: string, urls: string[]) => {
    const answer = await service.api<Reply<'triggerCreate'>>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name,
      parameters: { cron_expression: '0 0 1 1 *' },
      destinations: urls.map((url) => ({ url })),
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.trigger;
  };
  const named = await trigger('named', [`${fn.url.toUpperCase().replace('HTTP', 'http')}/orders?x=1`]);
  await trigger('not named', [other.url]);
  await service.api('POST', `/triggers/${named.trigger_id}:test`, {});
  const headers = { ...bearer(service.key), 'user-agent': 'billing/2.1' };
  for (let i = 0; i < 3; i++) await callAddress(service, fn.url, { headers });
  await invoke(service, other);
  const stranger = await service.secondAccount();
  for (const key of [service.key, stranger.key])
    await service.api('PUT', `/functions/${fn.function_id}/star`, undefined, { key });

  const uses = async () => (await service.api<Reply<'functionUses'>>('GET', `/functions/${fn.function_id}/uses`)).body;
  await expect.poll(async () => (await uses()).runs, PATIENTLY).toBe(4);
  await expect.poll(async () => (await uses()).callers.reduce((sum, { runs }) => sum + runs, 0), PATIENTLY).toBe(3);
  expect(await uses()).toMatchObject({
    runs: 4,
    deliveries: 1,
    destinations: [
      { trigger_id: named.trigger_id, trigger_name: 'named', destination_id: named.destinations[0]?.destination_id },
    ],
    callers: [{ source_ip: '127.0.0.1', user_agent: 'billing/2.1', runs: 3 }],
    stars_elsewhere: 1,
  });
  const foreign = await service.api('GET', `/functions/${fn.function_id}/uses`, undefined, { key: stranger.key });
  expect(foreign.status).toBe(404);
});

it('shows the runs of a time range by version', async () => {
  const fn = await makeFunction(service, HELLO, { name: 'spread' });
  for (let i = 0; i < 3; i++) await invoke(service, fn);
  await service.api('POST', `/functions/${fn.function_id}/versions`, { files: { 'index.ts': FAILS } });
  await invoke(service, fn);
  const path = `/functions/${fn.function_id}/versions/stats`;
  const stats = async (range = '') => (await service.api<Reply<'versionStats'>>('GET', `${path}${range}`)).body;
  for (const range of ['', '?range=7d'])
    expect(await stats(range)).toMatchObject({
      runs: 4,
      versions: [
        { version: 2, runs: 1, failed: 1 },
        { version: 1, runs: 3, failed: 0, p50_ms: expect.any(Number) },
      ],
    });
  expect((await service.api('GET', `${path}?range=2y`)).status).toBe(400);
  const { key } = await service.secondAccount();
  expect((await service.api('GET', path, undefined, { key })).status).toBe(404);
});
