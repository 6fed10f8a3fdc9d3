/** Text and field search through the API: documented examples, other operations with the filter, bad input. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { dropOldPartitions } from '../../platform/database/partitions.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { indexNext } from '../store/search/search-blocks.ts';
import { makeTrigger } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });
const LATER_MS = 3_600_000;
const BLOCK_EVENTS = 1024;

type Page = Reply<'eventListAll'>;
type Trigger = Reply<'triggerCreate'>['trigger'];

let trigger: Trigger;
/** The requests of the documented example: two customers, two events of GitHub. */
let sent: string[];

beforeAll(async () => {
  trigger = await makeTrigger(service, [{ url: `${sink.url}/ok` }], {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: {},
  });
  const send = async (payload: object, event: string) => {
    const headers = {
      'content-type': 'application/json',
      'x-github-event': event,
      authorization: 'Bearer secret-1234',
    };
    const response = await fetch(trigger.ingress?.url ?? '', {
      method: 'POST',
      headers,
      body: JSON.stringify(payload),
    });
    return ((await response.json()) as { event_ids: string[] }).event_ids[0] ?? '';
  };
  sent = [
    await send({ customer: { id: 'cust_4321' }, amount: 12.5, note: 'two words' }, 'push'),
    await send({ customer: { id: 'cust_43210' }, amount: 12, items: [{ sku: 'a' }, { sku: 'b' }] }, 'push'),
    await send({ customer: { id: 'cust_4321' }, amount: '12', items: [{ sku: 'c' }] }, 'fork'),
  ];
});

async function found(q: string, more = '', call?: { key: string }): Promise<string[]> {
  const ids: string[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const path: string = `/events?q=${encodeURIComponent(q)}${more}${token && `&next_token=${encodeURIComponent(token)}`}`;
    const { status, body }: { status: number; body: Page } = await service.api<Page>('GET', path, undefined, call);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.events.map(({ event_id }) => event_id));
    token = body.next_token;
  }
  return ids;
}
const numbersOf = (ids: string[]) => ids.map((id) => sent.indexOf(id)).sort();

it.each<[q: string, numbers: number[]]>([
  ['cust_4321', [0, 1, 2]],
  ['"cust_4321"', [0, 2]],
  ['payload.customer.id = cust_4321', [0, 2]],
  ['headers.x-github-event = push', [0, 1]],
  ['payload.customer.id = cust_4321 headers.x-github-event = push', [0]],
  ['payload.amount = 12', [1, 2]],
  ['payload.amount = "12"', [2]],
  ['payload.amount = 12.50', [0]],
  ['payload.note = "two words"', [0]],
  ['payload.items.sku = b', [1]],
  ['payload.items.0.sku = b', []],
  ['payload.items = *', [1, 2]],
  ['payload.items = * two words', []],
  ['"x-github-event":"fork"', [2]],
  ['secret-1234', []],
  ['headers.authorization = "Bearer secret-1234"', []],
])('%s', async (q, numbers) => {
  expect(numbersOf(await found(q))).toEqual(numbers);
});

it('the export and a dry run of a replay select the same events', async () => {
  const q = 'payload.customer.id = cust_4321 headers.x-github-event = push';
  const exported = await fetch(`${service.url}/api/events:export?q=${encodeURIComponent(q)}`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  const lines = (await exported.text()).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id)).toEqual([sent[0]]);
  const replay = { filter: { q, trigger_id: trigger.trigger_id }, dry_run: true };
  const { body } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', replay);
  expect(body.dry_run).toMatchObject({ events: 1, at_least: false });
});

it.each([
  ['payload. = 1', 'q: at character 9: expected the name of a field'],
  ['payload.a =', 'q: at character 12: expected a value after ='],
  ['payload.a = "x', 'q: at character 12: expected a value'],
  ['payload.a != 1', 'q: at character 11: expected ='],
  ['payload."\\u0000" = 1', 'q: at character 9: expected no NUL character'],
  ['payload.0.0.0.0 = 1', 'q: at character 9: expected at most 3 numbers'],
])('%s is a 400', async (q, message) => {
  const answer = await service.api<{ message: string }>('GET', `/events?q=${encodeURIComponent(q)}`);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
  const replay = await service.api<{ message: string }>('POST', '/events:replay', { filter: { q } });
  expect(replay).toMatchObject({ status: 400, body: { message: expect.stringContaining(message.slice(3)) } });
});

