/** Replays of what problems affect: plan, canary, receipt, and what they leave out. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import {
  attemptsOf,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from '../../deliveries/test/delivery-support.ts';
import { PATIENTLY } from '../../functions/test/functions-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { problemOf, QUICK, target } from './problems-support.ts';
import { finalReceipt, linesOf, plan, receiptOf, refusedReplay, replay } from './replays-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], problems: QUICK });

/** A destination with this many events that failed with one cause. */
async function failing(count: number, answer: { status: number; body?: string } = { status: 500, body: 'broken' }) {
  const made = await target(service, sink, answer);
  const events = [];
  for (let id = 1; id <= count; id++) events.push(await made.send({ id }));
  for (const each of events) await whenAll(service, each, 'FAILED');
  const { problem_id } = await problemOf(service, made.destination_id, ({ failures }) => failures >= count);
  return { ...made, events, problem_id };
}

it('after the fix everything is sent once, the receipt says so, and the problem is resolved', async () => {
  const { path, destination_id, problem_id, events } = await failing(6);
  const before = await plan(service, problem_id);
  expect(before).toMatchObject({
    events: 6,
    deliveries: 6,
    at_least: false,
    left_out: {},
    seconds: expect.any(Number),
    destinations: [{ destination_id, deliveries: 6, left_out: 0, is_paused: false, circuit_open_until: null }],
  });
  expect(Date.parse(before.oldest_at ?? '')).toBeLessThanOrEqual(Date.parse(before.newest_at ?? ''));
  sink.answer(path, { status: 200 });
  const sent = sink.received(path).length;
  const started = await replay(service, problem_id, { canary: 2 });
  expect(started).toMatchObject({ status: 'RUNNING', total: 6, canary: 2, problem_id });
  const ids = { problem_id, replay_id: started.replay_id };
  const receipt = await finalReceipt(service, ids);
  expect(receipt).toMatchObject({
    summary: '6 of 6 delivered, 0 twice',
    status: 'COMPLETED',
    total: 6,
    delivered: 6,
    delivered_twice: 0,
    outcomes: { DELIVERED: 6 },
    failing: [],
    left_out: {},
  });
  // The receiver agrees.
  const messages = sink.received(path).slice(sent);
  expect(messages.map(({ body }) => (JSON.parse(body) as { data: { id: number } }).data.id).toSorted()).toEqual([
    1, 2, 3, 4, 5, 6,
  ]);
  // The proof of a line is an attempt.
  const lines = await linesOf(service, ids);
  expect(lines.map(({ event_id }) => event_id)).toEqual(events.map(({ event_id }) => event_id));
  for (const [at, event] of events.entries()) {
    const proof = (await attemptsOf(service, event)).find(({ number }) => number === lines[at]?.attempt);
    expect(proof).toMatchObject({
      started_at: lines[at]?.attempted_at,
      response: { status: 200 },
      reason: null,
    });
  }
  expect(await problemOf(service, destination_id, ({ state }) => state === 'RESOLVED')).toMatchObject({
    resolved_as: 'REPLAYED',
    state_change: { by: null },
  });
  const { body } = await service.api<Reply<'replayList'>>('GET', `/replays?problem_id=${problem_id}`);
  expect(only(body.replays)).toMatchObject({ replay_id: started.replay_id, status: 'COMPLETED' });
  expect(await refusedReplay(service, problem_id)).toEqual([
    400,
    'problem_id: it has no delivery that can be sent again; see a dry run for the reasons',
  ]);
  expect((await plan(service, problem_id)).left_out).toEqual({ SUCCEEDED: 6 });
});

