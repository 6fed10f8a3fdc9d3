/** One trace from a hook through delivery to a function's run and its gateway call, with a real receiver of OTLP. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../contract/operations.ts';
import { addApp, connect } from '../connections/test/connecting.ts';
import { only } from '../deliveries/test/delivery-support.ts';
import { callAddress, ECHO, invoke, makeFunction, PATIENTLY } from '../functions/test/functions-support.ts';
import { listenTo, post } from '../triggers/test/ingress-support.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';
import { type Service, startService } from './service.ts';
import { forAll, serviceForAll, sinkForAll } from './shared-set-up.ts';
import { freePort, scratch, start } from './spawned.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${CALLER}-01`;
const GIVEN = { traceparent: TRACEPARENT, tracestate: 'vendor=1' };

/** Calls the app through the gateway: once as it is, once with the trace context of its request. */
const calling = (app: string) => `export default { async fetch(request, env) {
  const headers = { authorization: 'Bearer ' + env.GATEWAY_TOKEN };
  const at = env.GATEWAY_URL + '/${app}/very/private/path?token=very-secret';
  await fetch(at, { headers: { ...headers, 'x-n': 'plain' } });
  const traceparent = request.headers.get('traceparent');
  await fetch(at, { headers: { ...headers, 'x-n': 'continued', ...(traceparent ? { traceparent } : {}) } });
  return Response.json({ traceparent, tracestate: request.headers.get('tracestate') });
} };`;

const sink = sinkForAll();
const master = { SLUICE_MASTER_KEY: `k1:${randomBytes(32).toString('base64')}` };

type World = { hook: string; trigger_id: string; fn: Awaited<ReturnType<typeof makeFunction>>; app: string };

/** A webhook trigger that delivers to the sink and to a function, which calls the sink through the gateway. */
async function worldOf(service: Service, path: string): Promise<World> {
  const app = await addApp(service, `${sink.url}${path}-app`);
  await connect(service, app, { api_key: 'native-key' });
  const fn = await makeFunction(service, calling(app));
  const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
    destinations: [{ url: `${sink.url}${path}` }, { url: fn.url }],
  });
  return { hook: url, trigger_id: trigger.trigger_id, fn, app };
}

type Event = Reply<'eventGet'>['event'];
async function delivered(service: Service, trigger_id: string, event_id: string): Promise<Event> {
  const read = async () =>
    (await service.api<{ event: Event }>('GET', `/triggers/${trigger_id}/events/${event_id}`)).body.event;
  await expect
    .poll(async () => new Set((await read()).deliveries.map(({ status }) => status)), PATIENTLY)
    .toEqual(new Set(['SUCCEEDED']));
  return read();
}

const idOf = ({ body }: { body: Record<string, unknown> }) => only(body['event_ids'] as string[]);
const traceOf = (span: ReceivedSpan) => `00-${span.traceId}-${span.spanId}-01`;