it.each([
  `payload.${'a.'.repeat(80)}b = 1`,
  `payload.${'"\\ud800"'} = "\\udfff"`,
  'payload.__proto__ = x',
  'payload.999999999 = 1e999',
  'payload.a = -0',
  "payload.a' = $.x ? (@ == 1)",
  'headers.a"b"c = "\'; drop table events"',
  '%_\\',
])('%s is a search without a match', async (q) => {
  expect(await found(q)).toEqual([]);
});

describe('events of the index', () => {
  /** Events of an earlier hour, as many as fit in a block, with `cust_9` in every hundredth. */
  async function fill(account_id: string, trigger_id: string, blocks: number): Promise<void> {
    const events = Array.from({ length: blocks * BLOCK_EVENTS }, (_, n) => ({
      event_id: newId(),
      payload: JSON.stringify({ customer: { id: n % 100 === 0 ? 'cust_9' : `other_${n}` } }),
    }));
    await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
      select ${account_id}, event_id, ${trigger_id}, now(), payload
      from json_to_recordset(${JSON.stringify(events)}::json) r(event_id uuid, payload text)`.execute(
      service.services.db,
    );
  }

  it('are found by their account only, until their trigger is deleted or retention drops them', async () => {
    const { db } = service.services;
    const { account_id, key } = await service.secondAccount();
    const { body } = await service.api<{ trigger: Trigger }>(
      'POST',
      '/triggers',
      { source: 'schedule', event_type: 'schedule.elapsed', parameters: { cron_expression: '0 0 1 1 *' } },
      { key },
    );
    const own = await makeTrigger(service);
    await fill(account_id, body.trigger.trigger_id, 2);
    await fill(service.account_id, own.trigger_id, 2);
    const q = 'payload.customer.id = cust_9';
    const of = (call?: { key: string }) => found(q, '&limit=200', call);
    const before = [await of(), await of({ key })];
    expect(before.map(({ length }) => length)).toEqual([21, 21]);

    // The server ends a worker that waits to store its block.
    await db.transaction().execute(async (tx) => {
      await sql`lock table event_search_blocks in share mode`.execute(tx);
      // The service's worker may be running: it finds nothing to do meanwhile.
      const index = async () => {
        while (!(await indexNext(db, Date.now() + LATER_MS)));
      };
      const stopped = index().catch(() => 'stopped');
      const end = () =>
        sql`select pg_terminate_backend(pid) from pg_locks
        where relation = 'event_search_blocks'::regclass and not granted and pid <> pg_backend_pid()`.execute(tx);
      await expect.poll(async () => (await end()).rows.length).toBe(1);
      expect(await stopped).toBe('stopped');
    });
    expect([await of(), await of({ key })]).toEqual(before);
    const blocks = async () => {
      await indexNext(db, Date.now() + LATER_MS);
      return (await sql`select from event_search_blocks`.execute(db)).rows.length;
    };
    await expect.poll(blocks).toBe(4);
    expect([await of(), await of({ key })]).toEqual(before);
    const many = await service.api<Page>('GET', '/events?q=payload.customer.id%20%3D%20*&limit=200');
    expect(many.body.events).toHaveLength(200);
    expect(many.body.next_token).not.toBeNull();
    await service.restart();
    expect([await of(), await of({ key })]).toEqual(before);

    await service.api('DELETE', `/triggers/${own.trigger_id}`);
    expect(await of()).toEqual([]);
    expect(await of({ key })).toEqual(before[1]);
    const nothing = { heldDays: async () => [], afterDrop: async () => {} };
    const DAY_MS = 86_400_000;
    // The edge of retention moves one day per hour.
    for (let hour = 0; hour < 40; hour++)
      await dropOldPartitions(service.services.db, 1, nothing, Date.now() + 5 * DAY_MS + hour * LATER_MS);
    expect(await of({ key })).toEqual([]);
    const { rows: left } = await sql`select from event_search_blocks`.execute(service.services.db);
    expect(left).toEqual([]);
  });
});
