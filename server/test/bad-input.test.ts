/**
 * Malformed requests for events and deliveries: each is rejected with the invalid field, or stored exactly as sent.
 * (Bodies of sources are in ingress-refused.test.ts, hostile URLs in hostile-addresses.test.ts.)
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import {
  attemptsOf,
  makeEvent,
  makeTrigger,
  only,
  patchDestination,
  readEvent,
  whenAll,
} from '../deliveries/test/delivery-support.ts';
import { serviceForAll, sinkForAll } from './shared-set-up.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/bad-${++count}`;
});

type Refused = { message: string };
const tenTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, work));

describe('the lists', () => {
  type List = { name: string; at: string; filtered: string };
  let made: Promise<List[]> | undefined;
  /** A list of each kind with more than two rows. */
  async function makeLists(): Promise<List[]> {
    sink.answer('/listed', { status: 500 });
    const trigger = await makeTrigger(service, [{ url: `${sink.url}/listed`, retry_schedule: [] }]);
    await makeTrigger(service);
    await makeTrigger(service);
    const { trigger_id } = trigger;
    const events = [];
    for (let n = 0; n < 3; n++) events.push(await whenAll(service, await makeEvent(service, trigger_id), 'FAILED'));
    const [event] = events;
    if (!event) throw new Error('three were made');
    const { delivery_id } = only(event.deliveries);
    for (let n = 0; n < 3; n++) {
      await service.api('POST', `/triggers/${trigger_id}/events/${event.event_id}:replay`);
      await whenAll(service, event, 'FAILED');
    }
    const replays = [];
    for (let n = 0; n < 3; n++)
      replays.push(await service.api<Reply<'replayCreate'>>('POST', '/events:replay', { filter: { trigger_id } }));
    // In flight, they would change the lists.
    for (const { body } of replays) {
      const at = `/replays/${body.replay?.replay_id}`;
      const status = async () => (await service.api<Reply<'replayGet'>>('GET', at)).body.replay.status;
      await expect.poll(status).toBe('COMPLETED');
    }
    const hook = await makeTrigger(service, [], {
      source: 'webhook',
      event_type: 'webhook.received',
      parameters: { verification: 'none' },
    });
    for (let n = 0; n < 3; n++)
      await fetch(service.url + new URL(hook.ingress?.url ?? '').pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: 'no JSON',
      });
    return [
      { name: 'triggers', at: '/triggers', filtered: 'source=schedule' },
      { name: 'events', at: '/events', filtered: 'status=FAILED' },
      { name: 'events of a trigger', at: `/triggers/${trigger_id}/events`, filtered: 'status=FAILED' },
      {
        name: 'attempts',
        at: `/triggers/${trigger_id}/events/${event.event_id}/deliveries/${delivery_id}/attempts`,
        filtered: '',
      },
      { name: 'replays', at: '/replays', filtered: '' },
      { name: 'items of a replay', at: `/replays/${replays[0]?.body.replay?.replay_id}/items`, filtered: '' },
      { name: 'rejections', at: `/triggers/${hook.trigger_id}/rejections`, filtered: '' },
    ];
  }

  const ask = (at: string, query: string, key?: string) =>
    service.api<Refused & { next_token: string | null }>('GET', `${at}?${query}`, undefined, key ? { key } : {});
  const NAMES = ['triggers', 'events', 'events of a trigger', 'attempts', 'replays', 'items of a replay', 'rejections'];
  const listOf = async (name: string) => {
    made ??= makeLists();
    return only((await made).filter((each) => each.name === name));
  };

  it.each(NAMES)('of %s accept a valid limit, and name an invalid one', async (name) => {
    const { at } = await listOf(name);
    for (const good of ['0', '1', '999999999']) expect((await ask(at, `limit=${good}`)).status, good).toBe(200);
    for (const bad of ['-1', '1e9', '1.5', 'ten', '', '0x10', '1&limit=2', '%00', '٣']) {
      const answer = await ask(at, `limit=${bad}`);
      expect(answer.status, bad).toBe(400);
      expect(answer.body.message).toMatch(/^limit: /);
    }
  });

  it.each(NAMES)('of %s reject the cursor of another list', async (name) => {
    const { at, filtered } = await listOf(name);
    const { body } = await ask(at, `limit=1&${filtered}`);
    const token = body.next_token ?? '';
    expect(token, JSON.stringify(body).slice(0, 500)).toMatch(/.{20}/);
    expect((await ask(at, `limit=1&${filtered}&next_token=${token}`)).status).toBe(200);
    const middle = Math.floor(token.length / 2);
    const flipped = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1);
    const stray = await listOf(name === 'events' ? 'triggers' : 'events');
    const other = await ask(stray.at, 'limit=1');
    const tampered = [flipped, token.slice(0, -2), `${token}AA`, token.toUpperCase(), other.body.next_token ?? ''];
    for (const bad of [
      ...tampered,
      'AAAA',
      'null',
      '[]',
      '-1',
      "'; drop table events; --",
      '\u0000',
      'x'.repeat(5000),
    ]) {
      const answer = await ask(at, `limit=1&${filtered}&next_token=${encodeURIComponent(bad)}`);
      expect(answer.status, bad.slice(0, 100)).toBe(400);
      expect(answer.body.message).toMatch(/^next_token: /);
    }
    if (filtered) expect((await ask(at, `limit=1&next_token=${token}`)).status).toBe(400);
    const { key } = await service.secondAccount();
    expect([400, 404]).toContain((await ask(at, `limit=1&${filtered}&next_token=${token}`, key)).status);
  });

  it('of events name other invalid parameters', async () => {
    const { at } = await listOf('events of a trigger');
    for (const [query, field] of [
      ['since_id=not-an-id', 'since_id'],
      ["since_id=' or 1=1 --", 'since_id'],
      ['status=BROKEN', 'status'],
      ['status=failed', 'status'],
      ['response_status=6xx', 'response_status'],
      ['response_status=-1', 'response_status'],
      ['received_after=yesterday', 'received_after'],
      ['received_before=2026-13-45T00:00:00Z', 'received_before'],
      ['status=FAILED&status=SUCCEEDED', 'status'],
    ] as const) {
      const answer = await ask(at, query);
      expect(answer.status, query).toBe(400);
      expect(answer.body.message, query).toContain(field);
    }
  });
});