describe('with a collector', () => {
  const collector = forAll<OtlpReceiver>(() => startOtlpReceiver());
  let service: Service;
  beforeAll(async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=of%20the%20collector',
      SLUICE_METRICS: 'on',
      ...master,
    };
    service = await startService({ env });
  });
  afterAll(() => service.stop());
  const spansOf = (traceId: string, name: string) =>
    collector.spans.filter((span) => span.traceId === traceId && span.name === name);

  it('one trace has the hook, the event, its attempts, the run and its gateway calls', async () => {
    const world = await worldOf(service, '/traced');
    const answer = await post(`${world.hook}?token=very-secret`, '{"private":"payload"}', GIVEN);
    const event = await delivered(service, world.trigger_id, idOf(answer));
    expect(event.trace_id).toBe(TRACE_ID);
    await expect.poll(() => spansOf(TRACE_ID, 'delivery attempt'), PATIENTLY).toHaveLength(2);
    await expect.poll(() => spansOf(TRACE_ID, 'gateway call'), PATIENTLY).toHaveLength(2);
    await expect.poll(() => spansOf(TRACE_ID, 'function run'), PATIENTLY).toHaveLength(1);
    const hook = only(spansOf(TRACE_ID, 'hook'));
    const stored = only(spansOf(TRACE_ID, 'event store'));
    const attempts = spansOf(TRACE_ID, 'delivery attempt');
    const toFunction = only(attempts.filter(({ facts }) => facts['sluice.run_id'] !== undefined));
    const toSink = only(attempts.filter((each) => each !== toFunction));
    const run = only(spansOf(TRACE_ID, 'function run'));
    expect(hook).toMatchObject({ kind: 2, parentSpanId: CALLER, isError: false });
    expect(hook.facts).toMatchObject({
      'service.name': 'sluice',
      'service.version': '0.0.0-test',
      'service.instance.id': service.services.nodeId,
      'sluice.app': 'webhook',
      'sluice.trigger_id': world.trigger_id,
      'http.response.status_code': 200,
    });
    expect(stored).toMatchObject({ kind: 1, parentSpanId: hook.spanId });
    expect(stored.facts).toMatchObject({ 'sluice.event_id': event.event_id, 'sluice.outcome': 'STORED' });
    for (const attempt of attempts)
      expect(attempt).toMatchObject({ kind: 3, parentSpanId: stored.spanId, isError: false });
    expect(toSink.facts).toMatchObject({ 'sluice.attempt': 1, 'sluice.outcome': 'SUCCEEDED' });
    expect(only(sink.received('/traced')).headers).toMatchObject({
      traceparent: traceOf(toSink),
      tracestate: 'vendor=1',
    });
    expect(run).toMatchObject({ kind: 2, parentSpanId: toFunction.spanId, isError: false });
    expect(run.facts).toMatchObject({
      'sluice.function_id': world.fn.function_id,
      'sluice.run_id': toFunction.facts['sluice.run_id'],
      'sluice.outcome': 'OK',
    });
    const seen = only(event.deliveries.filter(({ last_run_id }) => last_run_id !== null)).last_response_body ?? '';
    expect(JSON.parse(seen)).toEqual({ traceparent: traceOf(run), tracestate: 'vendor=1' });
    const calls = spansOf(TRACE_ID, 'gateway call');
    for (const call of calls) {
      expect(call).toMatchObject({ kind: 3, parentSpanId: run.spanId, isError: false });
      expect(call.facts).toMatchObject({ 'sluice.app': 'custom', 'http.response.status_code': 200 });
    }
    const received = sink.received('/traced-app/very/private/path').map(({ headers }) => headers['traceparent']);
    expect(new Set(received)).toEqual(new Set(calls.map(traceOf)));
  });

  it('no span has a path, a query, a payload or a secret; the collector gets its headers', () => {
    const texts = collector.requests.map(({ text }) => text).join('\n');
    expect(texts).toContain('gateway call');
    for (const secret of ['private', 'secret', 'payload', 'native-key', sink.url, service.key, 'vendor=1'])
      expect(texts).not.toContain(secret);
    for (const { path, headers } of collector.requests) {
      expect(path).toBe('/v1/traces');
      expect(headers['api-key']).toBe('of the collector');
    }
  });

  it('each attempt has one span, and a retry continues the trace of its event', async () => {
    const traceId = randomBytes(16).toString('hex');
    sink.answer('/fails', { status: 503 });
    const { url } = await listenTo(service, 'webhook', 'webhook.received', {
      destinations: [{ url: `${sink.url}/fails`, retry_schedule: [1] }],
    });
    await post(url, '{}', { traceparent: `00-${traceId}-${CALLER}-01` });
    await expect.poll(() => spansOf(traceId, 'delivery attempt'), PATIENTLY).toHaveLength(2);
    const attempts = spansOf(traceId, 'delivery attempt');
    const stored = only(spansOf(traceId, 'event store'));
    expect(attempts.map(({ facts }) => facts['sluice.attempt'])).toEqual([1, 2]);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ parentSpanId: stored.spanId, isError: true });
      expect(attempt.facts).toMatchObject({ 'http.response.status_code': 503, 'sluice.outcome': 'HTTP_STATUS' });
    }
    expect(sink.received('/fails').map(({ headers }) => headers['traceparent'])).toEqual(attempts.map(traceOf));
  });

  it('a call without a trace context begins a trace; one that is not sampled is not sent', async () => {
    const { hook, trigger_id } = await worldOf(service, '/begun');
    const event = await delivered(service, trigger_id, idOf(await post(hook, '{}')));
    const begun = event.trace_id ?? '';
    expect(begun).toMatch(/^[0-9a-f]{32}$/);
    const quiet = randomBytes(16).toString('hex');
    const unsampled = `00-${quiet}-${CALLER}-00`;
    await delivered(service, trigger_id, idOf(await post(hook, '{}', { traceparent: unsampled })));
    const sent = only(sink.received('/begun').filter(({ headers }) => headers['traceparent']?.includes(quiet)));
    expect(sent.headers['traceparent']).toMatch(/-00$/);
    await expect.poll(() => spansOf(begun, 'function run'), PATIENTLY).toHaveLength(1);
    expect(only(spansOf(begun, 'hook')).parentSpanId ?? '').toBe('');
    expect(collector.spans.filter(({ traceId }) => traceId === quiet)).toEqual([]);
  });

  it('the API, the URL of a function and the gateway continue a trace', async () => {
    const { trigger_id, fn, app } = await worldOf(service, '/doors');
    const from = () => {
      const traceId = randomBytes(16).toString('hex');
      return { traceId, headers: { traceparent: `00-${traceId}-${CALLER}-01` } };
    };
    const [created, invoked, called, gateway] = [from(), from(), from(), from()];
    const at = `/triggers/${trigger_id}/events`;
    const made = await service.api<{ event: Event }>('POST', at, { payload: {} }, { headers: created.headers });
    expect(made.body.event.trace_id).toBe(created.traceId);
    await service.api('POST', `/functions/${fn.function_id}:invoke`, {}, { headers: invoked.headers });
    const authorization = `Bearer ${service.key}`;
    await callAddress(service, fn.url, { headers: { ...called.headers, authorization } });
    await fetch(`${service.url}/api/${app}/x`, { headers: { ...gateway.headers, authorization } });
    for (const [{ traceId }, name] of [
      [created, 'event store'],
      [invoked, 'function run'],
      [called, 'function run'],
      [gateway, 'gateway call'],
    ] as const) {
      await expect.poll(() => spansOf(traceId, name), PATIENTLY).toHaveLength(1);
      expect(only(spansOf(traceId, name)).parentSpanId).toBe(CALLER);
    }
    const native = only(sink.received('/doors-app/x')).headers['traceparent'];
    expect(native).toBe(traceOf(only(spansOf(gateway.traceId, 'gateway call'))));
  });

  it('counts the spans that were sent', async () => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/^sluice_trace_spans_total\{outcome="SENT"\} [1-9]/m);
    expect(metrics).not.toMatch(/^sluice_trace_spans_total\{outcome="(?:FAILED|DROPPED)"/m);
  });
});

