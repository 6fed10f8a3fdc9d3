/** Hosts that an installation may call, and TLS only: for every field with a URL, at every connection, and in functions. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { readConfig } from '../../config.ts';
import { addCustomApp, connectBy } from '../../connections/test/custom-support.ts';
import { invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { listenTo, post } from '../../triggers/test/ingress-support.ts';
import { AS_PUBLIC, PUBLIC, resolver } from './hostile-spellings.ts';

const ALLOWED = [...AS_PUBLIC, '127.0.0.0/8'].join();
const { lookup } = resolver({
  'api.listed.test': [[PUBLIC]],
  'other.test': [[PUBLIC]],
  'sink.listed.test': [['127.0.0.1']],
});
const sink = sinkForAll();
const service = serviceForAll({
  env: { SLUICE_EGRESS_HOSTS: '*.listed.test', SLUICE_ALLOW_PRIVATE_CIDRS: ALLOWED },
  lookUp: lookup,
});
const strict = serviceForAll({
  env: { SLUICE_EGRESS_TLS: 'required', SLUICE_ALLOW_PRIVATE_CIDRS: ALLOWED },
  lookUp: lookup,
});

type Place = (url: string) => [path: string, body: object];
const PLACES: Record<string, Place> = {
  'the URL of a destination': (url) => [
    '/triggers',
    { source: 'webhook', event_type: 'webhook.received', destinations: [{ url }] },
  ],
  'the URL of a feed': (url) => ['/triggers', { source: 'rss', event_type: 'feed.item', parameters: { url } }],
  'the base URL of an app': (url) => [
    '/apps',
    { app: 'listed', name: 'Listed', base_url: url, methods: [{ method: 'BASIC' }] },
  ],
};

describe.each(Object.entries(PLACES))('%s', (_, at) => {
  const save = (to: typeof service, url: string) => to.api<{ message: string }>('POST', ...at(url));

  it('has to be one of the hosts', async () => {
    const { status, body } = await save(service, 'https://other.test/x');
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining('other.test is not among the hosts that this installation may call'),
    ]);
    expect((await save(service, 'https://api.listed.test/x')).status).toBe(200);
  });

  it('has to use TLS', async () => {
    const { status, body } = await save(strict, 'http://api.listed.test/x');
    expect([status, body.message]).toEqual([400, expect.stringContaining('this installation allows only https')]);
    expect((await save(strict, 'https://api.listed.test/x')).status).toBe(200);
  });
});

it('a URL that was stored before is not called, and its examination and its attempts have the reason', async () => {
  const url = sink.url.replace('127.0.0.1', 'sink.listed.test');
  const { trigger, url: hook } = await listenTo(service, 'webhook', 'webhook.received', {
    destinations: [{ url: `${url}/in` }],
  });
  const destination_id = trigger.destinations[0]?.destination_id ?? '';
  await post(hook, '{}');
  await expect.poll(() => sink.received('/in').length).toBe(1);
  await service.services.db
    .updateTable('destinations')
    .set({ url: `${sink.url}/in` })
    .where('destination_id', '=', destination_id)
    .execute();
  await service.restart();

  const at = `/triggers/${trigger.trigger_id}`;
  const reason = '127.0.0.1 is not among the hosts that this installation may call';
  const { steps } = (
    await service.api<Reply<'destinationDoctor'>>('POST', `${at}/destinations/${destination_id}:doctor`)
  ).body;
  expect(steps.at(-1)).toMatchObject({ step: 'ADDRESS', ok: false, detail: `${reason}.` });
  await post(hook, '{}');
  const newest = (await service.api<Reply<'eventList'>>('GET', `${at}/events`)).body.events[0];
  const read = async () =>
    (await service.api<Reply<'eventGet'>>('GET', `${at}/events/${newest?.event_id}`)).body.event.deliveries[0];
  await expect
    .poll(read)
    .toMatchObject({ reason: 'BLOCKED_ADDRESS', last_error_message: expect.stringContaining(reason) });
  expect(sink.received('/in').length).toBe(1);
});

it('an app that was stored before is not called, and the response has the reason', async () => {
  const url = sink.url.replace('127.0.0.1', 'sink.listed.test');
  const app = await addCustomApp(service, url, [{ method: 'BASIC' }]);
  const id = await connectBy(service, app, 'BASIC', { username: 'ada', password: 'secret' });
  const call = (to: string) =>
    service.api<{ message: string }>('GET', `/${app}/${to}`, undefined, { headers: { 'service-connection': id } });
  expect((await call('called')).status).toBe(200);
  await sql`update apps set definition = replace(definition, 'sink.listed.test', '127.0.0.1') where app = ${app}`.execute(
    service.services.db,
  );
  await service.restart();
  const { status, body } = await call('forbidden');
  expect([status, body.message]).toEqual([502, expect.stringContaining('is not among the hosts')]);
  expect(sink.received('/forbidden')).toEqual([]);
});

it('a function calls only what both lists have', async () => {
  const fn = await makeFunction(service, {
    'index.ts': `export default { async fetch() {
      try { await fetch('http://other.test/'); return Response.json('called'); }
      catch (error) { return Response.json(String(error.cause ?? error)); }
    } }`,
  });
  const run = await invoke(service, fn);
  expect(run.response?.body).toMatch(/allowed hosts|net access/i);
});

it.each(['*', 'https://example.com', 'a b', '*.*.example.com', 'example.com:99999999'])(
  'SLUICE_EGRESS_HOSTS=%s is not taken',
  (hosts) => {
    expect(() => readConfig({ SLUICE_EGRESS_HOSTS: hosts })).toThrow(ConfigError);
  },
);
