/** Pinned events outlive the partitions of their day. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { PINNED_EVENTS_MAX } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { pinnedEvents } from '../../deliveries/store/events/pins.ts';
import { openDeliveries } from '../../deliveries/store/queue/waiting-deliveries.ts';
import {
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  readEvent,
  whenAll,
} from '../../deliveries/test/delivery-support.ts';
import { newId } from '../../lib/ids.ts';
import { dropOldPartitions, type Kept } from '../../platform/database/partitions.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

type Event = Reply<'eventGet'>['event'];
type Answer = Reply<'eventPin'> & { message: string };
const at = ({ trigger_id, event_id }: Pick<Event, 'trigger_id' | 'event_id'>) =>
  `/triggers/${trigger_id}/events/${event_id}`;
const pin = (event: Event, body?: object) => service.api<Answer>('POST', `${at(event)}:pin`, body);
const unpin = (event: Event) => service.api<Answer>('POST', `${at(event)}:unpin`);
const statusOf = async (event: Event) => (await service.api('GET', at(event))).status;
const pinnedIds = async (more = '') => {
  const { body } = await service.api<Reply<'eventListAll'>>('GET', `/events?pinned=true${more}`);
  return body.events.map(({ event_id }) => event_id);
};

const DAY_MS = 86_400_000;
let hours = 0;
/** Drops days hour by hour, until today is past the retention; then once more for each call. */
async function retain(kept: Kept = pinnedEvents): Promise<string[]> {
  const { db, settings } = service.services;
  const dropped: string[] = [];
  const endMs = Date.now() + 2 * DAY_MS;
  for (;;) {
    const nowMs = Date.now() + (settings.retentionDays + 3) * DAY_MS + hours * 3_600_000;
    const plan = await dropOldPartitions(db, settings.retentionDays, { ...openDeliveries, kept }, nowMs);
    hours += 1;
    dropped.push(...plan.names);
    if (plan.allowedMs >= endMs) return dropped;
  }
}
const partitionsOf = async (table: string) => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass and relname like ${`${table}\\_kept\\_%`}`.execute(service.services.db);
  return rows.map(({ name }) => name);
};

describe('a pinned event', () => {
  it('is marked in reads, listed by a filter, and its note is replaced', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url }]);
    const event = await makeEvent(service, trigger_id);
    const other = await makeEvent(service, trigger_id);
    expect(event.pin).toBeNull();
    const { body } = await pin(event, { note: ' ticket 7 ' });
    expect(body.event).toMatchObject({ pin: { note: 'ticket 7', by: expect.any(String), at: expect.any(String) } });
    expect((await pin(event)).body.event.pin).toEqual(body.event.pin);
    expect((await pin(event, { note: null })).body.event.pin).toEqual({ ...body.event.pin, note: null });
    expect(await readEvent(service, other)).toMatchObject({ pin: null });
    expect(await pinnedIds()).toEqual([event.event_id]);
    expect(await pinnedIds(`&ids=${other.event_id}`)).toEqual([]);
    expect(await pinnedIds('&status=FAILED')).toEqual([]);
    const dry = { filter: { pinned: true }, dry_run: true };
    expect((await service.api('POST', '/events:replay', dry)).body).toMatchObject({ dry_run: { events: 1 } });
    expect((await unpin(event)).body.event.pin).toBeNull();
    expect((await unpin(event)).status).toBe(200);
    expect(await pinnedIds()).toEqual([]);
  });

  it('is refused if it is of another account, or if the account has too many', async () => {
    const { trigger_id } = await makeTrigger(service);
    const event = await makeEvent(service, trigger_id);
    const { key } = await service.secondAccount();
    for (const verb of ['pin', 'unpin'])
      expect((await service.api('POST', `${at(event)}:${verb}`, undefined, { key })).status).toBe(404);
    expect((await pin({ ...event, event_id: newId() })).status).toBe(404);
    expect((await pin(event, { note: 'x'.repeat(501) })).body.message).toContain('note: expected at most 500');
    expect((await pin(event, { colour: 'red' })).body.message).toContain('colour: ');
    const { db, account_id } = { db: service.services.db, account_id: service.account_id };
    const row = { account_id, trigger_id, note: null, pinned_by: 'a test', pinned_at: new Date().toISOString() };
    const full = Array.from({ length: PINNED_EVENTS_MAX }, () => ({ ...row, event_id: newId() }));
    await db.insertInto('pinned_events').values(full).execute();
    const answer = await pin(event);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('at most 1000 pinned events')]);
    // Pins of a deleted trigger don't count.
    const other = await makeEvent(service, (await makeTrigger(service)).trigger_id);
    await service.api('DELETE', `/triggers/${trigger_id}`);
    expect((await pin(other)).status).toBe(200);
    await db.deleteFrom('pinned_events').execute();
  });

  it('is kept with its request, deliveries and attempts when its day is dropped, and is replayed', async () => {
    const { trigger, url } = await listenTo(service, 'asana', '*', {
      parameters: { resource: '1' },
      destinations: [{ url: `${sink.url}/kept`, forward_headers: ['X-Kind'], body_source: 'ORIGINAL' }],
    });
    const secret = 'asana-secret-0123456789';
    await post(url, '', { 'x-hook-secret': secret });
    // The body is stored once, with the oldest of the three events.
    const one = { action: 'added', resource: { gid: '1' } };
    const raw = JSON.stringify({ events: [one, one, one] });
    await post(url, raw, {
      'x-hook-signature': createHmac('sha256', secret).update(raw).digest('hex'),
      'x-kind': 'orders',
    });
    const { events } = (await service.api<Reply<'eventListAll'>>('GET', `/events?trigger_id=${trigger.trigger_id}`))
      .body;
    expect(events).toHaveLength(3);
    const read: Event[] = [];
    for (const { event_id } of events) {
      const detail = (await service.api<{ event: Event }>('GET', at({ trigger_id: trigger.trigger_id, event_id })))
        .body;
      read.push(await whenAll(service, detail.event, 'SUCCEEDED'));
    }
    const [event, second, third] = read as [Event, Event, Event];
    await pin(event);
    const whole = `${at(event)}?request_body=true`;
    const before = [(await service.api('GET', whole)).body, await attemptsOf(service, event)];

    // A failure at any step loses nothing.
    for (const table of pinnedEvents.tables) {
      const copy: Kept['copy'] = async (tx, given, ...rest) => {
        if (given === table) throw new Error('killed');
        return pinnedEvents.copy(tx, given, ...rest);
      };
      await expect(retain({ ...pinnedEvents, copy })).rejects.toThrow('killed');
      expect([(await service.api('GET', whole)).body, await attemptsOf(service, event)]).toEqual(before);
      expect(await statusOf(second)).toBe(200);
    }

    expect(await retain()).toContain(`events_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`);
    expect([(await service.api('GET', whole)).body, await attemptsOf(service, event)]).toEqual(before);
    expect([await statusOf(second), await statusOf(third)]).toEqual([404, 404]);
    expect(await pinnedIds()).toEqual([event.event_id]);
    const { body: listed } = await service.api<Reply<'eventListAll'>>(
      'GET',
      `/events?trigger_id=${trigger.trigger_id}`,
    );
    expect(listed.events.map(({ event_id, pin }) => [event_id, pin !== null])).toEqual([[event.event_id, true]]);

    await service.api('POST', `${at(event)}:replay`);
    await whenAll(service, event, 'SUCCEEDED');
    await expect.poll(async () => (await attemptsOf(service, event)).length).toBe(2);
    expect(sink.received('/kept').at(-1)).toMatchObject({ body: raw, headers: { 'x-kind': 'orders' } });
    await service.api('POST', `/triggers/${trigger.trigger_id}/destinations`, { url: `${sink.url}/new` });
    await service.api('POST', `${at(event)}:replay`);
    await expect
      .poll(async () => (await readEvent(service, event)).deliveries.map(({ status }) => status))
      .toEqual(['SUCCEEDED', 'SUCCEEDED']);

    // Kept rows are kept by the next hours too, and dropped after the event is unpinned.
    await retain();
    expect(await readEvent(service, event)).toMatchObject({ deliveries: [{ attempts: 3 }, { attempts: 1 }] });
    expect(await partitionsOf('attempts')).toHaveLength(1);
    await unpin(event);
    expect(await statusOf(event)).toBe(200);
    await retain();
    expect(await statusOf(event)).toBe(404);
    for (const table of pinnedEvents.tables) expect(await partitionsOf(table)).toEqual([]);
    expect(only([await pinnedIds()])).toEqual([]);
  });
});
