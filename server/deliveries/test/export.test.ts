/** Exports: the rows of a list as a file, in NDJSON and CSV. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ExportedEvent } from '../../../contract/events.ts';
import { EXPORTS_AT_ONCE, LISTED_PAYLOAD_MAX_BYTES } from '../../../contract/limits.ts';
import type { LiveChange } from '../../../contract/live.ts';
import type { Reply } from '../../../contract/operations.ts';
import { newId } from '../../lib/ids.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';

type Row = Reply<'eventListAll'>['events'][number];
type Trigger = Reply<'triggerCreate'>['trigger'];

const page = readFileSync(fileURLToPath(new URL('../../../docs/reference/deliveries.md', import.meta.url)), 'utf8');
const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [], env: { SLUICE_DRAIN_SECONDS: '1' } });
const MANY = 1_200;
/** Events without deliveries, some kilobytes each. */
let many: Trigger;
let pair: Trigger;
let failedAt: string;
beforeAll(async () => {
  sink.answer('/bad', { status: 500 });
  many = await makeTrigger(service);
  await addEvents(many, MANY, `{"text":"${'x'.repeat(4_000)}"}`);
  pair = await makeTrigger(service, [
    { url: `${sink.url}/good`, name: '=HYPERLINK("http://evil")' },
    { url: `${sink.url}/bad`, name: 'a "quoted", name' },
  ]);
  const event = await makeEvent(service, pair.trigger_id, { text: '@SUM(1)\n"two"' });
  failedAt = event.received_at;
  const isDone = async () =>
    (await list(`trigger_id=${pair.trigger_id}`)).map(({ delivery_counts }) => delivery_counts);
  await vi.waitFor(async () => expect(await isDone()).toEqual([{ total: 2, succeeded: 1, failed: 1 }]), 60_000);
});

async function addEvents({ trigger_id }: Trigger, count: number, payload: string) {
  const ids = Array.from({ length: count }, () => newId());
  await sql`insert into events (account_id, event_id, trigger_id, received_at, payload)
    select ${service.account_id}, id, ${trigger_id}, now(), ${payload} from unnest(${ids}::uuid[]) id`.execute(
    service.services.db,
  );
}

const open = (query: string, { key = service.key, ...more }: RequestInit & { key?: string } = {}) =>
  fetch(`${service.url}/api/events:export?${query}`, { ...more, headers: { authorization: `Bearer ${key}` } });
async function exported(query: string): Promise<string> {
  const response = await open(query);
  expect(response.status).toBe(200);
  return response.text();
}
const rowsOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

/** All rows of the list. */
async function list(query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let token: string | null = ''; token !== null; ) {
    const more: string = token && `&next_token=${token}`;
    const { body } = await service.api<Reply<'eventListAll'>>('GET', `/events?limit=200&${query}${more}`);
    rows.push(...body.events);
    token = body.next_token;
  }
  return rows;
}
const withoutErrors = (rows: Row[]) =>
  rows.map(({ outcomes, ...rest }) => {
    const shown = outcomes.map((outcome) => ({ ...outcome, last_error_message: undefined }));
    return { ...rest, outcomes: shown };
  });