describe('a destination', () => {
  const create = async (body: object) => {
    const { trigger_id } = await makeTrigger(service);
    return service.api<Refused>('POST', `/triggers/${trigger_id}/destinations`, { url: sink.url + path, ...body });
  };
  const KEPT = ['Host', 'Content-Length', 'Connection', 'Transfer-Encoding', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer'];
  const ALSO_KEPT = ['Expect', 'Proxy-Authorization', 'Webhook-Id', 'Webhook-Timestamp', 'Webhook-Signature'];

  it.each([...KEPT, ...ALSO_KEPT])('does not set a %s header in any spelling', async (name) => {
    for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
      const answer = await create({ headers: { [spelling]: 'x' } });
      expect(answer).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`headers.${spelling}: `) },
      });
    }
  });

  it.each([
    ['a line break', 'X-A\r\nX-B'],
    ['a space', 'X A'],
    ['a colon', 'X-A:'],
    ['no characters', ''],
    ['a letter that is none of theirs', 'X-Ä'],
    ['a NUL', 'X-\u0000'],
    ['too many characters', 'X'.repeat(101)],
  ])('has no header whose name has %s', async (_, name) => {
    const answer = await create({ headers: { [name]: 'x' } });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^headers/) } });
  });

  it.each([
    ['a carriage return', 'a\rb'],
    ['a line feed', 'a\nX-B: b'],
    ['a whole request', 'a\r\n\r\nGET / HTTP/1.1\r\n'],
    ['a NUL', 'a\u0000'],
    ['a character that no header carries', 'a€'],
    ['too many characters', 'x'.repeat(4097)],
  ])('has no header whose value has %s', async (_, value) => {
    const answer = await create({ headers: { 'X-A': value } });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('headers.X-A: ') } });
  });

  it('has a limited number of headers, without duplicates', async () => {
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`x-${n}`, 'x']));
    expect((await create({ headers: many })).body.message).toMatch(/^headers: expected at most 32/);
    expect((await create({ headers: { 'X-A': '1', 'x-a': '2' } })).body.message).toMatch(/^headers\.x-a: /);
    expect((await create({ headers: '{"X-A": 1}' })).status).toBe(400);
  });

  it.each([
    ['url', { url: 'http://example.com/\r\nX-A: b' }],
    ['url', { url: 'http://exa\nmple.com/' }],
    ['url', { url: `http://example.com/${'x'.repeat(10_000)}` }],
    ['method', { method: 'POST\r\nX-A: b' }],
    ['method', { method: 'post' }],
    ['method', { method: 'CONNECT' }],
    ['retry_schedule', { retry_schedule: [0] }],
    ['retry_schedule', { retry_schedule: [-1] }],
    ['retry_schedule', { retry_schedule: [1e9] }],
    ['retry_schedule', { retry_schedule: [1.5] }],
    ['retry_schedule', { retry_schedule: Array(21).fill(1) }],
    ['retry_schedule', { retry_schedule: '5' }],
    ['body_template', { body_template: '{{' }],
    ['body_template', { body_template: '{{ payload.a' }],
    ['body_template', { body_template: '{{ secrets }}' }],
    ['body_template', { body_template: '{{}}' }],
    ['body_template', { body_template: 'x'.repeat(65_537) }],
    ['filter', { filter: { a: { $regex: '(a+)+$' } } }],
    ['filter', { filter: { $where: 'while(true);' } }],
    ['filter', { filter: [] }],
  ])('whose %s can’t be is refused by that name: %j', async (field, body) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(new RegExp(`^${field}`));
  });

  it('whose template result is too large sends nothing, and reports why', async () => {
    const body_template = `[${Array(200).fill('{{ payload }}').join(',')}]`;
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path, body_template }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id, { text: 'x'.repeat(10_000) }), 'FAILED');
    expect(only(event.deliveries)).toMatchObject({ reason: 'TEMPLATE_ERROR', last_response_status: null });
    expect(only(event.deliveries).last_error_message).toContain('1 MiB');
    expect(sink.received(path)).toEqual([]);
  });

  it('whose template receives template syntax in the payload treats it as text', async () => {
    const body_template =
      '{"text": "{{ payload.text }}", "proto": {{ payload.__proto__ }}, "make": "{{ payload.constructor }}"}';
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path, body_template }]);
    const text = '", "admin": true, "\r\n\u0000\u2028{{ payload }} \\';
    await whenAll(service, await makeEvent(service, trigger_id, { text }), 'SUCCEEDED');
    expect(JSON.parse(only(sink.received(path)).body)).toEqual({ text, proto: null, make: '' });
  });
});

