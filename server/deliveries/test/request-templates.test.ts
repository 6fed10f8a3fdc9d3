/** Placeholders in URLs and headers of destinations, and bodies that are forms or text. */
import { describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { attemptsOf, makeEvent, makeTrigger, only, whenAll } from './delivery-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ retryScheduleSeconds: [] });

type Settings = Partial<Body<'destinationCreate'>>;

async function send(settings: Settings, payload: object, status: 'SUCCEEDED' | 'FAILED' = 'SUCCEEDED') {
  const trigger = await makeTrigger(service, [{ url: sink.url, ...settings }]);
  const event = await whenAll(service, await makeEvent(service, trigger.trigger_id, payload), status);
  return { trigger, event, delivery: only(event.deliveries) };
}

describe('a URL with placeholders', () => {
  it.each<[name: string, url: string, payload: object, path: string]>([
    ['a segment', '/one/{{ payload.id }}/in', { id: 'a/b?c#d é' }, '/one/a%2Fb%3Fc%23d%20%C3%A9/in'],
    [
      'a parameter',
      '/two?id={{ payload.id }}&t={{event_type}}',
      { id: 'a&b=c' },
      '/two?id=a%26b%3Dc&t=schedule.elapsed',
    ],
    ['a missing parameter', '/three?id={{ payload.none }}', {}, '/three?id='],
    ['a filter', '/four/{{ payload.none | map:*=a/b }}', {}, '/four/a%2Fb'],
    ['an object', '/five/{{ payload.o }}', { o: { a: 1 } }, '/five/%7B%22a%22%3A1%7D'],
    ['half a character', '/six/{{ payload.h }}', { h: '\ud83d' }, '/six/%EF%BF%BD'],
    ['an encoded dot', '/seven/{{ payload.d }}/x', { d: '%2e%2e' }, '/seven/%252e%252e/x'],
    ['a host', '/eight/{{ payload.h }}', { h: '//evil.example/' }, '/eight/%2F%2Fevil.example%2F'],
  ])('renders %s', async (_name, url, payload, path) => {
    const { event, delivery, trigger } = await send({ url: sink.url + url }, payload);
    expect(only(sink.received(path.split('?')[0] ?? '')).path).toBe(path);
    expect(delivery.destination_url).toBe(sink.url + path);
    expect(only(await attemptsOf(service, event)).request.url).toBe(sink.url + path);
    expect(only(trigger.destinations).url).toBe(sink.url + url);
  });

  it.each<[url: string, payload: object, message: string]>([
    ['/{{ payload.id }}', {}, 'needs payload.id'],
    ['/{{ payload.__proto__ }}', {}, 'needs payload.__proto__'],
    ['/{{ payload.constructor.name }}', {}, 'needs payload.constructor.name'],
    ['/a/{{ payload.up }}/b', { up: '..' }, 'segment . or ..'],
    ['/a/.{{ payload.up }}', { up: '.' }, 'segment . or ..'],
    ['/{{ payload.long }}', { long: 'x'.repeat(9000) }, 'longer than 8192 characters'],
  ])('sends nothing if its path is not that of a resource: %s', async (url, payload, message) => {
    const before = sink.received('/').length;
    const { delivery } = await send({ url: sink.url + url }, payload, 'FAILED');
    expect(delivery).toMatchObject({ reason: 'TEMPLATE_ERROR', attempts: 1, last_response_status: null });
    expect(delivery.last_error_message).toContain(message);
    expect(sink.received('/').length).toBe(before);
  });

  it('of one resource that is gone does not disable the destination', async () => {
    sink.answer('/gone/1', { status: 410 });
    const { trigger, delivery } = await send({ url: `${sink.url}/gone/{{ payload.id }}` }, { id: 1 }, 'FAILED');
    expect(delivery).toMatchObject({
      reason: 'GONE',
      last_error_message: 'The endpoint returned 410: it has no such resource.',
    });
    const next = await whenAll(service, await makeEvent(service, trigger.trigger_id, { id: 2 }), 'SUCCEEDED');
    expect(only(next.deliveries)).toMatchObject({ destination_url: `${sink.url}/gone/2` });
  });
});

describe('a header with placeholders', () => {
  it('is sent as UTF-8, and shown unless its name is that of a credential', async () => {
    const headers = {
      'X-Tenant': 't-{{ payload.tenant }}',
      Authorization: 'Bearer {{ payload.key }}',
      'X-Own': 'plain-value-1',
    };
    const { event, trigger } = await send(
      { url: `${sink.url}/tenants`, headers },
      { tenant: 'Łódź', key: 'a-long-secret-key' },
    );
    const sent = only(sink.received('/tenants')).headers;
    expect(Buffer.from(String(sent['x-tenant']), 'latin1').toString()).toBe('t-Łódź');
    expect(sent).toMatchObject({ authorization: 'Bearer a-long-secret-key', 'x-own': 'plain-value-1' });
    const { request } = only(await attemptsOf(service, event));
    expect(request.headers).toMatchObject({
      'X-Tenant': 't-Łódź',
      Authorization: '••••••••-key',
      'X-Own': '••••••••ue-1',
    });
    const at = `/triggers/${trigger.trigger_id}/destinations/${only(trigger.destinations).destination_id}`;
    const { body } = await service.api<Reply<'destinationGet'>>('GET', at);
    expect(body.destination.headers).toEqual({
      'X-Tenant': 't-{{ payload.tenant }}',
      Authorization: '••••••••y }}',
      'X-Own': '••••••••ue-1',
    });
    // What was read can be written again.
    expect((await service.api('PATCH', at, { headers: body.destination.headers })).body).toMatchObject({
      destination: { headers: body.destination.headers },
    });
    const dry = { filter: { event_ids: [event.event_id] }, dry_run: true };
    const { body: replay } = await service.api<Reply<'replayCreate'>>('POST', '/events:replay', dry);
    expect(replay.dry_run?.items[0]?.next?.headers).toMatchObject({ 'X-Tenant': 't-Łódź' });
  });

  it.each([
    [{ v: 'a\r\nX-Admin: 1' }, 'would contain a line break'],
    [{ v: 'a\u0000' }, 'would contain a line break'],
    [{ v: 'x'.repeat(5000) }, 'longer than 4096 characters'],
  ])('sends nothing if its value cannot be sent: %#', async (payload, message) => {
    const headers = { 'X-Value': '{{ payload.v }}' };
    const { delivery } = await send({ url: `${sink.url}/never`, headers }, payload, 'FAILED');
    expect(delivery).toMatchObject({ reason: 'TEMPLATE_ERROR' });
    expect(delivery.last_error_message).toContain(`The header X-Value`);
    expect(delivery.last_error_message).toContain(message);
    expect(sink.received('/never')).toEqual([]);
  });
});

describe('a body', () => {
  it('of the format FORM has a field for each member', async () => {
    const body_template =
      '{"to": "{{ payload.to }}", "n": {{ payload.n }}, "tags": {{ payload.tags }}, "o": {{ payload.o }}, "none": {{ payload.none }}}';
    const payload = { to: '+49 1&2', n: 7, tags: ['a', 'b'], o: { x: [1] } };
    const { event } = await send({ url: `${sink.url}/form`, body_format: 'FORM', body_template }, payload);
    const { body, headers } = only(sink.received('/form'));
    expect(body).toBe('to=%2B49+1%262&n=7&tags=a&tags=b&o=%7B%22x%22%3A%5B1%5D%7D');
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(only(await attemptsOf(service, event)).request.body).toBe(body);

    const { event: whole } = await send({ url: `${sink.url}/whole-form`, body_format: 'FORM' }, { a: 1 });
    const fields = Object.fromEntries(new URLSearchParams(only(sink.received('/whole-form')).body));
    expect(fields).toMatchObject({ type: 'schedule.elapsed', data: '{"a":1}', event_id: whole.event_id });
  });

  it('of the format FORM is not sent if the result is no object', async () => {
    const settings: Settings = { url: `${sink.url}/no-form`, body_format: 'FORM', body_template: '{{ payload.list }}' };
    const { delivery } = await send(settings, { list: [1] }, 'FAILED');
    expect(delivery).toMatchObject({ reason: 'TEMPLATE_ERROR' });
    expect(delivery.last_error_message).toContain('not a JSON object');
  });

  it('of the format TEXT has values as text', async () => {
    const settings: Settings = {
      body_format: 'TEXT',
      body_template: '<a>{{ payload.t | html }}</a> {{ payload.n }}{{ payload.none }}',
    };
    await send({ url: `${sink.url}/text`, ...settings }, { t: 'x < "y"', n: 1 });
    expect(only(sink.received('/text'))).toMatchObject({
      body: '<a>x &lt; "y"</a> 1',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    await send(
      { url: `${sink.url}/xml`, headers: { 'Content-Type': 'application/xml' }, ...settings },
      { t: 'x', n: 1 },
    );
    expect(only(sink.received('/xml')).headers['content-type']).toBe('application/xml');
  });
});

it.each<[settings: Settings, message: string]>([
  [{ url: 'https://{{ payload.host }}/' }, 'url: position 9: expected placeholders in the path and the query only'],
  [{ url: 'https://a.{{ payload.host }}.example/' }, 'url: position 11: expected placeholders'],
  [{ url: 'https:///{{ payload.host }}/x' }, 'url: position 10: expected placeholders'],
  [{ url: 'https://example.com:{{ payload.port }}/' }, 'url: '],
  [{ url: '{{ payload.scheme }}://example.com/' }, 'url: expected an absolute'],
  [{ url: 'https://{{ payload.user }}@example.com/' }, 'url: expected a URL without user name'],
  [{ url: 'http://10.0.0.1/{{ payload.id }}' }, 'url: 10.0.0.1 is not a public address'],
  [
    { url: 'https://example.com/{{ payload.id | upper }}' },
    'url: position 37: expected the filter max, map, html, base64, default or required',
  ],
  [{ url: 'https://example.com/{{ nothing }}' }, 'url: position 24: expected payload'],
  [{ url: 'https://example.com/{{ payload.id' }, 'url: '],
  [{ url: 'https://example.com/../{{ payload.id }}' }, 'url: expected no segments'],
  [{ url: 'https://example.com/a b/{{ payload.id }}' }, 'url: expected a URL without spaces'],
  [{ url: 'https://example.com/{{ payload.id }}#x' }, 'url: expected a URL without a # fragment'],
  [{ headers: { 'X-A': '{{ nothing }}' } }, 'headers.X-A: position 4: expected payload'],
  [{ headers: { 'X-A': '{{ payload.a' } }, 'headers.X-A: position 1: expected }}'],
  [{ headers: { 'X-A': '{{ payload.a | lower }}' } }, 'headers.X-A: position 16: expected the filter max'],
  [{ headers: { 'X-A\n': '{{ payload.a }}' } }, 'expected a header name'],
  [{ headers: { 'webhook-{{ payload.a }}': 'x' } }, 'expected a header name'],
  [{ body_format: 'FORM', body_template: '[{{ payload }}]' }, 'body_template: expected a template for a JSON object'],
  [{ body_format: 'FORM', body_template: 'a={{ payload.a }}' }, 'body_template: expected a template for a JSON object'],
  [{ body_format: 'TEXT' }, 'body_format: expected a body_template for TEXT'],
  [{ body_format: 'FORM', body_source: 'ORIGINAL' }, 'body_format: expected JSON, as body_source is ORIGINAL'],
])('%j is refused, when it is created and when it is changed', async (settings, message) => {
  const trigger = await makeTrigger(service, [{ url: sink.url }]);
  const at = `/triggers/${trigger.trigger_id}/destinations`;
  const made = await service.api<{ message: string }>('POST', at, { url: 'https://example.com/', ...settings });
  expect([made.status, made.body.message]).toEqual([400, expect.stringContaining(message)]);
  const one = `${at}/${only(trigger.destinations).destination_id}`;
  const changed = await service.api<{ message: string }>('PATCH', one, settings);
  expect([changed.status, changed.body.message]).toEqual([400, expect.stringContaining(message)]);
});
