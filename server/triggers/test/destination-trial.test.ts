/** Testing a destination: a request that is not stored, and the steps of the diagnosis. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addDestination, makeTrigger, only } from '../../deliveries/test/delivery-support.ts';
import { resolver } from '../../http/test/hostile-spellings.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { freePort } from '../../test/spawned.ts';

const { lookup } = resolver({ localhost: [['127.0.0.1']], 'known.test': [['127.0.0.1']] });
const sink = sinkForAll();
const service = serviceForAll({ attemptTimeoutMs: 2000, lookUp: lookup });

let path = '';
let count = 0;
beforeEach(() => {
  path = `/trial-${++count}`;
});

async function destination(more: { url?: string; body_template?: string } = {}) {
  const { trigger_id } = await makeTrigger(service);
  const made = await addDestination(service, trigger_id, {
    url: sink.url + path,
    headers: { 'x-key': 'k3y' },
    ...more,
  });
  const at = `/triggers/${trigger_id}/destinations/${made.destination_id}`;
  return { trigger_id, at, secret: made.signing_secret };
}
const test = async (at: string, body?: object) =>
  (await service.api<Reply<'destinationTest'>>('POST', `${at}:test`, body)).body.result;
const steps = async (at: string) => (await service.api<Reply<'destinationDoctor'>>('POST', `${at}:doctor`)).body.steps;

describe('a test', () => {
  it('sends one signed request, returns the response, and stores no event', async () => {
    const { trigger_id, at, secret } = await destination();
    sink.answer(path, { status: 202, body: 'taken' });
    const result = await test(at, { payload: { n: 1 } });
    expect(result).toMatchObject({ ok: true, reason: null, response: { status: 202, body: 'taken' } });
    const { body, headers } = only(sink.received(path));
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ data: { n: 1 } });
    expect(result.request?.body).toBe(body);
    expect(JSON.stringify(result)).not.toContain('k3y');
    const { body: page } = await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`);
    expect(page.events).toEqual([]);
  });

  it('uses the sample of the event type without a payload', async () => {
    const { at } = await destination();
    await test(at);
    expect(JSON.parse(only(sink.received(path)).body).data).toMatchObject({ cron_expression: '0 0 1 1 *' });
  });

  it('reports the failure', async () => {
    const { at } = await destination();
    sink.answer(path, { status: 500 });
    expect(await test(at)).toMatchObject({ ok: false, reason: 'HTTP_STATUS', response: { status: 500 } });
    const { at: wrong } = await destination({ body_template: '{"a": -{{ payload.missing }}}' });
    expect(await test(wrong)).toMatchObject({ ok: false, reason: 'TEMPLATE_ERROR', request: null, response: null });
  });
});

describe('the diagnosis', () => {
  const summary = async (url: string) => {
    const { at } = await destination({ url });
    return (await steps(at)).map(({ step, ok }) => `${step} ${ok ? 'ok' : 'failed'}`);
  };

  it('continues to the response', async () => {
    const all = ['DNS ok', 'ADDRESS ok', 'CONNECT ok', 'ANSWER ok'];
    expect(await summary(`${sink.url}/healthy`)).toEqual(all);
  });

  it('uses the resolver of deliveries', async () => {
    const { port } = new URL(sink.url);
    expect(await summary(`http://known.test:${port}/healthy`)).toEqual([
      'DNS ok',
      'ADDRESS ok',
      'CONNECT ok',
      'ANSWER ok',
    ]);
  });

  it('ends at a host name that doesn’t resolve', async () => {
    expect(await summary('http://missing.invalid/')).toEqual(['DNS failed']);
  });

  it('ends at a port where nothing listens', async () => {
    const port = await freePort();
    expect(await summary(`http://127.0.0.1:${port}/`)).toEqual(['DNS ok', 'ADDRESS ok', 'CONNECT failed']);
  });

  it('ends at a failed TLS handshake', async () => {
    const address = sink.url.replace('http:', 'https:');
    expect(await summary(address)).toEqual(['DNS ok', 'ADDRESS ok', 'CONNECT ok', 'TLS failed']);
  });
});

it('a destination of another account can’t be tested', async () => {
  const { at } = await destination();
  const strange = at.replace(/destinations\/.*/, 'destinations/01a1ff37-5be7-76b9-9cb2-9aef692ca0ac');
  expect((await service.api('POST', `${strange}:test`)).status).toBe(404);
  expect((await service.api('POST', `${strange}:doctor`)).status).toBe(404);
});
