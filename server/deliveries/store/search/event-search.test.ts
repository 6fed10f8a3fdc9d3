/** Text and field search by the index finds the same events as reading them all. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { page } from '../events/event-pages.ts';
import { type EventFilter, list } from '../events/events.ts';
import { openWithTrigger } from '../store-support.ts';
import { indexNext } from './search-blocks.ts';
import { BLOCK_EVENTS } from './signatures.ts';

const [account_id, other_account] = [newId(), newId()];
const [trigger_id, second_trigger] = [newId(), newId()];
const LATER_MS = Date.now() + 3_600_000;

type Stored = {
  event_id: string;
  account_id: string;
  payload: string;
  value: Payload;
  headers: Record<string, string> | null;
};
type Payload = Record<string, unknown>;

let database: Database;
let events: Stored[];

/** The same random numbers in each run. */
let seed = 20_260_101;
const random = (below: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((seed / 0x80000000) * below);
};
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const WORDS = [
  'Straße',
  'ΟΔΟΣ',
  'Åse',
  'İzmir',
  '\u212aelvin',
  'Жук',
  '日本語',
  'a/b',
  'say "no"',
  'back\\slash',
  '😀',
  '<b>&',
  'tab\tend',
];
/** As senders in different languages escape the same text. */
const WRITERS: ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (json) => json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`),
  (json) => json.replaceAll('/', '\\/'),
  (json) => json.replaceAll('cust_', '\\u0063ust_'),
  (json) => json.replaceAll('":', '" : '),
];

function randomEvent(n: number, of: string): Stored {
  const value: Payload = {
    n,
    customer: { id: `cust_${random(900)}`, name: `${pick(WORDS)} ${random(50)}` },
    items: Array.from({ length: random(3) }, () => ({ sku: `sku-${random(400)}`, price: random(9000) / 10 })),
    tags: [pick(WORDS), String(random(300))],
    flag: pick([true, false, null]),
    'a.b': random(2000) * 1000,
  };
  let payload = pick(WRITERS)(JSON.stringify(value));
  if (n % 50 === 1) payload = payload.replace(/"a\.b":\s*(\d+)000/, '"a.b":$1.0e3');
  if (n % 90 === 7) payload = payload.replace(/}$/, `,"nul":"\\u0000\\\\u0000 \\ud800"}`);
  const headers =
    n % 3 === 0 ? { 'x-github-event': pick(['push', 'fork', 'pull_request']), 'x-id': `h_${random(5000)}` } : null;
  return { event_id: newId(), account_id: of, payload, value, headers };
}

beforeAll(async () => {
  database = await openWithTrigger(account_id, trigger_id);
  const db = database.kysely;
  await sql`insert into accounts (account_id, name, created_at) values (${other_account}, 'b', now())`.execute(db);
  await sql`insert into triggers (account_id, trigger_id, source, event_type, name, parameters, status, created_at, updated_at)
    values (${account_id}, ${second_trigger}, 'webhook', 'x', 'second', '{}', 'ENABLED', now(), now()),
      (${other_account}, ${trigger_id}, 'webhook', 'x', 'theirs', '{}', 'ENABLED', now(), now())`.execute(db);
  const of = (n: number) => (n % 4 === 3 ? other_account : account_id);
  events = Array.from({ length: 4 * BLOCK_EVENTS }, (_, n) => randomEvent(n, of(n)));
  await insert(events);
  while (await indexNext(db, LATER_MS));
  const tail = Array.from({ length: 300 }, (_, n) => randomEvent(events.length + n, of(n)));
  await insert(tail);
  events.push(...tail);
});
afterAll(() => database.close());

async function insert(rows: Stored[]): Promise<void> {
  const db = database.kysely;
  const json = JSON.stringify(
    rows.map(({ value: _, headers, ...row }, n) => ({
      ...row,
      trigger_id: n % 7 === 0 && row.account_id === account_id ? second_trigger : trigger_id,
      request: headers && JSON.stringify({ method: 'POST', path: '/secret-path', query: '', headers, size: 1 }),
    })),
  );
  const given = sql`json_to_recordset(${json}::json) r(account_id uuid, event_id uuid, trigger_id uuid, payload text, request text)`;
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
    select account_id, event_id, trigger_id, now(), payload from ${given}`.execute(db);
  await sql`insert into event_requests (account_id, event_id, request)
    select account_id, event_id, request from ${given} where request is not null`.execute(db);
}

const idsOf = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id);
const matching = (fits: (event: Stored) => boolean) =>
  idsOf(events.filter((event) => event.account_id === account_id && fits(event))).reverse();

async function found(filter: EventFilter, budgetMs: number, limit = 40): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  do {
    const { rows, next } = await page(database.kysely, account_id, filter, { limit, before, budgetMs });
    expect(rows.length).toBeLessThanOrEqual(limit);
    ids.push(...idsOf(rows));
    before = next ?? undefined;
  } while (before !== undefined);
  return ids;
}
const all = async (filter: EventFilter) =>
  idsOf(await list(database.kysely, account_id, filter, { limit: events.length }));

it('blocks have consecutive events of one account', async () => {
  const { rows } = await sql<{ account_id: string; blocks: number; groups: number }>`
    select account_id, count(*)::int as blocks, sum(cardinality(ids))::int as groups from event_search_blocks
    group by account_id`.execute(database.kysely);
  const counts = new Map(rows.map((row) => [row.account_id, [row.blocks, row.groups]]));
  expect(counts).toEqual(
    new Map([
      [account_id, [3, 192]],
      [other_account, [1, 64]],
    ]),
  );
});