/** The cells of a CSV file; see RFC 4180. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, end, quoted, plain] of text.matchAll(/(^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)) {
    if (end === '\r\n') lines.push([]);
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
  }
  return lines;
}

describe('NDJSON', () => {
  it('has every event of the list once, in its order, while others arrive', async () => {
    const expected = await list('');
    const response = await open('');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="events-\d{12}\.ndjson"$/);
    const parts: string[] = [];
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      parts.push(part);
      if (parts.length < 5) await addEvents(many, 10, '{}');
    }
    const rows = rowsOf(parts.join(''));
    expect(rows).toHaveLength(expected.length);
    expect(withoutErrors(rows)).toEqual(withoutErrors(expected));
    for (const row of rows.slice(0, 20)) ExportedEvent.parse(row);
  });

  it('has the filters of the list', async () => {
    const [good, bad] = pair.destinations;
    const [ours] = await list(`trigger_id=${pair.trigger_id}`);
    for (const query of [
      `trigger_id=${pair.trigger_id}`,
      `status=FAILED`,
      `status=CANCELED`,
      `q=%40SUM`,
      `destination_id=${bad?.destination_id}&response_status=5xx`,
      `destination_id=${good?.destination_id}&response_status=5xx`,
      `ids=${ours?.event_id},${newId()}`,
      `received_after=${failedAt}&source=schedule&trigger_id=${pair.trigger_id}`,
      `received_before=2020-01-01T00:00:00Z`,
      `held=true`,
      `replay_id=${newId()}`,
      `replay_of=${newId()}`,
      `trigger_id=${newId()}`,
    ])
      expect(withoutErrors(rowsOf(await exported(query))), query).toEqual(withoutErrors(await list(query)));
  });

  it('has the last error of each delivery', async () => {
    const [row] = rowsOf(await exported(`trigger_id=${pair.trigger_id}`));
    expect(row?.outcomes).toMatchObject([
      { status: 'SUCCEEDED', last_error_message: null },
      { status: 'FAILED', last_response_status: 500, last_error_message: expect.stringContaining('500') },
    ]);
  });

  it('has payloads byte for byte, on one line', async () => {
    const trigger = await makeTrigger(service);
    await addEvents(trigger, 1, '{"n": 12345678901234567890,\r\n  "e":1e400, "t":"a\\nb \u2028"}');
    expect(await exported(`trigger_id=${trigger.trigger_id}`)).toContain(
      '"payload":{"n": 12345678901234567890,  "e":1e400, "t":"a\\nb \u2028"}}\n',
    );
  });
});

it('has payloads that a list omits', async () => {
  const trigger = await makeTrigger(service);
  const payload = `{"text":"${'x'.repeat(LISTED_PAYLOAD_MAX_BYTES)}"}`;
  await addEvents(trigger, 1, payload);
  expect(only(await list(`trigger_id=${trigger.trigger_id}`)).payload).toEqual({});
  expect(await exported(`trigger_id=${trigger.trigger_id}`)).toContain(payload);
  expect(await exported(`format=csv&trigger_id=${trigger.trigger_id}`)).toContain(payload.replaceAll('"', '""'));
});

describe('CSV', () => {
  it('has a line per delivery, quoted, without formulas', async () => {
    const text = await exported(`format=csv&trigger_id=${pair.trigger_id}`);
    const [head, ...lines] = cellsOf(text);
    expect(lines.pop()).toEqual(['']);
    const rows = lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [head?.[index], cell])));
    const [event] = await list(`trigger_id=${pair.trigger_id}`);
    const common = { event_id: event?.event_id, trigger_name: pair.name, source: 'schedule', attempts: '1' };
    const payload = JSON.stringify({ text: '@SUM(1)\n"two"' });
    expect(rows).toMatchObject([
      {
        ...common,
        destination_name: `'=HYPERLINK("http://evil")`,
        status: 'SUCCEEDED',
        last_error_message: '',
        payload,
      },
      { ...common, destination_name: 'a "quoted", name', status: 'FAILED', last_response_status: '500', payload },
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('a name that begins as %s gets an apostrophe', async (name) => {
    const trigger = await makeTrigger(service, [], { name });
    await addEvents(trigger, 1, '{}');
    const [, cells] = cellsOf(await exported(`format=csv&trigger_id=${trigger.trigger_id}`));
    expect(cells).toContain(`'${name}`);
    expect(cells).toContain('{}');
  });
});

it('the example of docs/reference/deliveries.md works, and its columns are those of the file', async () => {
  const [, query = ''] = /"\$BASE_URL\/events:export\?([^"]*)"/.exec(page) ?? [];
  expect(query).not.toBe('');
  const [head, ...lines] = cellsOf(await exported(query));
  expect(page.replaceAll('\n', ' ')).toContain((head ?? []).map((name) => `\`${name}\``).join(', '));
  expect(lines.length).toBeGreaterThan(1);
});

it('rejects a wrong format, page parameters and unknown filters, and names them', async () => {
  for (const [query, message] of [
    ['format=xml', /^format: /],
    ['limit=5', /limit/],
    ['next_token=x', /next_token/],
    ['stat=FAILED', /stat/],
    ['status=LOST', /^status: /],
    ['trigger_id=1', /^trigger_id: /],
  ] as const) {
    const response = await open(query);
    const body = (await response.json()) as { message: string };
    expect([response.status, body.message], query).toEqual([400, expect.stringMatching(message)]);
  }
});

it('has nothing of another account', async () => {
  const { key } = await service.secondAccount();
  expect(await (await open(`trigger_id=${pair.trigger_id}`, { key })).text()).toBe('');
  expect(cellsOf(await (await open(`format=csv`, { key })).text())).toHaveLength(2);
});

it('HEAD has the headers and no body', async () => {
  for (let time = 0; time <= EXPORTS_AT_ONCE; time++) {
    const response = await open('format=csv', { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  }
});

describe('while clients read slowly', () => {
  /** More than the buffers between the service and the client hold. */
  let large: Trigger;
  beforeAll(async () => {
    large = await makeTrigger(service);
    await addEvents(large, 100, `{"text":"${'x'.repeat(400_000)}"}`);
  });
  const openLarge = (signal?: AbortSignal) => open(`trigger_id=${large.trigger_id}`, { signal: signal ?? null });

  it('an account has a limited number of exports, until one is canceled', async () => {
    const left = new AbortController();
    const slow = await Promise.all(Array.from({ length: EXPORTS_AT_ONCE }, () => openLarge(left.signal)));
    expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 200));
    const refused = await openLarge();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('exports') });
    const { key } = await service.secondAccount();
    const other = await open('', { key });
    expect([other.status, await other.text()]).toEqual([200, '']);
    left.abort();
    const small = async () => {
      const response = await open(`trigger_id=${pair.trigger_id}`);
      await response.text();
      return response.status;
    };
    await expect.poll(small).toBe(200);
    expect(service.logged()).not.toContain('request failed');
  });

  it('an export continues after events were deleted, with what is left', async () => {
    const response = await openLarge();
    const reader = response.body?.getReader();
    await reader?.read();
    await service.api('DELETE', `/triggers/${large.trigger_id}`);
    let bytes = 0;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) bytes += part.value.length;
    expect(bytes).toBeLessThan(100 * 400_000);
  });

  it('a stop of the service ends the export as incomplete', async () => {
    large = await makeTrigger(service);
    await addEvents(large, 100, `{"text":"${'x'.repeat(400_000)}"}`);
    const response = await openLarge();
    const restarted = service.restart();
    await expect(response.text()).rejects.toThrow();
    await restarted;
    expect(rowsOf(await exported(`trigger_id=${large.trigger_id}`))).toHaveLength(100);
  });
});

