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
/** Only the tests make it due: an hourly schedule would also fire at the full hour, whenever the tests run. */
const AT_NEW_YEAR = { cron_expression: '0 0 1 1 *' };
const newYear = (yearsAgo = 0) => `${new Date().getUTCFullYear() - yearsAgo}-01-01T00:00:00.000000Z`;

it('fires when due, delivers, and sets the next time', async () => {
  const { trigger_id } = await makeTrigger(service, [{ url: `${sink.url}/tick` }], {
    parameters: { cron_expression: '0 1 1 1 *', timezone: 'Europe/Berlin' },
  });
  await dueAt(trigger_id, newYear());
  await expect.poll(() => eventsOf(trigger_id)).toHaveLength(1);
  expect(only(await eventsOf(trigger_id)).payload).toEqual({
    scheduled_for: newYear(),
    cron_expression: '0 1 1 1 *',
    timezone: 'Europe/Berlin',
  });
  expect((await triggerOf(trigger_id)).next_fire_at).toBe(newYear(-1));
  await expect.poll(() => sink.received('/tick')).toHaveLength(1);
});

it('fires once after downtime, with the missed times', async () => {
  const { trigger_id } = await makeTrigger(service, [], { parameters: AT_NEW_YEAR });
  await dueAt(trigger_id, newYear(3));
  await expect.poll(() => eventsOf(trigger_id)).toHaveLength(1);
  expect(only(await eventsOf(trigger_id)).payload).toMatchObject({
    scheduled_for: newYear(),
    missed: [newYear(3), newYear(2), newYear(1)],
  });
});

it('fires many schedules concurrently, each once', async () => {
  const triggers = [];
  for (let n = 0; n < 120; n++) {
    triggers.push(await makeTrigger(service, [], { parameters: AT_NEW_YEAR }));
  }
  const ids = triggers.map(({ trigger_id }) => trigger_id);
  const { db } = service.services;
  await db.updateTable('triggers').set({ next_fire_at: newYear() }).where('trigger_id', 'in', ids).execute();
  service.services.nudge('scheduler');
  const count = async () => {
    const rows = await db.selectFrom('events').select('trigger_id').where('trigger_id', 'in', ids).execute();
    return [rows.length, new Set(rows.map(({ trigger_id }) => trigger_id)).size];
  };
  await expect.poll(count).toEqual([120, 120]);
});

it('does not fire while disabled', async () => {
  const disabled = await makeTrigger(service, [], { parameters: AT_NEW_YEAR });
  const watched = await makeTrigger(service, [], { parameters: AT_NEW_YEAR });
  await service.api('PATCH', `/triggers/${disabled.trigger_id}`, { status: 'DISABLED' });
  await dueAt(watched.trigger_id, newYear());
  await expect.poll(() => eventsOf(watched.trigger_id)).toHaveLength(1);
  expect(await eventsOf(disabled.trigger_id)).toEqual([]);
});

it('fires once if the clock of its node is an hour behind the database’s', async () => {
  const realMs = Date.now();
  // In this minute of every hour: the next time is most of an hour away, whenever the test runs.
  const cron_expression = `${new Date(realMs).getUTCMinutes()} * * * *`;
  const { trigger_id } = await makeTrigger(service, [], { parameters: { cron_expression } });
  vi.useFakeTimers({ toFake: ['Date'], now: realMs - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await dueAt(trigger_id, new Date(realMs).toISOString());
  await expect.poll(() => eventsOf(trigger_id)).not.toEqual([]);
  expect(Date.parse((await triggerOf(trigger_id)).next_fire_at ?? '')).toBeGreaterThan(realMs);
  expect(await eventsOf(trigger_id)).toHaveLength(1);
});
