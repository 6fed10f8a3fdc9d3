/** A destination that only fails: when it began, when it will be disabled, and its end. */
import { beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeEvent, makeTrigger, only, patchDestination, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/health-${++count}`;
  service.services.settings.health = { disableAfterMs: 3_600_000, exhaustedApartMs: 0 };
});

type Destination = { status: string; reason: string | null; failing_since: string | null; warning: number };
async function failing() {
  sink.answer(path, { status: 503 });
  const { trigger_id, destinations } = await makeTrigger(service, [{ url: sink.url + path }]);
  const { destination_id } = only(destinations);
  const at = `/triggers/${trigger_id}/destinations/${destination_id}`;
  return {
    trigger_id,
    destination_id,
    read: async () => (await service.api<{ destination: Destination }>('GET', at)).body.destination,
    fail: async () => whenAll(service, await makeEvent(service, trigger_id), 'FAILED'),
  };
}

const listed = async () =>
  (await service.api<{ triggers: { trigger_id: string }[] }>('GET', '/triggers?failing=true')).body.triggers.map(
    ({ trigger_id }) => trigger_id,
  );

describe('a failing destination', () => {
  it('reports since when it fails and when it will be disabled; one success ends that', async () => {
    const { trigger_id, read, fail } = await failing();
    expect(await read()).toMatchObject({ failing_since: null, disable_at: null, warning: 0 });
    await fail();
    await expect.poll(read).toMatchObject({ status: 'ENABLED', failing_since: expect.any(String), warning: 0 });
    const since = (await read()).failing_since;
    expect(await listed()).toContain(trigger_id);
    await fail();
    expect((await read()).failing_since).toBe(since);
    sink.answer(path, { status: 200 });
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    await expect.poll(read).toMatchObject({ failing_since: null, disable_at: null });
    expect(await listed()).not.toContain(trigger_id);
  });

  it.each([50, 70, 90])('warns at %d per cent of its time', async (warning) => {
    const { destination_id, read, fail } = await failing();
    await fail();
    await expect.poll(async () => (await read()).failing_since).not.toBeNull();
    const hourMs = 3_600_000;
    await service.services.db
      .updateTable('destinations')
      .set({ failing_since: new Date(Date.now() - hourMs).toISOString() })
      .where('destination_id', '=', destination_id)
      .execute();
    service.services.settings.health = { disableAfterMs: (hourMs / warning) * 100, exhaustedApartMs: 0 };
    await fail();
    await expect.poll(async () => (await read()).warning).toBe(warning);
    expect((await read()).status).toBe('ENABLED');
  });

  it('is disabled with FAILING after its time, which skips waiting deliveries; ENABLED clears the failures', async () => {
    const { trigger_id, destination_id, read, fail } = await failing();
    await fail();
    await expect.poll(async () => (await read()).failing_since).not.toBeNull();
    service.services.settings.health = { disableAfterMs: 0, exhaustedApartMs: 0 };
    await fail();
    await expect.poll(read).toMatchObject({ status: 'DISABLED', reason: 'FAILING' });
    expect(await listed()).not.toContain(trigger_id);
    expect(only((await makeEvent(service, trigger_id)).deliveries)).toMatchObject({
      status: 'SKIPPED',
      reason: 'DESTINATION_DISABLED',
    });
    await patchDestination(service, trigger_id, destination_id, { status: 'ENABLED' });
    expect(await read()).toMatchObject({ status: 'ENABLED', reason: null, failing_since: null, warning: 0 });
  });

  it('is not disabled by one outage: two deliveries must exhaust their retries hours apart', async () => {
    const { read, fail } = await failing();
    service.services.settings.health = { disableAfterMs: 0, exhaustedApartMs: 3_600_000 };
    await fail();
    await fail();
    await fail();
    await expect.poll(async () => (await read()).warning).toBe(90);
    expect((await read()).status).toBe('ENABLED');
  });
});
