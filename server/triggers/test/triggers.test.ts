import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeTrigger, YEARLY } from '../../deliveries/test/delivery-support.ts';
import { newId } from '../../lib/ids.ts';
import { up as dotEventTypes } from '../../platform/database/migrations/018-dotted-event-types.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';

type Trigger = Reply<'triggerGet'>['trigger'];

const service = serviceForAll();

const create = (body: object) =>
  service.api<{ trigger: Trigger; message: string }>('POST', '/triggers', {
    source: 'schedule',
    event_type: 'schedule.elapsed',
    parameters: YEARLY,
    ...body,
  });

describe('a trigger', () => {
  it('is created ENABLED with its destinations', async () => {
    const { status, body } = await create({
      parameters: { cron_expression: '0 9 * * MON', timezone: 'Europe/Berlin' },
      destinations: [{ url: 'https://example.com/hook', name: 'Hook' }, { url: 'https://example.org/x' }],
    });
    expect(status).toBe(200);
    expect(body.trigger).toMatchObject({
      source: 'schedule',
      event_type: 'schedule.elapsed',
      name: 'Schedule 0 9 * * MON (Europe/Berlin)',
      description: null,
      parameters: { cron_expression: '0 9 * * MON', timezone: 'Europe/Berlin' },
      connection_id: null,
      status: 'ENABLED',
      reason: null,
      last_event_at: null,
      next_fire_at: expect.stringMatching(/T0[78]:00:00\.000000Z$/),
    });
    expect(body.trigger.destinations).toMatchObject([
      { url: 'https://example.com/hook', name: 'Hook', status: 'ENABLED', reason: null },
      { url: 'https://example.org/x', name: 'example.org', status: 'ENABLED', reason: null },
    ]);
    const read = await service.api('GET', `/triggers/${body.trigger.trigger_id}`);
    expect(read.body).toEqual({ trigger: body.trigger });
  });

  it('stops while DISABLED and continues from now when ENABLED', async () => {
    const { trigger_id, next_fire_at, updated_at } = await makeTrigger(service);
    const patch = async (changes: object) =>
      (await service.api<{ trigger: Trigger }>('PATCH', `/triggers/${trigger_id}`, changes)).body.trigger;
    const disabled = await patch({ status: 'DISABLED' });
    expect(disabled).toMatchObject({ status: 'DISABLED', reason: null, next_fire_at: null });
    expect(disabled.updated_at > updated_at).toBe(true);
    expect((await patch({ parameters: { cron_expression: '0 0 2 1 *' } })).next_fire_at).toBeNull();
    const enabled = await patch({ status: 'ENABLED' });
    expect(enabled).toMatchObject({ status: 'ENABLED', next_fire_at: expect.stringContaining('-01-02T') });
    expect(enabled.next_fire_at).not.toBe(next_fire_at);
  });

  it('changes only the given fields', async () => {
    const before = await makeTrigger(service, [], { name: 'Before', description: 'Why' });
    const patch = async (changes: object) =>
      (await service.api<{ trigger: Trigger }>('PATCH', `/triggers/${before.trigger_id}`, changes)).body.trigger;
    expect(await patch({ name: 'After' })).toEqual({ ...before, name: 'After', updated_at: expect.any(String) });
    expect(await patch({ description: null })).toMatchObject({ name: 'After', description: null });
    const moved = await patch({ parameters: { cron_expression: '30 6 * * *', timezone: 'Asia/Tokyo' } });
    expect(moved).toMatchObject({ next_fire_at: expect.stringContaining('T21:30:00'), name: 'After' });
  });

  it('can have a connection of the account, and lose it', async () => {
    const made = await service.api<{ connection_id: string }>('POST', '/connections', { app: 'github' });
    const { connection_id } = made.body;
    const trigger = await makeTrigger(service, [], { connection_id });
    expect(trigger.connection_id).toBe(connection_id);
    const { key } = await service.secondAccount();
    const { source, event_type, parameters } = trigger;
    const foreign = await service.api<{ message: string }>(
      'POST',
      '/triggers',
      { source, event_type, parameters, connection_id },
      { key },
    );
    expect(foreign.body.message).toContain('connection_id: ');
    const path = `/triggers/${trigger.trigger_id}`;
    const { body } = await service.api<{ trigger: Trigger }>('PATCH', path, { connection_id: null });
    expect(body.trigger.connection_id).toBeNull();
  });

  it('is deleted with its destinations', async () => {
    const { trigger_id, destinations } = await makeTrigger(service, [{ url: 'https://example.com/' }]);
    expect(await service.api('DELETE', `/triggers/${trigger_id}`)).toMatchObject({ status: 200, body: {} });
    for (const path of ['', '/events', '/destinations', `/destinations/${destinations[0]?.destination_id}`]) {
      expect((await service.api('GET', `/triggers/${trigger_id}${path}`)).status).toBe(404);
    }
    expect((await service.api('DELETE', `/triggers/${trigger_id}`)).status).toBe(404);
  });

  it('of another account does not exist', async () => {
    const { trigger_id } = await makeTrigger(service);
    const { key } = await service.secondAccount();
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      expect((await service.api(method, `/triggers/${trigger_id}`, body, { key })).status).toBe(404);
    }
    const listed = await service.api<{ triggers: Trigger[] }>('GET', '/triggers', undefined, { key });
    expect(listed.body.triggers).toEqual([]);
  });
});