type Field = [q: string, fits: (event: Stored) => boolean];
const FIELDS: Field[] = [
  ...Array.from({ length: 6 }, (): Field => {
    const id = `cust_${random(900)}`;
    return [`payload.customer.id = ${id}`, ({ value }) => (value['customer'] as Payload)['id'] === id];
  }),
  ...Array.from({ length: 3 }, (): Field => {
    const price = random(9000) / 10;
    const has = ({ value }: Stored) => (value['items'] as Payload[]).some((item) => item['price'] === price);
    return [`payload.items.price = ${price}0`, has];
  }),
  ...[1000, 1_201_000, 1_999_000].map(
    (number): Field => [`payload."a.b" = ${number}`, ({ value }) => value['a.b'] === number],
  ),
  ['payload."a.b" = 7e3', ({ value }) => value['a.b'] === 7000],
  ['payload.items.1.sku = sku-7', ({ value }) => (value['items'] as Payload[])[1]?.['sku'] === 'sku-7'],
  ['payload.tags = 77', ({ value }) => (value['tags'] as string[])[1] === '77'],
  [
    'payload.flag = null payload.tags = 5',
    ({ value }) => value['flag'] === null && (value['tags'] as string[])[1] === '5',
  ],
  ['payload.flag = "null"', () => false],
  ['payload.nul = *', ({ payload }) => payload.includes('"nul"')],
  ['payload.n.x = *', () => false],
  ...WORDS.map((word): Field => {
    const name = `${word} ${random(50)}`;
    return [
      `payload.customer.name = ${JSON.stringify(name)}`,
      ({ value }) => (value['customer'] as Payload)['name'] === name,
    ];
  }),
  ['headers.X-GitHub-Event = push', ({ headers }) => headers?.['x-github-event'] === 'push'],
  ['headers.x-github-event = Push', () => false],
  ['headers.x-id = *', ({ headers }) => headers !== null],
  [
    'h_77 headers.x-github-event = fork',
    ({ headers }) => headers?.['x-github-event'] === 'fork' && /^h_77/.test(headers['x-id'] ?? ''),
  ],
  ['payload.customer = cust_1', () => false],
];
it.each(FIELDS)('%s', async (q, fits) => {
  const expected = matching(fits);
  expect(await found({ q }, 60_000)).toEqual(expected);
  expect(await found({ q }, 0, expected.length < 30 ? 3 : 100)).toEqual(expected);
});

it('each text in an event finds the same events with and without the index', async () => {
  const texts = Array.from({ length: 16 }, () => {
    const { payload } = pick(events.filter((event) => event.account_id === account_id));
    const at = random(payload.length - 12);
    const text = payload.slice(at, at + 3 + random(9));
    return pick([text, text.toUpperCase(), text.toLowerCase()]).toWellFormed();
  });
  const more = [
    ...WORDS,
    'kelvin',
    'οδος',
    'izmir',
    'жук',
    'push',
    '"x-id":"h_4',
    'secret-path',
    'no such text',
    '100%',
  ];
  for (const q of [...texts, ...more].filter((text) => text !== ''))
    expect(await found({ q }, 60_000, 200), q).toEqual(await all({ q }));
  expect(await all({ q: 'secret-path' })).toEqual([]);
  expect(await all({ q: '"x-id":"h_4' })).not.toEqual([]);
});

it('a search can be combined with the other filters', async () => {
  const received_before = new Date(Date.now() + 3_600_000).toISOString();
  const between = { received_after: '2026-01-01T00:00:00Z', received_before };
  const q = 'payload.flag = true';
  for (const filter of [
    { trigger_id: second_trigger },
    between,
    { source: 'webhook' },
    { source: 'schedule' },
    { status: 'FAILED' },
  ] as EventFilter[]) {
    const expected = await all({ ...filter, q });
    expect(await found({ ...filter, q }, 0, 100)).toEqual(expected);
    expect(await found({ ...filter, q: 'payload.customer.id = cust_5' }, 0)).toEqual(
      await all({ ...filter, q: 'payload.customer.id = cust_5' }),
    );
  }
  expect(await all({ trigger_id: second_trigger, q })).not.toEqual([]);
  const [newest, , oldest] = await all({ q: 'payload.flag = null' });
  expect(await found({ q: 'payload.flag = null', since_id: oldest }, 0)).not.toContain(oldest);
  expect(newest).toBeDefined();
});

it('blocks that are missing or written again leave out no event', async () => {
  const db = database.kysely;
  const q = 'payload.customer.id = cust_33';
  const expected = await all({ q });
  const { rows } = await sql<{ last_id: string }>`
    select last_id from event_search_blocks where account_id = ${account_id} order by last_id`.execute(db);
  await sql`delete from event_search_blocks where last_id = ${rows[1]?.last_id}`.execute(db);
  expect(await found({ q }, 0, 3)).toEqual(expected);
  await sql`delete from event_search_blocks where last_id = ${rows[2]?.last_id}`.execute(db);
  expect(await found({ q }, 0, 3)).toEqual(expected);
  await Promise.all(Array.from({ length: 4 }, () => indexNext(db, LATER_MS)));
  while (await indexNext(db, LATER_MS));
  expect(await found({ q }, 0, 3)).toEqual(expected);
  await sql`delete from events where event_id < ${rows[0]?.last_id}`.execute(db);
  expect(await found({ q }, 0, 3)).toEqual(expected.filter((id) => id >= (rows[0]?.last_id ?? '')));
});
