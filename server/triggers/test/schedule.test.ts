/** Firing of schedules: tests set the next firing time to the past. */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';

const sink = sinkForAll();
const service = serviceForAll();

/** Makes the schedule due at this time. */
async function dueAt(trigger_id: string, next_fire_at: string): Promise<void> {
  await service.services.db
    .updateTable('triggers')
    .set({ next_fire_at })
    .where('trigger_id', '=', trigger_id)
    .execute();
  service.services.nudge('scheduler');
}
const eventsOf = async (trigger_id: string) =>
  (await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`)).body.events;
const triggerOf = async (trigger_id: string) =>
  (await service.api<Reply<'triggerGet'>>('GET', `/triggers/${trigger_id}`)).body.trigger;
const hoursAgo = (hours: number) => {
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  return new Date(hour - hours * 3_600_000).toISOString().replace('Z', '000Z');
};

it('fires when due, delivers, and sets the next time', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/tick` }], {
    parameters: { cron_expression: '0 * * * *', timezone: 'Europe/Berlin' },
  });
  await dueAt(trigger_id, hoursAgo(0));
  await expect.poll(() => eventsOf(trigger_id)).toHaveLength(1);
  expect(only(await eventsOf(trigger_id)).payload).toEqual({
    scheduled_for: hoursAgo(0),
    cron_expression: '0 * * * *',
    timezone: 'Europe/Berlin',
  });
  expect((await triggerOf(trigger_id)).next_fire_at).toBe(hoursAgo(-1));
  await expect.poll(() => sink.received('/tick')).toHaveLength(1);
});

it('fires once after downtime, with the missed times', async () => {
  const { trigger_id } = await makeTrigger(service, [], { parameters: { cron_expression: '0 * * * *' } });
  await dueAt(trigger_id, hoursAgo(3));
  await expect.poll(() => eventsOf(trigger_id)).toHaveLength(1);
  expect(only(await eventsOf(trigger_id)).payload).toMatchObject({
    scheduled_for: hoursAgo(0),
    missed: [hoursAgo(3), hoursAgo(2), hoursAgo(1)],
  });
});

it('fires many schedules concurrently, each once', async () => {
  const triggers = [];
  for (let n = 0; n < 120; n++) {
    triggers.push(await makeTrigger(service, [], { parameters: { cron_expression: '0 * * * *' } }));
  }
  const ids = triggers.map(({ trigger_id }) => trigger_id);
  const { db } = service.services;
  await db
    .updateTable('triggers')
    .set({ next_fire_at: hoursAgo(0) })
    .where('trigger_id', 'in', ids)
    .execute();
  service.services.nudge('scheduler');
  const count = async () => {
    const rows = await db.selectFrom('events').select('trigger_id').where('trigger_id', 'in', ids).execute();
    return [rows.length, new Set(rows.map(({ trigger_id }) => trigger_id)).size];
  };
  await expect.poll(count).toEqual([120, 120]);
});

it('does not fire while disabled', async () => {
  const disabled = await makeTrigger(service, [], { parameters: { cron_expression: '0 * * * *' } });
  const watched = await makeTrigger(service, [], { parameters: { cron_expression: '0 * * * *' } });
  await service.api('PATCH', `/triggers/${disabled.trigger_id}`, { status: 'DISABLED' });
  await dueAt(watched.trigger_id, hoursAgo(0));
  await expect.poll(() => eventsOf(watched.trigger_id)).toHaveLength(1);
  expect(await eventsOf(disabled.trigger_id)).toEqual([]);
});

it('fires once if the clock of its node is an hour behind the database’s', async () => {
  const { trigger_id } = await makeTrigger(service, [], { parameters: { cron_expression: '* * * * *' } });
  const realMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: realMs - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await dueAt(trigger_id, new Date(realMs).toISOString());
  await expect.poll(() => eventsOf(trigger_id)).not.toEqual([]);
  expect(Date.parse((await triggerOf(trigger_id)).next_fire_at ?? '')).toBeGreaterThan(realMs);
  expect(await eventsOf(trigger_id)).toHaveLength(1);
});