describe('the list', () => {
  it('is newest first, in pages, by source, status and text', async () => {
    const { key } = await service.secondAccount();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { body } = await service.api<{ trigger: Trigger }>(
        'POST',
        '/triggers',
        { source: 'schedule', event_type: 'schedule.elapsed', parameters: YEARLY },
        { key },
      );
      ids.unshift(body.trigger.trigger_id);
    }
    await service.api('PATCH', `/triggers/${ids[1]}`, { status: 'DISABLED' }, { key });
    const list = async (query: string) =>
      (
        await service.api<{ triggers: Trigger[]; next_token: string | null }>('GET', `/triggers?${query}`, undefined, {
          key,
        })
      ).body;
    const first = await list('limit=3');
    expect(first.triggers.map(({ trigger_id }) => trigger_id)).toEqual(ids.slice(0, 3));
    const rest = await list(`limit=3&next_token=${first.next_token}`);
    expect(rest).toMatchObject({ next_token: null });
    expect(rest.triggers.map(({ trigger_id }) => trigger_id)).toEqual(ids.slice(3));
    expect((await list('status=DISABLED')).triggers.map(({ trigger_id }) => trigger_id)).toEqual([ids[1]]);
    expect((await list('source=github')).triggers).toEqual([]);
    for (const [id, name] of [
      [ids[0], '100% of Orders_in'],
      [ids[2], 'Refunds'],
    ])
      await service.api('PATCH', `/triggers/${id}`, { name }, { key });
    const named = async (text: string) =>
      (await list(new URLSearchParams({ q: text }).toString())).triggers.map(({ trigger_id }) => trigger_id);
    expect(await named('ORDERS_IN')).toEqual([ids[0]]);
    expect(await named('100%')).toEqual([ids[0]]);
    expect(await named('0%s')).toEqual([]);
    expect(await named('schedule.elapsed')).toEqual(ids);
    expect(await named(ids[2] ?? '')).toEqual([ids[2]]);
    const foreign = await service.api(
      'GET',
      `/triggers?limit=3&status=ENABLED&next_token=${first.next_token}`,
      undefined,
      {
        key,
      },
    );
    expect(foreign.status).toBe(400);
  });
});

