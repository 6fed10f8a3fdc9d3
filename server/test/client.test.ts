/** Ten journeys with the TypeScript client, against the real service. */
import { expect, it } from 'vitest';
import { type Client, createClient, SluiceError } from '../../clients/typescript/client.js';
import { addApp } from '../connections/test/connecting.ts';
import { serviceForAll, sinkForAll } from './shared-set-up.ts';

const sink = sinkForAll();
const service = serviceForAll();
const clientOf = (more: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient({ baseUrl: `${service.url}/api`, apiKey: service.key, ...more });

const createTrigger = (sluice: Client, name: string) =>
  sluice.call('triggerCreate', {
    body: { source: 'webhook', event_type: 'webhook.received', name, destinations: [{ url: `${sink.url}/in` }] },
  });

it('1. reads the account of its key', async () => {
  const { account } = await clientOf().call('accountGet');
  expect(account.account_id).toBe(service.account_id);
});

it('2. deploys a function, invokes it and reads its log', async () => {
  const sluice = clientOf();
  const files = { 'index.ts': "export default () => { console.log('said'); return 'Hello'; }" };
  const { function: fn } = await sluice.call('functionCreate', {
    body: { name: 'Greeter', runtime: 'nodejs24.x', files },
  });
  const params = { function_id: fn.function_id };
  const { run } = await sluice.call('functionInvoke', { params });
  expect(run.response?.body).toBe('Hello');
  const { events } = await sluice.call('runLogList', { params: { ...params, run_id: run.run_id } });
  expect(events.map(({ message }) => message)).toContain('said');
});

it('3. sets an environment variable and deploys a version', async () => {
  const sluice = clientOf();
  const files = { 'index.ts': 'export default () => process.env.PLACE' };
  const { function: fn } = await sluice.call('functionCreate', {
    body: { name: 'Place', runtime: 'nodejs24.x', files },
  });
  const params = { function_id: fn.function_id };
  await sluice.call('envCreate', { params, body: { env: [{ key: 'PLACE', value: 'here', type: 'PLAIN' }] } });
  expect((await sluice.call('envList', { params })).env[0]?.value).toBe('here');
  const { version } = await sluice.call('versionCreate', { params, body: { files, message: 'Again' } });
  expect(version.version).toBe(2);
});

it('4. creates a trigger with a destination and changes it', async () => {
  const sluice = clientOf();
  const { trigger } = await createTrigger(sluice, 'Orders');
  const [destination] = trigger.destinations;
  const params = { trigger_id: trigger.trigger_id, destination_id: destination?.destination_id ?? '' };
  const changed = await sluice.call('destinationUpdate', { params, body: { name: 'Warehouse' } });
  expect(changed.destination.name).toBe('Warehouse');
});

it('5. creates an event and replays it', async () => {
  const sluice = clientOf();
  const { trigger } = await createTrigger(sluice, 'Replayed');
  const created = await sluice.call('eventCreate', {
    params: { trigger_id: trigger.trigger_id },
    body: { payload: { order_id: 1042 } },
  });
  const params = { trigger_id: trigger.trigger_id, event_id: created.event.event_id };
  await expect
    .poll(async () => (await sluice.call('eventGet', { params })).event.deliveries[0]?.status)
    .toBe('SUCCEEDED');
  const replayed = await sluice.call('eventReplay', { params, body: { as_new: true } });
  expect(replayed.skipped).toEqual([]);
});

it('6. reads a list to its end, page by page', async () => {
  const sluice = clientOf();
  const { trigger } = await createTrigger(sluice, 'Paged');
  const params = { trigger_id: trigger.trigger_id };
  for (const number of [1, 2, 3]) await sluice.call('eventCreate', { params, body: { payload: { number } } });
  const numbers: unknown[] = [];
  for await (const { payload } of sluice.items('eventList', { params, query: { limit: 1 } }))
    numbers.push(payload['number']);
  expect(numbers).toEqual([3, 2, 1]);
  const pages: number[] = [];
  for await (const page of sluice.pages('eventList', { params, query: { limit: 2 } })) pages.push(page.events.length);
  expect(pages).toEqual([2, 1]);
});

it('7. creates, limits and revokes an API key', async () => {
  const sluice = clientOf();
  const made = await sluice.call('apiKeyCreate', { body: { name: 'ci', access: 'LIMITED', scopes: ['events:read'] } });
  const limited = clientOf({ apiKey: made.key });
  expect((await limited.call('eventListAll')).events.length).toBeGreaterThan(0);
  await expect(limited.call('functionList')).rejects.toMatchObject({ status: 403 });
  await sluice.call('apiKeyDelete', { params: { key_id: made.api_key.key_id } });
  await expect(limited.call('eventListAll')).rejects.toMatchObject({ status: 401 });
});

it('8. creates a connection with an end user and finds it', async () => {
  const sluice = clientOf();
  const app = await addApp(service, sink.url);
  const { connection_id } = await sluice.call('connectionCreate', {
    body: { app, end_user: { id: 'user_42' }, tags: ['trial'] },
  });
  const { connections } = await sluice.call('connectionList', { query: { end_user: 'user_42' } });
  expect(connections.map((each) => each.connection_id)).toEqual([connection_id]);
});

it('9. throws the error of the service, with its request ID', async () => {
  const error = await clientOf()
    .call('functionCreate', { body: { name: '', runtime: 'nodejs24.x', files: { 'index.ts': '' } } })
    .catch((each: unknown) => each);
  expect(error).toBeInstanceOf(SluiceError);
  expect(error).toMatchObject({ status: 400, operation: 'functionCreate', requestId: expect.any(String) });
  expect((error as SluiceError).body?.message).toMatch(/^name: /);
});

it('10. repeats a POST whose response was lost, and nothing is created twice', async () => {
  const keys = new Set<string | null>();
  const losesFirst: typeof fetch = async (url, init) => {
    const isFirst = keys.size === 0;
    keys.add(new Headers(init?.headers).get('idempotency-key'));
    const response = await fetch(url, init);
    if (!isFirst) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
  await createTrigger(clientOf({ fetch: losesFirst }), 'Created once');
  expect(keys.size).toBe(1);
  const { triggers } = await clientOf().call('triggerList', { query: { q: 'Created once' } });
  expect(triggers).toHaveLength(1);
});
