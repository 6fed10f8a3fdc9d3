/** Events of custom apps: declared with the app, processed like those of the catalogue. */
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import { makeTrigger } from '../../deliveries/test/delivery-support.ts';
import { lockWaits } from '../../test/lock-waits.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import * as triggerStore from '../../triggers/store/triggers.ts';
import { addCustomApp, connectBy, type Received, startApp } from './custom-support.ts';

const service = serviceForAll();

const sample = { event: 'order.paid', id: 'o-1', order: { total: 12 } };
const events = {
  signature: {
    kind: 'hmac',
    header: 'X-Sign',
    prefix: 'v1=',
    timestamp_header: 'X-Time',
    signed: '{timestamp}.{body}',
  },
  name: { body: 'event' },
  id: { body: 'id' },
  types: [
    { event_type: 'order.paid', description: 'An order was paid.', sample },
    { event_type: 'order', description: 'Anything about an order.', sample },
  ],
};
const add = (more: object = { events }) =>
  addCustomApp(service, 'https://api.example.com', [{ method: 'BASIC' }], more);

type Trigger = Reply<'triggerCreate'>['trigger'];
async function post({ ingress }: Trigger, secret: string, body: object, { ageSeconds = 0 } = {}) {
  const text = JSON.stringify(body);
  const time = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  const response = await fetch(service.url + new URL(ingress?.url ?? '').pathname, {
    method: 'POST',
    headers: { 'x-sign': `v1=${signature}`, 'x-time': time },
    body: text,
  });
  return { status: response.status, text: await response.text() };
}
const send = async (...args: Parameters<typeof post>) => (await post(...args)).status;
const stored = async ({ trigger_id }: Trigger) =>
  (await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`)).body.events.map(
    ({ payload }) => payload,
  );

it('is verified, identified by its name and stored once for each id', async () => {
  const app = await add();
  const { body } = await service.api<Reply<'appGet'>>('GET', `/apps/${app}`);
  expect(body.app.event_types.map(({ event_type }) => event_type)).toEqual(['order.paid', `${body.app.app}.order`]);
  expect(body.app.webhook).toMatchObject({ kind: 'hmac', header: 'X-Sign' });
  expect(body.app.source).toMatchObject({ steps: [expect.stringContaining('{url}')] });
  const trigger = await makeTrigger(service, [], { source: app, event_type: 'order.paid', parameters: {} });
  const secret = trigger.ingress?.signing_secret ?? '';
  expect(secret).toMatch(/.{20}/);
  for (const status of [await send(trigger, secret, sample), await send(trigger, secret, sample)])
    expect(status).toBe(200);
  expect(await send(trigger, secret, { ...sample, id: 'o-2', event: 'order.lost' })).toBe(200);
  expect(await send(trigger, 'another', { ...sample, id: 'o-3' })).toBe(401);
  expect(await send(trigger, secret, { ...sample, id: 'o-4' }, { ageSeconds: 301 })).toBe(401);
  expect(await stored(trigger)).toEqual([sample]);
  const tried = await service.api<Reply<'triggerTest'>>('POST', `/triggers/${trigger.trigger_id}:test`);
  expect(tried.body.event.payload).toEqual(sample);
});

it('is not created for a trigger that is deleted while its sample is read', async () => {
  const { trigger_id } = await makeTrigger(service, [], { source: await add(), event_type: 'order', parameters: {} });
  const { db } = service.services;
  // the trigger was read, and the query of its app waits
  const [testing] = await db.transaction().execute(async (tx) => {
    await sql`lock table apps`.execute(tx);
    const tested = service.api('POST', `/triggers/${trigger_id}:test`);
    await expect.poll(() => lockWaits(db)).toBe(1);
    await triggerStore.remove(tx, service.account_id, trigger_id);
    return [tested];
  });
  expect(await testing).toMatchObject({ status: 404, body: { message: 'Trigger not found' } });
});

it('is one event for each ID, also if two long IDs differ only in the last digit', async () => {
  const trigger = await makeTrigger(service, [], { source: await add(), event_type: 'order', parameters: {} });
  const secret = trigger.ingress?.signing_secret ?? '';
  for (const id of ['12345678901234567890', '12345678901234567891', '12345678901234567891'])
    expect(await send(trigger, secret, { ...sample, id: parseExactly(id) })).toBe(200);
  expect(await stored(trigger)).toHaveLength(2);
});

it('can be changed with the app, except event types in use; an app in use can’t be deleted', async () => {
  const app = await add();
  const trigger = await makeTrigger(service, [], { source: app, event_type: 'order', parameters: {} });
  const secret = trigger.ingress?.signing_secret ?? '';
  const patch = (changes: object) => service.api<{ message: string }>('PATCH', `/apps/${app}`, changes);
  const [first] = events.types;
  expect(await patch({ events: { ...events, types: [first] } })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^events\.types: expected order /) },
  });
  expect((await patch({ events: null })).status).toBe(400);
  // Other fields do not change, and the new values apply at once.
  expect((await patch({ name: 'Orders' })).status).toBe(200);
  expect(await send(trigger, secret, sample)).toBe(200);
  expect((await patch({ events: { ...events, signature: { kind: 'token', header: 'X-Token' } } })).status).toBe(200);
  expect(await send(trigger, secret, { ...sample, id: 'o-9' })).toBe(401);
  expect(await stored(trigger)).toEqual([sample]);

  const remove = () => service.api<{ message: string }>('DELETE', `/apps/${app}`);
  expect(await remove()).toMatchObject({ status: 400, body: { message: expect.stringContaining('triggers') } });
  await service.api('DELETE', `/triggers/${trigger.trigger_id}`);
  expect((await remove()).status).toBe(200);
});

it('responds to its handshake, and only to that', async () => {
  const handshake = { kind: 'challenge', when: { path: 'type', equals: 'verify' }, reply: 'data.token' };
  const trigger = await makeTrigger(service, [], {
    source: await add({ events: { ...events, handshake } }),
    event_type: 'order',
    parameters: {},
  });
  const secret = trigger.ingress?.signing_secret ?? '';
  const asked = { type: 'verify', data: { token: 'echo-me' } };
  expect(await post(trigger, secret, asked)).toEqual({ status: 200, text: 'echo-me' });
  expect((await post(trigger, 'another', asked)).status).toBe(401);
  expect((await post(trigger, secret, { ...asked, type: 'other' })).text).not.toContain('echo-me');
  const asking = await makeTrigger(service, [], {
    source: await add({ events: { ...events, handshake: { kind: 'query', name: 'hub.challenge' } } }),
    event_type: 'order',
    parameters: {},
  });
  const address = service.url + new URL(asking.ingress?.url ?? '').pathname;
  expect(await (await fetch(`${address}?hub.challenge=1234`)).text()).toBe('1234');
  expect((await fetch(`${address}?challenge=1234`)).status).not.toBe(200);
  expect(await stored(trigger)).toEqual([]);
});

const registration = {
  add: { path: '/hooks?by=sluice', body: { target: '{url}', key: '{secret}', on: '{events}', active: true } },
  id: 'hook.id',
  list: { path: '/hooks', items: 'hooks', id: 'id', url: 'target' },
  remove: { path: '/hooks/{id}' },
};
const type = { ...events.types[0], api_names: ['ORDER_PAID', 'ORDER_SETTLED'] };

/** An app with a webhook API; with `lost` it processes requests without a response. */
async function startHooks() {
  const hooks: { id: string; target: string; key?: string; on: string[] }[] = [];
  const received: Received[] = [];
  const state = { lost: 0 };
  const app = await startApp((req, res) => void serve(req, res));
  async function serve(req: IncomingMessage, res: ServerResponse) {
    let body = '';
    for await (const chunk of req) body += chunk;
    const { method = '', url = '' } = req;
    received.push({ method, url, headers: req.headers as Record<string, string>, body });
    if (method === 'POST')
      hooks.push({ id: `h${received.length}`, ...(JSON.parse(body) as Omit<(typeof hooks)[0], 'id'>) });
    const at = hooks.findIndex(({ id }) => url === `/hooks/${id}`);
    if (method === 'DELETE' && at >= 0) hooks.splice(at, 1);
    if (method === 'POST' && state.lost-- > 0) return void res.destroy();
    const hook = { ...hooks.at(-1), signing: 'their-own-secret' };
    res.writeHead(method === 'DELETE' && at < 0 ? 404 : 200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(method === 'GET' ? { hooks } : { hook }));
  }
  return { ...app, hooks, received, state };
}
const addRegistered = (url: string, more: object) =>
  addCustomApp(service, url, [{ method: 'BASIC' }], { events: { ...events, types: [type], registration, ...more } });
const connected = (app: string) => connectBy(service, app, 'BASIC', { username: 'u', password: 'p' });
const triggerOf = async (app: string) =>
  makeTrigger(service, [], {
    source: app,
    event_type: 'order.paid',
    parameters: {},
    connection_id: await connected(app),
  });
const state = async ({ trigger_id }: Trigger) =>
  (await service.api<Reply<'triggerGet'>>('GET', `/triggers/${trigger_id}`)).body.trigger.ingress;

it('with a webhook API gets a webhook registered through its connection, and removed', async () => {
  const api = await startHooks();
  try {
    const app = await addRegistered(api.url, {});
    const { body } = await service.api<Reply<'appGet'>>('GET', `/apps/${app}`);
    expect(body.app.source).toMatchObject({ registers: true });
    expect(body.app.definition?.events).toMatchObject({ registration, types: [type] });
    const trigger = await triggerOf(app);
    expect(trigger.ingress).toMatchObject({ hook: 'REGISTERED', registration: { place: '/hooks?by=sluice' } });
    const [hook] = api.hooks;
    expect(hook).toMatchObject({ target: trigger.ingress?.url, on: type.api_names, active: true });
    expect(api.received[0]?.headers['authorization']).toMatch(/^Basic /);
    expect(await send(trigger, hook?.key ?? '', sample)).toBe(200);
    expect(await stored(trigger)).toEqual([sample]);
    const removed = await service.api<Reply<'triggerDelete'>>('DELETE', `/triggers/${trigger.trigger_id}`);
    expect(removed.body.hook).toEqual({ state: 'REMOVED', message: null });
    expect(api.hooks).toEqual([]);
  } finally {
    await api.close();
  }
});

it('reads the secret from the API’s response; finds a webhook whose ID was lost', async () => {
  const api = await startHooks();
  try {
    const { key: _, ...body } = registration.add.body;
    const mine = { ...registration, add: { ...registration.add, body }, secret: 'hook.signing' };
    const app = await addRegistered(api.url, { secret: 'theirs', registration: mine });
    api.state.lost = 1;
    const trigger = await triggerOf(app);
    expect(trigger.ingress).toMatchObject({ hook: 'PENDING' });
    expect(api.hooks).toHaveLength(1);
    await service.api('POST', `/triggers/${trigger.trigger_id}:register`);
    await expect.poll(async () => (await state(trigger))?.hook).toBe('REGISTERED');
    expect(api.hooks).toHaveLength(1);
    expect(await send(trigger, 'their-own-secret', sample)).toBe(200);
    expect(await stored(trigger)).toEqual([sample]);
  } finally {
    await api.close();
  }
});

it('preserves long numbers in samples and in requests to its API', async () => {
  const api = await startHooks();
  try {
    const long = parseExactly('{"id":12345678901234567890,"at":1.00000000000000000001}') as Record<string, unknown>;
    const body = { ...registration.add.body, account: parseExactly('98765432109876543210') };
    const mine = { ...registration, add: { ...registration.add, body } };
    const types = [{ ...type, sample: { ...sample, long } }];
    const app = await addRegistered(api.url, { types, registration: mine });
    const textOf = async (path: string) =>
      (await fetch(`${service.url}/api${path}`, { headers: { authorization: `Bearer ${service.key}` } })).text();
    const rename = async () => (await service.api('PATCH', `/apps/${app}`, { name: 'Renamed' })).status;
    const written = [`"long":${JSON.stringify(long)}`, '"account":98765432109876543210'];
    for (const part of written) expect(await textOf(`/apps/${app}`)).toContain(part);
    expect(await rename()).toBe(200);
    for (const part of written) expect(await textOf(`/apps/${app}`)).toContain(part);
    const trigger = await triggerOf(app);
    expect(api.received[0]?.body).toContain('"account":98765432109876543210');
    await service.api('POST', `/triggers/${trigger.trigger_id}:test`);
    expect(await textOf(`/triggers/${trigger.trigger_id}/events`)).toContain(JSON.stringify(long));
  } finally {
    await api.close();
  }
});

const withoutKey = { ...registration, add: { path: '/h', body: { a: '{url}' } } };

it.each<[string, object, field: string]>([
  ['no type', { types: [] }, 'events.types'],
  ['two types and no name', { name: null }, 'events.name'],
  ['a type twice', { types: [...events.types, ...events.types] }, 'events.types.2.event_type'],
  ['an invalid type', { types: [{ event_type: 'a b', sample }] }, 'events.types.0.event_type'],
  ['no sample', { types: [{ event_type: 'a' }] }, 'events.types.0.sample'],
  ['an unknown signature', { signature: { kind: 'md5', header: 'X' } }, 'events.signature.kind'],
  ['an invalid header', { signature: { kind: 'token', header: 'X Y' } }, 'events.signature.header'],
  ['a signature over nothing', { signature: { ...events.signature, signed: 'x' } }, 'events.signature.signed'],
  [
    'a signature over something else',
    { signature: { ...events.signature, signed: '{body}{url}' } },
    'events.signature.signed',
  ],
  [
    'a time that is not signed',
    { signature: { ...events.signature, signed: '{body}' } },
    'events.signature.timestamp_header',
  ],
  ['an invalid place', { id: { query: 'x' } }, 'events.id'],
  ['an invalid path', { id: { body: 'a..b' } }, 'events.id.body'],
  ['something else', { steps: [] }, 'events.steps'],
  ['an unknown handshake', { handshake: { kind: 'wave' } }, 'events.handshake.kind'],
  [
    'a handshake without a place',
    { handshake: { kind: 'challenge', when: { path: 'a', equals: 'b' } } },
    'events.handshake.reply',
  ],
  ['API names that are not registered', { types: [type] }, 'events.types.0.api_names'],
  [
    'a hook without a URL',
    { registration: { ...registration, add: { path: '/h', body: { a: '{secret}' } } } },
    'events.registration.add.body',
  ],
  ['a registration without the secret', { registration: withoutKey }, 'events.registration.add.body'],
  ['a secret sent to an app with its own', { secret: 'theirs', registration }, 'events.registration.add.body'],
  [
    'a secret returned to an app with its own',
    { registration: { ...registration, secret: 'a.b' } },
    'events.registration.secret',
  ],
  [
    'a hook that is named nowhere',
    { registration: { ...registration, remove: { path: '/hooks' } } },
    'events.registration.remove.path',
  ],
  [
    'a value that there is not',
    { registration: { ...registration, list: { ...registration.list, path: '/hooks/{owner}' } } },
    'events.registration.list.path',
  ],
  [
    'an address of another host',
    { registration: { ...registration, remove: { path: 'https://other.example/{id}' } } },
    'events.registration.remove.path',
  ],
  [
    'a body of nothing',
    { registration: { ...registration, add: { path: '/h', body: { a: '{url}', b: '{secret}', c: null } } } },
    'events.registration.add.body',
  ],
])('with %s is rejected with the field', async (_, change, field) => {
  const body = { app: 'refused', name: 'R', base_url: 'https://api.example.com', methods: [{ method: 'BASIC' }] };
  const answer = await service.api<{ message: string }>('POST', '/apps', { ...body, events: { ...events, ...change } });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain(`${field}: `);
});

it('registration is rejected for an app that is only an MCP server', async () => {
  const body = { app: 'refused', name: 'R', methods: [{ method: 'MCP', server_url: 'https://mcp.example.com/' }] };
  const answer = await service.api<{ message: string }>('POST', '/apps', {
    ...body,
    events: { ...events, registration },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toMatch(/^events\.registration: /);
});