describe('a payload', () => {
  const send = async (body: string) => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    return service.api<Refused & Reply<'eventCreate'>>('POST', `/triggers/${trigger_id}/events`, body);
  };

  it.each([
    ['with __proto__ deep in it', '{"a":[{"__proto__":{"admin":true}}]}'],
    ['with constructor in it', '{"constructor":{"prototype":{"admin":true}}}'],
    ['with a name twice', '{"a":2}', '{"a":1,"a":2}'],
    ['with a number that is larger than most', '{"n":1e+308}', '{"n":1e308}'],
    ['with half of a pair of surrogates', '{"a":"\\ud800"}'],
    ['as deep as may be', `{"a":${'['.repeat(62)}${']'.repeat(62)}}`],
  ])('%s arrives unchanged, and affects no other', async (_, expected, given = expected) => {
    const { status, body } = await send(`{"payload":${given}}`);
    expect(status, body.message).toBe(200);
    await whenAll(service, body.event, 'SUCCEEDED');
    const data = /"data":(.*),"event_id"/.exec(only(sink.received(path)).body)?.[1];
    expect(data).toBe(expected);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    ['ten thousand levels deep', `{"payload":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, 400],
    ['one level too deep', `{"payload":{"a":${'['.repeat(65)}${']'.repeat(65)}}}`, 400],
    ['of one byte more than a mebibyte', `{"payload":{"a":"${'x'.repeat(1024 * 1024 - 19)}"}}`, 413],
    ['with __proto__ in it', '{"payload":{"__proto__":{"admin":true}}}', 400],
    ['that is text', '{"payload":"text"}', 400],
    ['that is missing', '{}', 400],
    ['with more beside it', '{"payload":{},"event_id":"mine"}', 400],
    ['with a second one behind it', '{"payload":{}}{"payload":{}}', 400],
    ['with a NUL in it', '{"payload":{"a":"\\u0000"}}', 200],
  ])('%s is answered %#', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
  });
});

describe('a replay, ten times at once,', () => {
  const replay = (event: { trigger_id: string; event_id: string }) =>
    service.api<Refused & Reply<'eventReplay'>>(
      'POST',
      `/triggers/${event.trigger_id}/events/${event.event_id}:replay`,
    );
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

  it('while its destination is disabled sends nothing and changes nothing', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
    const { destination_id } = only(trigger.destinations);
    await patchDestination(service, trigger.trigger_id, destination_id, { status: 'DISABLED' });
    const answers = await tenTimes(() => replay(event));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    for (const { body } of answers)
      expect(only(body.skipped)).toEqual({ destination_id, reason: expect.stringContaining('disabled') });
    expect(await readEvent(service, event)).toEqual(event);
    expect(sink.received(path)).toHaveLength(1);
  });

  it('after its destination was deleted sends nothing and keeps past attempts', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
    const { destination_id } = only(trigger.destinations);
    await service.api('DELETE', `/triggers/${trigger.trigger_id}/destinations/${destination_id}`);
    const answers = await tenTimes(() => replay(event));
    expect(statuses(answers)).toEqual(Array(10).fill(200));
    for (const { body } of answers)
      expect(only(body.skipped)).toEqual({ destination_id, reason: expect.stringContaining('deleted') });
    expect(only((await readEvent(service, event)).deliveries)).toMatchObject({ status: 'SUCCEEDED', attempts: 1 });
    expect(sink.received(path)).toHaveLength(1);
  });

  it('after its trigger was deleted is 404', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    await service.api('DELETE', `/triggers/${trigger_id}`);
    expect(statuses(await tenTimes(() => replay(event)))).toEqual(Array(10).fill(404));
    expect(sink.received(path)).toHaveLength(1);
  });

  it('while its destination is being disabled and enabled, ends in a consistent state', async () => {
    const trigger = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await whenAll(service, await makeEvent(service, trigger.trigger_id), 'SUCCEEDED');
    const { destination_id } = only(trigger.destinations);
    const at = `/triggers/${trigger.trigger_id}/destinations/${destination_id}`;
    const turns = Array.from({ length: 10 }, (_, n) =>
      service.api('PATCH', at, { status: n % 2 === 0 ? 'DISABLED' : 'ENABLED' }),
    );
    const answers = await Promise.all([...turns, ...Array.from({ length: 10 }, () => replay(event))]);
    expect(statuses(answers)).toEqual(Array(20).fill(200));
    await patchDestination(service, trigger.trigger_id, destination_id, { status: 'ENABLED' });
    const status = async () => only((await readEvent(service, event)).deliveries).status;
    await expect.poll(status).toMatch(/^(SUCCEEDED|SKIPPED)$/);
    const { attempts } = only((await readEvent(service, event)).deliveries);
    expect(attempts).toBe(sink.received(path).length);
    expect(await attemptsOf(service, event)).toHaveLength(attempts);
  });
});

describe('a bulk replay, ten times at once,', () => {
  type Bulk = Refused & Reply<'replayCreate'>;
  const bulk = (filter: object, key?: string) =>
    service.api<Bulk>('POST', '/events:replay', { filter, rate_per_second: 500 }, key ? { key } : {});
  const ended = async ({ body }: { body: Bulk }) => {
    const at = `/replays/${body.replay?.replay_id}`;
    const read = async () => (await service.api<Reply<'replayGet'>>('GET', at)).body.replay;
    await expect.poll(async () => (await read()).status).toBe('COMPLETED');
    return read();
  };

  it('while the attempt is in flight joins it', async () => {
    const held: (() => void)[] = [];
    sink.answer(path, (response) => held.push(() => response.writeHead(200).end()));
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await makeEvent(service, trigger_id);
    await expect.poll(() => held.length).toBe(1);
    const answers = await tenTimes(() => bulk({ trigger_id }));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { replay: { total: 1 } } });
    sink.answer(path, { status: 200 });
    for (const release of held) release();
    for (const answer of answers) expect(await ended(answer)).toMatchObject({ done: 1, failed: 0 });
    const { attempts } = only((await whenAll(service, event, 'SUCCEEDED')).deliveries);
    expect(attempts).toBe(sink.received(path).length);
    expect(await attemptsOf(service, event)).toHaveLength(attempts);
  });

  it('of a deleted trigger matches nothing and sends nothing', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    await service.api('DELETE', `/triggers/${trigger_id}`);
    for (const answer of await tenTimes(() => bulk({ trigger_id })))
      expect(await ended(answer)).toMatchObject({ total: 0, done: 0 });
    expect(sink.received(path)).toHaveLength(1);
  });

  it('of another account’s events matches nothing with any filter', async () => {
    const { trigger_id } = await makeTrigger(service, [{ url: sink.url + path }]);
    const event = await whenAll(service, await makeEvent(service, trigger_id), 'SUCCEEDED');
    const { destination_id } = only(event.deliveries);
    const { key } = await service.secondAccount();
    for (const filter of [{ trigger_id }, { event_ids: [event.event_id] }, { destination_id }, { status: 'SUCCEEDED' }])
      expect((await bulk(filter, key)).body.replay, JSON.stringify(filter)).toMatchObject({ total: 0 });
    expect(sink.received(path)).toHaveLength(1);
  });
});