it('a canary that fails stops the replay with the reason, and nothing else is sent', async () => {
  const { path, problem_id } = await failing(5);
  sink.answer(path, { status: 503, body: 'still broken' });
  const sent = sink.received(path).length;
  const { replay_id } = await replay(service, problem_id, { canary: 2 });
  const receipt = await finalReceipt(service, { problem_id, replay_id });
  expect(receipt).toMatchObject({ status: 'STOPPED', outcomes: { FAILED: 2, NOT_SENT: 3 }, delivered: 0 });
  expect(receipt.summary).toMatch(
    /^0 of 5 delivered, 0 twice, 2 still failing because host 127\.0\.0\.1:\d+ is unavailable, 3 not sent$/,
  );
  expect(receipt.failing).toMatchObject([{ response_status: 503, reason: 'HTTP_STATUS', count: 2 }]);
  const { body } = await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`);
  expect(body.replay.reason).toBe('2 of the first 2 deliveries failed again with 503.');
  expect(sink.received(path).length - sent).toBe(2);
  expect((await linesOf(service, { problem_id, replay_id }, '?outcome=FAILED')).map(({ attempt }) => attempt)).toEqual([
    2, 2,
  ]);
});

it('a canary can wait for a person, who resumes or cancels', async () => {
  const { path, problem_id } = await failing(4);
  sink.answer(path, { status: 200 });
  const { replay_id } = await replay(service, problem_id, { canary: 1, after_canary: 'PAUSE' });
  const read = async () => (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body.replay;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('PAUSED');
  expect(await read()).toMatchObject({
    done: 1,
    finished_at: null,
    reason: 'The first delivery did not fail. Resume the replay to send the others.',
  });
  expect(await refusedReplay(service, problem_id)).toEqual([
    400,
    `problem_id: replay ${replay_id} of this problem has not ended; cancel it first`,
  ]);
  expect((await receiptOf(service, { problem_id, replay_id })).summary).toBe('1 of 4 delivered, 0 twice, 3 waiting');
  expect((await service.api('POST', `/replays/${replay_id}:resume`)).status).toBe(200);
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    status: 'COMPLETED',
    summary: '4 of 4 delivered, 0 twice',
  });
});

it('a canceled replay has a receipt of what was sent', async () => {
  const { path, problem_id } = await failing(3);
  sink.answer(path, { status: 200 });
  const { replay_id } = await replay(service, problem_id, { canary: 1, after_canary: 'PAUSE' });
  const read = async () => (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body.replay;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('PAUSED');
  await service.api('POST', `/replays/${replay_id}:cancel`);
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    status: 'CANCELED',
    summary: '1 of 3 delivered, 0 twice, 2 not sent',
  });
  // What was delivered is left out of the next one.
  const next = await replay(service, problem_id, { canary: 0 });
  expect(next).toMatchObject({ total: 2, canary: null });
  expect(await finalReceipt(service, { problem_id, replay_id: next.replay_id })).toMatchObject({
    summary: '2 of 2 delivered, 0 twice',
    left_out: { SUCCEEDED: 1 },
  });
});

it('leaves out what succeeded or has a newer edited copy, and says why', async () => {
  const { path, trigger_id, destination_id, problem_id, events } = await failing(6);
  const at = (n: number) => `/triggers/${trigger_id}/events/${events[n]?.event_id}`;
  sink.answer(path, (response, { body }) => {
    response
      .writeHead((JSON.parse(body) as { data: { edited?: string } }).data.edited === 'no' ? 500 : 200)
      .end('broken');
  });
  // Delivered again by a person.
  await service.api('POST', `${at(0)}:replay`);
  await whenAll(service, await readEvent(service, only(events.slice(0, 1))), 'SUCCEEDED');
  // An edited copy that arrived, and one that failed with the same problem: only the copy is sent.
  const copy = async (n: number, edited: string) => {
    const payload = { edited };
    const { body } = await service.api<Reply<'eventCreate'>>('POST', `/triggers/${trigger_id}/events`, {
      payload,
      replay_of: events[n]?.event_id,
    });
    return body.event;
  };
  await whenAll(service, await copy(1, 'yes'), 'SUCCEEDED');
  const failed = await whenAll(service, await copy(2, 'no'), 'FAILED');
  await problemOf(service, destination_id, ({ failures }) => failures === 7);
  const found = await plan(service, problem_id);
  expect(found).toMatchObject({ deliveries: 4, left_out: { SUCCEEDED: 1, EDITED: 2 } });
  sink.answer(path, { status: 200 });
  const { replay_id } = await replay(service, problem_id);
  await finalReceipt(service, { problem_id, replay_id });
  const lines = await linesOf(service, { problem_id, replay_id });
  expect(lines.map(({ event_id }) => event_id)).toEqual([...events.slice(3), failed].map(({ event_id }) => event_id));
});

it('what a disabled destination missed is included once it is enabled', async () => {
  const { path, trigger_id, destination_id, problem_id, send } = await failing(2);
  await patchDestination(service, trigger_id, destination_id, { status: 'DISABLED' });
  const missed = await whenAll(service, await send({ id: 3 }), 'SKIPPED');
  expect(await plan(service, problem_id)).toMatchObject({ deliveries: 0, left_out: { DESTINATION_DISABLED: 3 } });
  expect((await refusedReplay(service, problem_id))[0]).toBe(400);
  sink.answer(path, { status: 200 });
  await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
  const { replay_id } = await replay(service, problem_id);
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    summary: '3 of 3 delivered, 0 twice',
  });
  await whenAll(service, missed, 'SUCCEEDED');
});

it('a destination that is deleted during the replay is said in the receipt', async () => {
  const { path, trigger_id, destination_id, problem_id } = await failing(3);
  sink.answer(path, { status: 200 });
  const { replay_id } = await replay(service, problem_id, { canary: 1, after_canary: 'PAUSE' });
  const read = async () => (await service.api<Reply<'replayGet'>>('GET', `/replays/${replay_id}`)).body.replay;
  await expect.poll(async () => (await read()).status, PATIENTLY).toBe('PAUSED');
  await service.api('DELETE', `/triggers/${trigger_id}/destinations/${destination_id}`);
  await service.api('POST', `/replays/${replay_id}:resume`);
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    summary: '1 of 3 delivered, 0 twice, 2 not sent',
  });
  expect((await plan(service, problem_id)).left_out).toEqual({ SUCCEEDED: 1, DESTINATION_DELETED: 2 });
});

it('a replay to a paused destination waits, and is canceled', async () => {
  const { path, trigger_id, destination_id, problem_id } = await failing(2);
  sink.answer(path, { status: 200 });
  const url = `/triggers/${trigger_id}/destinations/${destination_id}`;
  expect((await service.api('PATCH', url, { paused: true })).status).toBe(200);
  expect(await plan(service, problem_id)).toMatchObject({
    deliveries: 2,
    seconds: null,
    destinations: [{ is_paused: true, seconds: null }],
  });
  const { replay_id } = await replay(service, problem_id);
  expect((await receiptOf(service, { problem_id, replay_id })).summary).toBe('0 of 2 delivered, 0 twice, 2 waiting');
  await service.api('POST', `/replays/${replay_id}:cancel`);
  expect((await service.api('PATCH', url, { paused: false })).status).toBe(200);
  expect((await finalReceipt(service, { problem_id, replay_id })).status).toBe('CANCELED');
});

it('a receiver that lies: the receipt has what the attempts say, and a later failure is a new attempt', async () => {
  const { path, trigger_id, problem_id, events } = await failing(2);
  sink.answer(path, { status: 200, body: 'not stored at all' });
  const { replay_id } = await replay(service, problem_id);
  const receipt = await finalReceipt(service, { problem_id, replay_id });
  expect(receipt.summary).toBe('2 of 2 delivered, 0 twice');
  sink.answer(path, { status: 500, body: 'broken' });
  await service.api('POST', `/triggers/${trigger_id}/events/${events[0]?.event_id}:replay`);
  await whenAll(service, only(events.slice(0, 1)), 'FAILED');
  // It is stored: what happens later changes neither its counts nor its lines.
  expect(await receiptOf(service, { problem_id, replay_id })).toEqual(receipt);
  const lines = await linesOf(service, { problem_id, replay_id });
  expect(lines.map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
    ['DELIVERED', 2],
    ['DELIVERED', 2],
  ]);
  // Sent again, it did arrive twice; the next receipt says so.
  sink.answer(path, { status: 200 });
  const next = await replay(service, problem_id);
  expect(await finalReceipt(service, { problem_id, replay_id: next.replay_id })).toMatchObject({
    summary: '1 of 1 delivered, 1 twice',
    delivered_twice: 1,
  });
});

it('a delivery that is retried makes the receipt final only when it ends', async () => {
  const { path, trigger_id, destination_id, problem_id } = await failing(1);
  const changes = { retry_schedule: [1] };
  await patchDestination(service, trigger_id, destination_id, changes);
  let n = 0;
  sink.answer(path, (response) => response.writeHead(n++ === 0 ? 500 : 200).end('broken'));
  const { replay_id } = await replay(service, problem_id, { canary: 0 });
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    summary: '1 of 1 delivered, 0 twice',
  });
  expect(only(await linesOf(service, { problem_id, replay_id }))).toMatchObject({ attempt: 3, successes: 1 });
});

it('an export has every line, as JSON lines and as CSV', async () => {
  const { path, problem_id } = await failing(3);
  sink.answer(path, { status: 200 });
  const { replay_id } = await replay(service, problem_id);
  await finalReceipt(service, { problem_id, replay_id });
  const lines = await linesOf(service, { problem_id, replay_id });
  const at = `/problems/${problem_id}/replays/${replay_id}/lines:export`;
  const get = (format: string) =>
    fetch(`${service.url}/api${at}?format=${format}`, { headers: { authorization: `Bearer ${service.key}` } });
  const ndjson = await get('ndjson');
  expect(ndjson.headers.get('content-disposition')).toContain(`receipt-${replay_id}.ndjson`);
  const rows = (await ndjson.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(rows).toEqual(lines);
  const [head, ...csv] = (await (await get('csv')).text()).trim().split('\r\n');
  expect(head).toBe(
    'event_id,trigger_id,delivery_id,destination_id,destination_name,outcome,successes,attempt,attempted_at,response_status,reason',
  );
  expect(csv).toHaveLength(3);
  expect(csv[0]).toContain(`${lines[0]?.event_id},`);
});

it('secrets in responses are not in the receipt', async () => {
  const { path, problem_id } = await failing(2);
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  sink.answer(path, { status: 401, body: `{"message":"key ${secret} is not valid"}` });
  const { replay_id } = await replay(service, problem_id, { canary: 0 });
  const receipt = await finalReceipt(service, { problem_id, replay_id });
  expect(JSON.stringify(receipt)).not.toContain(secret);
  expect(receipt.summary).toMatch(/2 still failing because destination “CRM \d+” returns 401: key … is not valid$/);
});

it('rejected requests are counted, and cannot be sent', async () => {
  const trigger = await makeTrigger(service, [], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: { verification: 'header', header: 'X-Token' },
  });
  const url = new URL(trigger.ingress?.url ?? '');
  for (let n = 0; n < 2; n++) await fetch(`${service.url}${url.pathname}`, { method: 'POST', body: '{}' });
  const { problem_id } = await problemOf(service, trigger.trigger_id, ({ failures }) => failures === 2);
  expect(await plan(service, problem_id)).toMatchObject({
    deliveries: 0,
    left_out: { REJECTED_REQUEST: 2 },
    seconds: 0,
  });
  expect((await refusedReplay(service, problem_id))[0]).toBe(400);
});

it.each([
  [{ canary: -1 }, 'canary'],
  [{ canary: 101 }, 'canary'],
  [{ rate_per_second: 0 }, 'rate_per_second'],
  [{ after_canary: 'STOP' }, 'after_canary'],
  [{ filter: {} }, 'filter'],
])('%j is refused', async (body, field) => {
  const { problem_id } = await failing(1);
  expect(await refusedReplay(service, problem_id, body)).toEqual([400, expect.stringContaining(field)]);
});

it('the examples of docs/reference/problems.md work', async () => {
  const page = readFileSync('docs/reference/problems.md', 'utf8');
  const examples = [...page.matchAll(/PROBLEM_ID\/replays".*\n {2}-d '(\{.*\})'/g)].map(([, json = '']) => json);
  expect(examples).toHaveLength(2);
  const { path, problem_id } = await failing(2);
  sink.answer(path, { status: 200 });
  const run = async (json = '') =>
    (await service.api<Reply<'problemReplayCreate'>>('POST', `/problems/${problem_id}/replays`, JSON.parse(json))).body;
  expect((await run(examples[0])).plan).toMatchObject({ deliveries: 2 });
  const { replay_id = '' } = (await run(examples[1])).replay ?? {};
  expect(await finalReceipt(service, { problem_id, replay_id })).toMatchObject({
    summary: '2 of 2 delivered, 0 twice',
  });
});
