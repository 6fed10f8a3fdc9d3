/** What uses a connection, and its replacement by another. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect, getConnection, newConnection } from '../../connections/test/connecting.ts';
import { HELLO, makeFunction } from '../../functions/test/functions-support.ts';
import { newId } from '../../lib/ids.ts';
import { type Service, startService } from '../../test/service.ts';

type Uses = Reply<'connectionUses'>;
type Replaced = Reply<'connectionReplace'> & { message?: string };

const target = createServer((_req, res) => res.end('ok'));
let service: Service;
let base_url: string;
beforeAll(async () => {
  await new Promise<void>((ok) => target.listen(0, '127.0.0.1', ok));
  base_url = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  target.close();
});

const uses = async (id: string) => (await service.api<Uses>('GET', `/connections/${id}/uses`)).body;
const replace = (id: string, to: string, key = service.key) =>
  service.api<Replaced>('POST', `/connections/${id}:replace`, { connection_id: to }, { key });
const schedule = async (connection_id: string) =>
  (
    await service.api<{ trigger: { trigger_id: string } }>('POST', '/triggers', {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Nightly',
      parameters: { cron_expression: '0 0 1 1 *' },
      connection_id,
    })
  ).body.trigger.trigger_id;
const addDestination = async (trigger_id: string, connection_id: string) =>
  (
    await service.api<{ destination: { destination_id: string } }>('POST', `/triggers/${trigger_id}/destinations`, {
      url: `connection://${connection_id.toUpperCase()}/in?x={{ event_id }}`,
    })
  ).body.destination.destination_id;
const limitedKey = async (app: string, connection_ids: string[]) =>
  (
    await service.api<{ api_key: { key_id: string }; key: string }>('POST', '/api-keys', {
      name: 'Limited',
      access: 'LIMITED',
      scopes: ['gateway:call', 'connections:write'],
      gateway: [{ app, connection_ids }],
    })
  ).body;
const auditOf = async (id: string) =>
  (await service.api<{ entries: { operation: string }[] }>('GET', `/audit?resource_id=${id}`)).body.entries.map(
    ({ operation }) => operation,
  );

/** Two ACTIVE connections of one app; a trigger, a function and a key use the first, which is the default. */
async function used() {
  const app = await addApp(service, base_url);
  const from = await connect(service, app, { api_key: 'one' });
  const to = await connect(service, app, { api_key: 'two' });
  await service.api('PATCH', `/connections/${from}`, { is_default: true });
  const trigger_id = await schedule(from);
  const destination_id = await addDestination(trigger_id, from);
  const { function_id } = await makeFunction(service, HELLO);
  const grants = [
    { app, connection_id: from },
    { app, connection_id: to },
  ];
  await service.api('PATCH', `/functions/${function_id}`, { gateway_policy: 'ALLOW_LIST', gateway_grants: grants });
  const { api_key, key } = await limitedKey(app, [from]);
  return { app, from, to, trigger_id, destination_id, function_id, key_id: api_key.key_id, key };
}

describe('the uses', () => {
  it('are the triggers, functions and keys, with their calls, and what replaces the default', async () => {
    const { app, from, to, trigger_id, destination_id, function_id, key_id, key } = await used();
    await service.api('GET', `/${app}/x`, undefined, { key, headers: { 'service-connection': from } });
    await expect
      .poll(async () => (await uses(from)).api_keys)
      .toEqual([{ key_id, name: 'Limited', is_limited: true, calls: 1 }]);
    expect(await uses(from)).toEqual({
      since: expect.any(String),
      triggers: [
        {
          trigger_id,
          name: 'Nightly',
          source: 'schedule',
          event_type: 'schedule.elapsed',
          status: 'ENABLED',
          reason: null,
        },
      ],
      trigger_count: 1,
      destinations: [
        {
          trigger_id,
          trigger_name: 'Nightly',
          destination_id,
          name: expect.stringMatching(/^App /),
          status: 'ENABLED',
        },
      ],
      functions: [{ function_id, name: expect.any(String), is_granted: true, calls: 0 }],
      api_keys: [{ key_id, name: 'Limited', is_limited: true, calls: 1 }],
      is_used_by_default: true,
      next_default: { connection_id: to, name: null },
    });
    expect(await uses(to)).toMatchObject({ triggers: [], is_used_by_default: false, next_default: null });
    const { key: foreign } = await service.secondAccount();
    const answer = await service.api('GET', `/connections/${from}/uses`, undefined, { key: foreign });
    expect(answer.status).toBe(404);
  });
});

