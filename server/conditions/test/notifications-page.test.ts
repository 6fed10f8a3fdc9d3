/**
 * docs/reference/notifications.md: its example works, its table has every event type with its members, and changes are evaluated
 * without waiting for the next evaluation, which is in an hour.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeEvent, makeTrigger, only, patchDestination, whenAll } from '../../deliveries/test/delivery-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { type Payload, watch } from './conditions-support.ts';

const page = readFileSync(fileURLToPath(new URL('../../../docs/reference/notifications.md', import.meta.url)), 'utf8');
const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], conditions: { everyMs: 3_600_000, holdMs: 0 } });

it('the example creates a trigger, and a test event reaches its destination', async () => {
  const [, example = ''] = /-d '\n(\{[\s\S]*?\n\})'/.exec(page) ?? [];
  const body = example.replace('https://example.com/alerts', `${sink.url}/alerts`);
  const created = await service.api<Reply<'triggerCreate'>>('POST', '/triggers', body, {
    headers: { 'content-type': 'application/json' },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  const { trigger_id, parameters } = created.body.trigger;
  expect(parameters).toEqual({
    after_failures: 5,
    window_minutes: 60,
    for_minutes: 0,
    after_rejections: 3,
    days_before: 14,
    free_percent: 10,
  });
  expect((await service.api('POST', `/triggers/${trigger_id}:test`)).status).toBe(200);
  await expect
    .poll(() => sink.received('/alerts').map(({ body }) => JSON.parse(body)))
    .toMatchObject([
      { type: 'sluice.failure', source: 'sluice', data: { type: 'destination.failing', title: expect.any(String) } },
    ]);
});

it('the payload, the table and the samples have the same types and members', async () => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const members = Object.keys(JSON.parse(text) as object).toSorted();
  const { event_types } = (await service.api<Reply<'appGet'>>('GET', '/apps/sluice')).body.app;
  const types = event_types.filter(({ event_type }) => !event_type.startsWith('sluice.'));
  const rows = [...page.matchAll(/^\| `(\w+\.\w+)` \| ([\w, ]+) \| (\w+) \| [^|]* \|([^|]*)\|$/gm)];
  expect(rows.map(([, type]) => type)).toEqual(types.map(({ event_type }) => event_type));
  for (const [index, { event_type, sample }] of types.entries()) {
    const payload = sample as Payload;
    const [, , states = '', severity, details = ''] = rows[index] ?? [];
    expect(Object.keys(payload).toSorted(), event_type).toEqual(members);
    expect(payload, event_type).toMatchObject({ type: event_type, severity });
    expect(states.split(', '), event_type).toContain(payload.state);
    const named = event_type === 'replay.stopped' ? undefined : Object.keys(payload.details);
    for (const name of named ?? []) expect(details, event_type).toContain(`\`${name}\``);
  }
});

it('a disabled destination, its recovery and the end of a replay are reported at once', async () => {
  const watched = await watch(service, sink, 'sluice.*');
  sink.answer('/gone', { status: 410 });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: `${sink.url}/gone` }]);
  const { destination_id } = only(destinations);
  await whenAll(service, await makeEvent(service, trigger_id), 'FAILED');
  await watched.whenReceived(1, destination_id);
  await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
  await watched.whenReceived(2, destination_id);
  sink.answer('/gone', { status: 200 });
  const filter = { trigger_id, status: 'FAILED' };
  const { body } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { filter });
  await watched.whenReceived(1, body.replay?.replay_id);
});