describe('an invalid request is rejected with its field', () => {
  it.each([
    [{ source: 'no-such-app' }, 'source: unknown source "no-such-app"'],
    [{ source: 'a\u0000b' }, 'source: '],
    [{ event_type: 'schedule.ended' }, 'event_type: expected schedule.elapsed'],
    [{ parameters: {} }, 'parameters.cron_expression: '],
    [{ parameters: { cron_expression: 5 } }, 'parameters.cron_expression: expected string'],
    [{ parameters: { cron_expression: '0 0 30 2 *' } }, 'parameters.cron_expression: "0 0 30 2 *" never fires'],
    [{ parameters: { cron_expression: '0 0 0 0 0 0' } }, 'parameters.cron_expression: expected five fields'],
    [{ parameters: { cron_expression: '99 * * * *' } }, 'parameters.cron_expression: '],
    [{ parameters: { ...YEARLY, timezone: 'Mars/Olympus' } }, 'parameters.timezone: expected an IANA time zone'],
    [{ parameters: { ...YEARLY, colour: 1 } }, 'parameters.colour: unknown parameter'],
    [{ connection_id: newId() }, 'connection_id: expected a connection of this account'],
    [{ destinations: [{ url: 'https://example.com' }, { url: 'http://10.1.2.3/' }] }, 'destinations.1.url: '],
    [
      { destinations: [{ url: 'https://example.com', body_template: '{{' }] },
      'destinations.0.body_template: position 1',
    ],
    [
      { destinations: Array.from({ length: 21 }, () => ({ url: 'https://example.com' })) },
      'destinations: expected at most 20',
    ],
  ])('%j', async (body, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
  });

  it('and creates nothing', async () => {
    const { key } = await service.secondAccount();
    const body = {
      source: 'schedule',
      event_type: 'schedule.elapsed',
      parameters: YEARLY,
      destinations: [{ url: 'http://169.254.169.254/' }],
    };
    expect((await service.api('POST', '/triggers', body, { key })).status).toBe(400);
    const listed = await service.api<{ triggers: Trigger[] }>('GET', '/triggers', undefined, { key });
    expect(listed.body.triggers).toEqual([]);
  });

  it('also for PATCH', async () => {
    const { trigger_id } = await makeTrigger(service);
    const answer = await service.api<{ message: string }>('PATCH', `/triggers/${trigger_id}`, {
      parameters: { cron_expression: '0 0 31 2 *' },
    });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('never fires') } });
  });
});

describe('event types', () => {
  it('are dotted in every app', async () => {
    const { body } = await service.api<Reply<'appList'>>('GET', '/apps');
    const types = body.apps.flatMap(({ app, event_types }) =>
      event_types.map(({ event_type }) => ({ app, event_type })),
    );
    expect(types.length).toBeGreaterThan(200);
    expect(types.filter(({ event_type }) => !event_type.includes('.'))).toEqual([]);
    expect(types).toContainEqual({ app: 'github', event_type: 'github.push' });
    expect(types).toContainEqual({ app: 'github', event_type: 'issues.opened' });
  });

  it.each([
    ['push', 'github.push'],
    ['github.push', 'github.push'],
    ['*', 'github.*'],
    ['issues.opened', 'issues.opened'],
  ])('%s of GitHub is returned as %s', async (given, event_type) => {
    const { status, body } = await create({ source: 'github', event_type: given, parameters: {} });
    expect(status).toBe(200);
    expect(body.trigger.event_type).toBe(event_type);
    const read = await service.api<{ trigger: Trigger }>('GET', `/triggers/${body.trigger.trigger_id}`);
    expect(read.body.trigger.event_type).toBe(event_type);
  });

  it('unknown to a source are rejected with the list of known ones', async () => {
    const { status, body } = await create({ source: 'github', event_type: 'gitlab.push', parameters: {} });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^event_type: expected github\.push or .*, got "gitlab\.push"$/);
  });

  it('stored in the native form are migrated', async () => {
    const { db } = service.services;
    const made = await create({ source: 'github', event_type: 'push', parameters: {} });
    const { trigger_id } = made.body.trigger;
    await db.updateTable('triggers').set({ event_type: 'push' }).where('trigger_id', '=', trigger_id).execute();
    await dotEventTypes(db as unknown as Kysely<unknown>);
    const { body } = await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`);
    expect(body.trigger.event_type).toBe('github.push');
  });
});