describe('a replacement', () => {
  it('moves triggers, destinations, grants, limits and the default to the other connection', async () => {
    const { app, from, to, trigger_id, destination_id, function_id, key_id, key } = await used();
    const call = (id: string) =>
      service.api('GET', `/${app}/x`, undefined, { key, headers: { 'service-connection': id } });
    expect([(await call(from)).status, (await call(to)).status]).toEqual([200, 403]);
    const { status, body } = await replace(from, to);
    expect([status, body]).toEqual([
      200,
      { triggers: 1, destinations: 1, functions: 1, api_keys: 1, became_default: true },
    ]);
    expect(await uses(from)).toMatchObject({
      triggers: [],
      destinations: [],
      functions: [],
      is_used_by_default: false,
    });
    expect(await uses(to)).toMatchObject({
      triggers: [{ trigger_id }],
      destinations: [{ destination_id }],
      functions: [{ function_id, is_granted: true }],
      api_keys: [{ key_id, is_limited: true }],
      is_used_by_default: true,
    });
    expect([(await getConnection(service, from)).is_default, (await getConnection(service, to)).is_default]).toEqual([
      false,
      true,
    ]);
    const { body: fn } = await service.api<{ function: object }>('GET', `/functions/${function_id}`);
    expect(fn.function).toMatchObject({ gateway_grants: [{ app, connection_id: to }] });
    // the cached key and connection are evicted
    expect([(await call(from)).status, (await call(to)).status]).toEqual([403, 200]);
    for (const id of [from, to]) expect(await auditOf(id)).toContain('connectionReplace');
    expect(await auditOf(trigger_id)).toContain('triggerUpdate');
    const { body: own } = await service.api<{ destination: object }>(
      'GET',
      `/triggers/${trigger_id}/destinations/${destination_id}`,
    );
    expect(own.destination).toMatchObject({ url: `connection://${to}/in?x={{ event_id }}` });
    expect(await auditOf(destination_id)).toContain('destinationUpdate');
    expect(await auditOf(function_id)).toContain('functionUpdate');
    expect(await auditOf(key_id)).toContain('apiKeyUpdate');
    expect((await replace(from, to)).body).toEqual({
      triggers: 0,
      destinations: 0,
      functions: 0,
      api_keys: 0,
      became_default: false,
    });
  });

  it('clears the reason of triggers whose connection had failed', async () => {
    const app = await addApp(service, base_url);
    const from = await connect(service, app, { api_key: 'one' });
    const to = await connect(service, app, { api_key: 'two' });
    const trigger_id = await schedule(from);
    await service.api('POST', '/connections:bulk', { action: 'DISCONNECT', connection_ids: [from] });
    const reason = async () =>
      (await service.api<{ trigger: { reason: string | null } }>('GET', `/triggers/${trigger_id}`)).body.trigger.reason;
    expect(await reason()).toBe('CONNECTION_FAILED');
    expect((await replace(from, to)).status).toBe(200);
    expect(await reason()).toBeNull();
  });

  it('by a limited key may not change keys, and changes nothing then', async () => {
    const { from, to, trigger_id, key } = await used();
    const answer = await replace(from, to, key);
    expect(answer.status).toBe(403);
    expect((await uses(from)).triggers.map((each) => each.trigger_id)).toEqual([trigger_id]);
    expect((await uses(to)).triggers).toEqual([]);
  });

  it('is rejected unless the other connection is an ACTIVE one of the same app and account', async () => {
    const app = await addApp(service, base_url);
    const from = await connect(service, app, { api_key: 'one' });
    const pending = await newConnection(service, app);
    const elsewhere = await connect(service, await addApp(service, base_url), { api_key: 'x' });
    for (const [to, message] of [
      [from, 'connection_id: expected another connection'],
      [pending, 'connection_id: expected an ACTIVE connection, this one is PENDING'],
      [elsewhere, `connection_id: expected a connection of ${app}`],
      [newId(), 'connection_id: expected a connection of this account'],
      ['x', 'connection_id: expected a UUID'],
    ] as const)
      expect(await replace(from, to)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(message) },
      });
    const { key } = await service.secondAccount();
    expect((await replace(from, elsewhere, key)).status).toBe(404);
    expect((await replace(newId(), from)).status).toBe(404);
  });
});
