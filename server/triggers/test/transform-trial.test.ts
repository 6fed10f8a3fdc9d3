/** The test of a transformation with stored events: versions and code that is not deployed. */
import { expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addDestination, makeEvent, makeTrigger, only, whenAll } from '../../deliveries/test/delivery-support.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

const codeOf = (body: string) => ({
  'index.ts': `export default async (call: { body: string }) => { const event = JSON.parse(call.body); ${body} };`,
});
const V1 = codeOf(
  `console.log('seen', event.data.n); return event.data.n === 2 ? null : { body: { n: event.data.n } };`,
);

async function prepared(files = V1) {
  const { function_id } = await makeFunction(service, files, { name: 'Shape' });
  const { trigger_id } = await makeTrigger(service);
  const url = `${sink.url}/${trigger_id}`;
  const { destination_id } = await addDestination(service, trigger_id, { url, transform: { function_id } });
  const test = (body?: Body<'destinationTransformTest'>) =>
    service.api<Reply<'destinationTransformTest'> & { message: string; problems?: object[] }>(
      'POST',
      `/triggers/${trigger_id}/destinations/${destination_id}/transform:test`,
      body,
    );
  const runs = async () =>
    (await service.api<Reply<'runList'>>('GET', `/functions/${function_id}/runs`)).body.runs.length;
  return { function_id, trigger_id, test, runs, sent: () => sink.received(`/${trigger_id}`) };
}

it('shows for the newest events what would be sent, and neither sends nor stores a run', async () => {
  const { function_id, trigger_id, test, runs, sent } = await prepared();
  const events = [];
  for (const n of [1, 2, 3]) {
    const event = await makeEvent(service, trigger_id, { n });
    await whenAll(service, event, n === 2 ? 'SKIPPED' : 'SUCCEEDED');
    events.unshift(event);
  }
  const before = { sent: sent().length, runs: await runs() };
  const { body } = await test();
  expect(body).toMatchObject({ function_id, version: 1 });
  expect(body.results.map(({ event_id }) => event_id)).toEqual(events.map(({ event_id }) => event_id));
  expect(body.results.map(({ outcome, after }) => [outcome, after?.body])).toEqual([
    ['SENT', '{"n":3}'],
    ['SKIPPED', undefined],
    ['SENT', '{"n":1}'],
  ]);
  const [newest] = body.results;
  expect(JSON.parse(newest?.before?.body ?? '')).toMatchObject({ data: { n: 3 } });
  expect(JSON.parse(newest?.input ?? '')).toMatchObject({ data: { n: 3 }, request: { method: 'POST' } });
  expect(newest?.logs.map(({ message }) => message)).toEqual(['seen 3']);
  expect(newest?.duration_ms).toBeGreaterThan(0);
  expect({ sent: sent().length, runs: await runs() }).toEqual(before);
});

it('tries code that is not deployed, chosen events and another version', async () => {
  const { function_id, trigger_id, test } = await prepared();
  const event = await makeEvent(service, trigger_id, { n: 5 });
  await makeEvent(service, trigger_id, { n: 6 });
  const event_ids = [event.event_id];
  const draft = await test({ files: codeOf('return { body: { draft: event.data.n } };'), event_ids });
  expect(draft.body).toMatchObject({ version: null, results: [{ outcome: 'SENT', after: { body: '{"draft":5}' } }] });
  await service.api('POST', `/functions/${function_id}/versions`, { files: codeOf('return { body: 2 };') });
  const of = async (version?: number) =>
    only((await test({ event_ids, ...(version ? { version } : {}) })).body.results);
  expect(await of()).toMatchObject({ after: { body: '2' } });
  expect(await of(1)).toMatchObject({ after: { body: '{"n":5}' } });
});

it('reports code that does not compile, throws, loops or returns something else', async () => {
  const { trigger_id, test } = await prepared();
  await makeEvent(service, trigger_id, { n: 1 });
  const broken = await test({ files: { 'index.ts': 'export default () => {' } });
  expect(broken).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^files: /) } });
  expect(broken.body.problems).toMatchObject([{ file: 'index.ts', line: 1 }]);
  const tried = async (code: string) => only((await test({ files: codeOf(code) })).body.results);
  expect(await tried(`throw new RangeError('too far');`)).toMatchObject({
    outcome: 'FAILED',
    error_message: 'RangeError: too far',
    error: { name: 'RangeError', stack: expect.stringContaining('index.ts:1') },
    after: null,
  });
  expect(await tried('for (;;);')).toMatchObject({ outcome: 'FAILED', error_message: expect.stringContaining('1 s') });
  expect(await tried('return 7;')).toMatchObject({ error_message: expect.stringContaining('got a number') });
});

it('uses the sample of the event type before the first event, and names what is wrong in its input', async () => {
  const { test } = await prepared(codeOf('return { body: event.data };'));
  const result = only((await test()).body.results);
  expect(result).toMatchObject({ event_id: null, outcome: 'SENT' });
  expect(JSON.parse(result.after?.body ?? '')).toHaveProperty('scheduled_for');
  const other = '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac';
  expect((await test({ function_id: other })).body.message).toMatch(/^function_id: /);
  expect((await test({ version: 9 })).body.message).toMatch(/^version: /);
  expect((await test({ event_ids: [other] })).body.message).toMatch(/^event_ids\.0: /);
  expect((await test({ files: V1, version: 1 })).body.message).toMatch(/^version: /);
  const { trigger_id } = await makeTrigger(service);
  const plain = await addDestination(service, trigger_id, { url: sink.url });
  const at = `/triggers/${trigger_id}/destinations/${plain.destination_id}/transform:test`;
  expect((await service.api<{ message: string }>('POST', at)).body.message).toMatch(/^function_id: /);
});

it('is refused to API keys that may not run the function, or not deploy the code', async () => {
  const { function_id, trigger_id } = await prepared();
  const { destinations } = (await service.api<Reply<'destinationList'>>('GET', `/triggers/${trigger_id}/destinations`))
    .body;
  const [{ destination_id = '' } = {}] = destinations;
  const keyWith = async (scopes: string[], functions: string[] | null) =>
    (await service.api<{ key: string }>('POST', '/api-keys', { name: 'limited', scopes, functions })).body.key;
  const at = `/triggers/${trigger_id}/destinations/${destination_id}`;
  const test = async (key: string, body: object) =>
    (await service.api<{ message?: string }>('POST', `${at}/transform:test`, body, { key })).status;
  const set = async (key: string) => (await service.api('PATCH', at, { transform: { function_id } }, { key })).status;
  const triggers = ['triggers:write', 'events:read'];
  const without = await keyWith(triggers, null);
  expect([await test(without, {}), await set(without)]).toEqual([403, 403]);
  const { function_id: other } = await makeFunction(service, V1, { name: 'Other' });
  const elsewhere = await keyWith([...triggers, 'functions:invoke', 'functions:write'], [other]);
  expect([await test(elsewhere, {}), await set(elsewhere)]).toEqual([403, 403]);
  const invoking = await keyWith([...triggers, 'functions:invoke'], [function_id]);
  expect([await test(invoking, {}), await set(invoking)]).toEqual([200, 200]);
  expect(await test(invoking, { files: V1 })).toBe(403);
  const deploying = await keyWith([...triggers, 'functions:invoke', 'functions:write'], [function_id]);
  expect(await test(deploying, { files: V1 })).toBe(200);
});