describe('without a collector', () => {
  const service = serviceForAll({ env: master });

  it('a trace context is stored and sent on, and the gateway changes nothing', async () => {
    const { hook, trigger_id, app } = await worldOf(service, '/plain');
    const event = await delivered(service, trigger_id, idOf(await post(hook, '{}', GIVEN)));
    expect(event.trace_id).toBe(TRACE_ID);
    expect(only(sink.received('/plain')).headers).toMatchObject(GIVEN);
    const seen = only(event.deliveries.filter(({ last_run_id }) => last_run_id !== null)).last_response_body ?? '';
    expect(JSON.parse(seen)).toEqual(GIVEN);
    const sent = sink.received('/plain-app/very/private/path').map(({ headers }) => headers['traceparent']);
    expect(sent).toEqual([undefined, TRACEPARENT]);
    const invalid = { traceparent: 'as it is', tracestate: 'too' };
    await fetch(`${service.url}/api/${app}/x`, { headers: { ...invalid, authorization: `Bearer ${service.key}` } });
    expect(only(sink.received('/plain-app/x')).headers).toMatchObject(invalid);
    expect(service.services.tracing).toBeUndefined();
  });

  it('without one, nothing is stored or sent', async () => {
    const { hook, trigger_id } = await worldOf(service, '/none');
    const event = await delivered(service, trigger_id, idOf(await post(hook, '{}')));
    expect(event.trace_id).toBeNull();
    expect(only(sink.received('/none')).headers).not.toHaveProperty('traceparent');
  });

  it.each(['', 'x'.repeat(5000), `${TRACEPARENT}-more`, `00-${'0'.repeat(32)}-${CALLER}-01`])(
    'the traceparent %.60s is ignored',
    async (traceparent) => {
      const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
        destinations: [{ url: `${sink.url}/bad-${traceparent.length}` }],
      });
      const answer = await post(url, '{}', { traceparent, tracestate: 'a=b' });
      expect(answer.status).toBe(200);
      const event = await delivered(service, trigger.trigger_id, idOf(answer));
      expect(event.trace_id).toBeNull();
      const { headers } = only(sink.received(`/bad-${traceparent.length}`));
      expect(headers).not.toHaveProperty('traceparent');
      expect(headers).not.toHaveProperty('tracestate');
    },
  );

  it('destinations that forward the header, or set it, get one', async () => {
    const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
      destinations: [
        { url: `${sink.url}/forwarded`, forward_headers: ['traceparent', 'tracestate'] },
        { url: `${sink.url}/own`, headers: { Traceparent: 'own' } },
      ],
    });
    await delivered(service, trigger.trigger_id, idOf(await post(url, '{}', GIVEN)));
    expect(only(sink.received('/forwarded')).headers).toMatchObject(GIVEN);
    expect(only(sink.received('/own')).headers['traceparent']).toBe('own');
  });

  it('the trace context that another node stored is sent on', async () => {
    const collector = await startOtlpReceiver();
    const folder = scratch();
    const env = { ...master, DATABASE_URL: service.databaseUrl, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const there = await start(folder.path, await freePort(), env);
    onTestFinished(async () => {
      await there.kill('SIGKILL');
      await collector.close();
      folder.remove();
    });
    const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
      destinations: [{ url: `${sink.url}/moved` }],
    });
    const { trigger_id } = trigger;
    const at = `/triggers/${trigger_id}/destinations/${only(trigger.destinations).destination_id}`;
    await service.api('PATCH', at, { paused: true });
    const event_id = idOf(await post(url.replace(service.url, there.url), '{}', GIVEN));
    await expect.poll(() => collector.spans.map(({ name }) => name).sort(), PATIENTLY).toEqual(['event store', 'hook']);
    await there.kill('SIGKILL');
    await service.api('PATCH', at, { paused: false });
    await delivered(service, trigger_id, event_id);
    const stored = only(collector.spans.filter(({ name }) => name === 'event store'));
    expect(stored.traceId).toBe(TRACE_ID);
    expect(only(sink.received('/moved')).headers).toMatchObject({ ...GIVEN, traceparent: traceOf(stored) });
  });

  it('a replay continues the trace of its event', async () => {
    const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
      destinations: [{ url: `${sink.url}/again` }],
    });
    const { trigger_id } = trigger;
    const event_id = idOf(await post(url, '{}', GIVEN));
    await delivered(service, trigger_id, event_id);
    await service.restart();
    await service.api('POST', `/triggers/${trigger_id}/events/${event_id}:replay`, {});
    await expect.poll(() => sink.received('/again'), PATIENTLY).toHaveLength(2);
    for (const { headers } of sink.received('/again')) expect(headers).toMatchObject(GIVEN);
  });
});