it('an event that fails later is exported with its status of then', async () => {
  const trigger = await makeTrigger(service, [{ url: `${sink.url}/bad` }]);
  await whenAll(service, await makeEvent(service, trigger.trigger_id), 'FAILED');
  const row = only(rowsOf(await exported(`trigger_id=${trigger.trigger_id}&status=FAILED`)));
  expect(only(row.outcomes)).toMatchObject({ status: 'FAILED', attempts: 1 });
});

it('an export with an id reports its progress to open consoles, and how it ended', async () => {
  const published: LiveChange[] = [];
  const { stop } = service.services.live.subscribe(service.account_id, undefined, ({ changes }) =>
    published.push(...changes),
  );
  const of = (id: string) => published.filter((each) => each.noun === 'export' && each.export_id === id);
  const whole = newId();
  const events = rowsOf(await exported(`trigger_id=${many.trigger_id}&export_id=${whole}`)).length;
  await expect
    .poll(() => of(whole).at(-1))
    .toEqual({
      noun: 'export',
      export_id: whole,
      status: 'COMPLETED',
      events,
      total: events,
    });
  const canceled = newId();
  const abort = new AbortController();
  const response = await open(`trigger_id=${many.trigger_id}&export_id=${canceled}`, { signal: abort.signal });
  await response.body?.getReader().read();
  abort.abort();
  await expect.poll(() => of(canceled).at(-1)).toMatchObject({ status: 'STOPPED' });
  await exported(`trigger_id=${pair.trigger_id}`);
  expect(
    published.filter((each) => each.noun === 'export').every(({ export_id }) => [whole, canceled].includes(export_id)),
  ).toBe(true);
  stop();
  const refused = await open('export_id=mine');
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { message: expect.stringMatching(/^export_id: /) },
  ]);
});
