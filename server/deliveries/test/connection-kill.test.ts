/** The real process, killed while it sends events with the credentials of a connection. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { type Sink, startSink } from '../../test/sink.ts';
import { type Folder, freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

const EVENTS = 60;
const PATIENTLY = { timeout: 60_000 };

let sink: Sink;
let folder: Folder;
let port: number;
let service: Spawned;
beforeAll(async () => {
  sink = await startSink();
  folder = scratch();
  port = await freePort();
  service = await start(folder.path, port);
});
afterAll(async () => {
  await service.kill('SIGKILL');
  await sink.close();
  folder.remove();
});

it('after a kill every event is sent with the credentials, and those that were answered are not sent again', async () => {
  const api = (async (method: string, path: string, body?: unknown) =>
    service.call(method, path, body)) as unknown as Parameters<typeof addApp>[0]['api'];
  const app = await addApp({ api, url: service.url }, sink.url);
  const id = await connect({ api, url: service.url }, app, { api_key: 'upstream-secret-key-1' });
  const { body } = await service.call<Reply<'triggerCreate'>>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: { cron_expression: '0 0 1 1 *' },
    destinations: [{ url: `connection://${id}/in/{{ payload.n }}`, max_in_flight: 4 }],
  });
  const { trigger_id } = body.trigger;
  const numbers = Array.from({ length: EVENTS }, (_, n) => n);
  const early = numbers.slice(0, EVENTS / 2);
  const send = (n: number) => service.call('POST', `/triggers/${trigger_id}:test`, { payload: { n } });
  for (const n of early) await send(n);
  const recorded = async () => {
    const list = await service.call<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events?limit=100`);
    return list.body.events.filter(({ outcomes }) => outcomes[0]?.status === 'SUCCEEDED').length;
  };
  await expect.poll(recorded, PATIENTLY).toBe(early.length);
  // Before the kill, the second half gets no response.
  for (const n of numbers) if (n >= EVENTS / 2) sink.answer(`/in/${n}`, () => {});
  for (const n of numbers.slice(EVENTS / 2)) await send(n);
  await expect.poll(() => sink.received(`/in/${EVENTS / 2}`).length, PATIENTLY).toBeGreaterThan(0);
  await service.kill('SIGKILL');
  for (const n of numbers) sink.answer(`/in/${n}`, { status: 200 });
  service = await start(folder.path, port);
  const counts = () => numbers.map((n) => sink.received(`/in/${n}`).length);
  await expect.poll(() => counts().every((count) => count > 0), PATIENTLY).toBe(true);
  for (const n of numbers)
    for (const { headers } of sink.received(`/in/${n}`))
      expect(headers.authorization).toBe('Bearer upstream-secret-key-1');
  expect(early.filter((n) => sink.received(`/in/${n}`).length !== 1)).toEqual([]);
}, 180_000);