describe('a collector that', () => {
  const tracedBy = async (endpoint: string) => {
    const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, SLUICE_METRICS: 'on' } });
    onTestFinished(() => service.stop());
    return service;
  };
  const works = async (service: Service) => {
    const fn = await makeFunction(service, ECHO);
    const { url, trigger } = await listenTo(service, 'webhook', 'webhook.received', {
      destinations: [{ url: `${sink.url}/works` }],
    });
    await delivered(service, trigger.trigger_id, idOf(await post(url, '{}', GIVEN)));
    expect((await invoke(service, fn)).status).toBe('OK');
  };
  const failed = async (service: Service) => {
    const page = async () => (await fetch(`${service.url}/metrics`)).text();
    await expect.poll(page, PATIENTLY).toMatch(/^sluice_trace_spans_total\{outcome="FAILED"\} [1-9]/m);
    expect(service.logged()).toContain('spans could not be sent to the collector');
  };

  it('cannot be reached costs its spans', async () => {
    const gone = await startOtlpReceiver();
    await gone.close();
    const service = await tracedBy(gone.url);
    await works(service);
    await failed(service);
  });

  it.each<[string, Parameters<typeof startOtlpReceiver>[0]]>([
    ['responds with 500', (res) => res?.writeHead(500).end('no')],
    ['responds with a huge body', (res) => res?.writeHead(200).end(Buffer.alloc(8 * 1024 * 1024))],
    ['closes its connections', (res) => res?.destroy()],
  ])('%s costs its spans', async (_, answer) => {
    const collector = await startOtlpReceiver(answer);
    onTestFinished(() => collector.close());
    const service = await tracedBy(collector.url);
    await works(service);
    await failed(service);
  });

  it('never responds delays nothing, not even the stop', async () => {
    const collector = await startOtlpReceiver(() => undefined);
    onTestFinished(() => collector.close());
    const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
    await works(service);
    await expect.poll(() => collector.requests, PATIENTLY).not.toHaveLength(0);
    // The collector still has the request when the service has stopped.
    await service.stop();
  });
});

it('the last spans are sent when the service stops', async () => {
  const collector = await startOtlpReceiver();
  onTestFinished(() => collector.close());
  const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const { url } = await listenTo(service, 'webhook', 'webhook.received');
  await post(url, '{}', GIVEN);
  await service.stop();
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(['event store', 'hook']);
});
