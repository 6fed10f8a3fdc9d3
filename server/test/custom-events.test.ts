/** What an app of the account's own sends: declared with the app, taken as what the catalogue's apps send. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { addCustomApp } from './custom-support.ts';
import { makeTrigger } from './delivery-support.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

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
async function send({ ingress }: Trigger, secret: string, body: object, { ageSeconds = 0 } = {}) {
  const text = JSON.stringify(body);
  const time = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const signature = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  const response = await fetch(service.url + new URL(ingress?.url ?? '').pathname, {
    method: 'POST',
    headers: { 'x-sign': `v1=${signature}`, 'x-time': time },
    body: text,
  });
  await response.body?.cancel();
  return response.status;
}
const stored = async ({ trigger_id }: Trigger) =>
  (await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`)).body.events.map(
    ({ payload }) => payload,
  );

it('is verified, told apart by its name and stored once for each id', async () => {
  const app = await add();
  const { body } = await service.api<Reply<'appGet'>>('GET', `/apps/${app}`);
  expect(body.app.event_types.map(({ event_type }) => event_type)).toEqual(['order.paid', 'order']);
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

it('is changed with the app, but for what a trigger waits for, which the app outlives no more', async () => {
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
  // What isn't named stays; what is changed counts at once.
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

it.each<[string, object, field: string]>([
  ['no type', { types: [] }, 'events.types'],
  ['two types and no name', { name: null }, 'events.name'],
  ['a type twice', { types: [...events.types, ...events.types] }, 'events.types.2.event_type'],
  ['a type that is none', { types: [{ event_type: 'a b', sample }] }, 'events.types.0.event_type'],
  ['no sample', { types: [{ event_type: 'a' }] }, 'events.types.0.sample'],
  ['a signature nobody knows', { signature: { kind: 'md5', header: 'X' } }, 'events.signature.kind'],
  ['a header that is none', { signature: { kind: 'token', header: 'X Y' } }, 'events.signature.header'],
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
  ['a place that is none', { id: { query: 'x' } }, 'events.id'],
  ['a path that is none', { id: { body: 'a..b' } }, 'events.id.body'],
  ['something else', { steps: [] }, 'events.steps'],
])('with %s is refused by name', async (_, change, field) => {
  const body = { app: 'refused', name: 'R', base_url: 'https://api.example.com', methods: [{ method: 'BASIC' }] };
  const answer = await service.api<{ message: string }>('POST', '/apps', { ...body, events: { ...events, ...change } });
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain(`${field}: `);
});
