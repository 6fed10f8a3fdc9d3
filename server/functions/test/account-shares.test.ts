/** The shares of an account: 429 names the share, and another account is served meanwhile. */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { bearer, callAddress, type HostedFunction, makeFunction } from './functions-support.ts';

const service = serviceForAll({
  env: {
    SLUICE_FUNCTION_PROCESSES: '5',
    SLUICE_ACCOUNT_PROCESSES: '2',
    SLUICE_ACCOUNT_RUNS: '3',
    SLUICE_ACCOUNT_STREAMS: '2',
    SLUICE_ACCOUNT_SEARCHES: '1',
  },
});

const SLEEPER = 'export default { async fetch(request) { await request.text(); return new Response("woken"); } };';

/** Starts a run that lasts until `wake`. */
function sleep(fn: HostedFunction): { status: Promise<number>; wake(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { ...bearer(service.key), host: new URL(fn.url).host, 'transfer-encoding': 'chunked' };
  const call = request({ host: '127.0.0.1', port: service.port, method: 'POST', headers, agent: false }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  call.on('error', reject).write('a');
  return { status: promise, wake: () => call.end() };
}

const busyProcesses = () => service.services.runtime.stats().processes.filter(({ in_flight }) => in_flight > 0).length;
const busyRuns = () => service.services.runtime.stats().processes.reduce((sum, { in_flight }) => sum + in_flight, 0);

it('busy function processes of an account have a share, and so have its runs', async () => {
  const other = await service.secondAccount();
  const theirs = await makeFunction(service, undefined, {}, other.key);
  const [one, two, three] = [
    await makeFunction(service, SLEEPER),
    await makeFunction(service, SLEEPER),
    await makeFunction(service, SLEEPER),
  ];
  const asleep = [sleep(one), sleep(two)];
  await expect.poll(busyProcesses).toBe(2);
  const refused = await callAddress(service, three.url, { headers: bearer(service.key) });
  expect(JSON.parse(refused.text)).toEqual({
    message:
      "The account's share is used up: 2 of 5 function processes are busy with its runs, and an account may use 2",
    type: 'Too Many Requests',
    code: 429,
  });
  expect(refused.headers['retry-after']).toBe('1');
  const runs = await service.api<Reply<'runList'>>('GET', `/functions/${three.function_id}/runs`);
  expect(runs.body.runs).toMatchObject([{ status: 'ERROR' }]);
  const served = () => callAddress(service, theirs.url, { headers: bearer(other.key) });
  expect(await served()).toMatchObject({ status: 200, text: 'hello' });

  asleep.push(sleep(one));
  await expect.poll(busyRuns).toBe(3);
  const fourth = await callAddress(service, one.url, { headers: bearer(service.key) });
  expect(JSON.parse(fourth.text)).toMatchObject({
    message: "The account's share is used up: at most 3 runs in progress.",
    code: 429,
  });
  expect(await served()).toMatchObject({ status: 200 });
  for (const each of asleep) each.wake();
  expect(await Promise.all(asleep.map(({ status }) => status))).toEqual([200, 200, 200]);
  await expect
    .poll(async () => (await callAddress(service, three.url, { headers: bearer(service.key) })).status)
    .toBe(200);
});

it('event streams have a share', async () => {
  const other = await service.secondAccount();
  const open = (key: string) => fetch(`${service.url}/api/events:stream`, { headers: bearer(key) });
  const streams = [await open(service.key), await open(service.key)];
  const refused = await open(service.key);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await refused.json()).toMatchObject({
    message: "The account's share is used up: at most 2 open event streams.",
  });
  streams.push(await open(other.key));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  await streams[0]?.body?.cancel();
  await expect
    .poll(async () => {
      const again = await open(service.key);
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
  for (const { body } of streams.slice(1)) await body?.cancel();
});

it('searches in progress have a share', async () => {
  const other = await service.secondAccount();
  const search = (key: string) => service.api('GET', '/functions/search?q="hello"', undefined, { key });
  expect((await search(service.key)).status).toBe(200);
  const end = service.services.memory.searches.take(service.account_id, null);
  const refused = await search(service.key);
  expect(refused).toMatchObject({
    status: 429,
    body: { message: "The account's share is used up: at most 1 searches in progress." },
  });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await search(other.key)).status).toBe(200);
  end();
  expect((await search(service.key)).status).toBe(200);
});
