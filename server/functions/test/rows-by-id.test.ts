/** Rows of a list by their ids, in one request, as the console reads changed rows. */
import { expect, it } from 'vitest';
import { IDS_MAX } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { makeEvent, makeTrigger } from '../../deliveries/test/delivery-support.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { invoke, makeFunction } from './functions-support.ts';

const service = serviceForAll();

type Rows = Reply<'eventListAll'> & Reply<'runListAll'> & { message: string };
const read = (path: string, more = {}) => service.api<Rows>('GET', path, undefined, more);

it('events of any trigger are read by their ids, newest first; ids without an event are omitted', async () => {
  const [one, other] = [await makeTrigger(service), await makeTrigger(service)];
  const first = await makeEvent(service, one.trigger_id);
  await makeEvent(service, one.trigger_id);
  const third = await makeEvent(service, other.trigger_id);
  const ids = [first.event_id, newId(), third.event_id.toUpperCase(), first.event_id].join();
  const { body } = await read(`/events?ids=${ids}`);
  expect(body.events.map(({ event_id }) => event_id)).toEqual([third.event_id, first.event_id]);
  expect(body.next_token).toBeNull();
  const both = await read(`/events?ids=${ids}&trigger_id=${one.trigger_id}`);
  expect(both.body.events.map(({ event_id }) => event_id)).toEqual([first.event_id]);
});

it('runs of any function are read by their ids, newest first', async () => {
  const [one, other] = [await makeFunction(service), await makeFunction(service)];
  const first = await invoke(service, one);
  await invoke(service, one);
  const third = await invoke(service, other);
  const { body } = await read(`/runs?ids=${first.run_id},${newId()},${third.run_id}`);
  expect(body.runs.map(({ run_id }) => run_id)).toEqual([third.run_id, first.run_id]);
});

it('another account cannot read them by id', async () => {
  const event = await makeEvent(service, (await makeTrigger(service)).trigger_id);
  const run = await invoke(service, await makeFunction(service));
  const { key } = await service.secondAccount();
  expect((await read(`/events?ids=${event.event_id}`, { key })).body.events).toEqual([]);
  expect((await read(`/runs?ids=${run.run_id}`, { key })).body.runs).toEqual([]);
});

it.each(['', ',', 'a', `${newId()},`, Array.from({ length: IDS_MAX + 1 }, () => newId()).join()])(
  'ids %s is a 400',
  async (ids) => {
    for (const path of ['/events', '/runs']) {
      const { status, body } = await read(`${path}?ids=${ids}`);
      expect([status, body.message]).toEqual([400, `ids: expected at most ${IDS_MAX} UUIDs separated by commas`]);
    }
  },
);
