/** Polled sources: feeds, and lists of connected apps. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Body, Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { startApp } from '../../connections/test/custom-support.ts';
import { PATIENTLY } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Seen = { url: string; headers: Record<string, unknown> };
const seen: Seen[] = [];
let answers: Record<string, { status?: number; headers?: Record<string, string>; body?: string }> = {};
const site = forAll(() =>
  startApp((req, res) => {
    seen.push({ url: req.url ?? '', headers: req.headers });
    const { status = 200, headers = {}, body = '' } = answers[(req.url ?? '').split('?')[0] ?? ''] ?? { status: 404 };
    if (headers['etag'] && req.headers['if-none-match'] === headers['etag']) return void res.writeHead(304).end();
    res.writeHead(status, headers).end(body);
  }),
);
const service = serviceForAll();

let path = '';
let count = 0;
beforeEach(() => {
  path = `/feed-${++count}`;
  answers = {};
});

const feed = (...titles: string[]) =>
  `<rss version="2.0"><channel><title>T</title>${titles
    .map((title) => `<item><guid>${title}</guid><title>${title}</title></item>`)
    .join('')}</channel></rss>`;
const asked = () => seen.filter(({ url }) => url.startsWith(path));
type Trigger = Reply<'triggerCreate'>['trigger'];
const create = async (body: Body<'triggerCreate'>) =>
  service.api<{ trigger: Trigger; message: string }>('POST', '/triggers', body);
const make = async (body: Body<'triggerCreate'>): Promise<Trigger> => {
  const answer = await create(body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.trigger;
};
const onFeed = (parameters: object = {}) =>
  make({ source: 'rss', event_type: 'feed.item', parameters: { url: site.url + path, ...parameters } });
const read = async ({ trigger_id }: Trigger) =>
  (await service.api<{ trigger: Trigger }>('GET', `/triggers/${trigger_id}`)).body.trigger;
const payloads = async ({ trigger_id }: Trigger) =>
  (await service.api<Reply<'eventList'>>('GET', `/triggers/${trigger_id}/events`)).body.events
    .map(({ payload }) => payload)
    .reverse();
/** Makes the poll due. */
const pollNow = async ({ trigger_id }: Trigger) => {
  const before = asked().length;
  await service.services.db
    .updateTable('triggers')
    .set({ next_poll_at: new Date(Date.now() - 1000).toISOString() })
    .where('trigger_id', '=', trigger_id)
    .execute();
  service.services.nudge('poller');
  await expect.poll(() => asked().length, PATIENTLY).toBeGreaterThan(before);
};
const rowOf = ({ trigger_id }: Trigger) =>
  service.services.db.selectFrom('triggers').selectAll().where('trigger_id', '=', trigger_id).executeTakeFirstOrThrow();
/** Waits for the first poll, which records existing items. */
const begun = (trigger: Trigger) => expect.poll(async () => (await rowOf(trigger)).position, PATIENTLY).not.toBeNull();
const titles = async (trigger: Trigger) => (await payloads(trigger)).map(({ title }) => title);

describe('a feed', () => {
  it('creates an event for each new item, oldest first, and none for existing items', async () => {
    answers[path] = { body: feed('b', 'a') };
    const trigger = await onFeed();
    await begun(trigger);
    answers[path] = { body: feed('d', 'c', 'b', 'a') };
    await pollNow(trigger);
    await expect.poll(() => titles(trigger), PATIENTLY).toEqual(['c', 'd']);
    await pollNow(trigger);
    await pollNow(trigger);
    expect(await titles(trigger)).toEqual(['c', 'd']);
    expect((await payloads(trigger))[0]).toMatchObject({ id: 'c', feed: { title: 'T' } });
  });

  it('that did not change is not downloaded again', async () => {
    answers[path] = { headers: { etag: '"v1"' }, body: feed('a') };
    const trigger = await onFeed();
    await begun(trigger);
    await pollNow(trigger);
    expect(asked().at(-1)?.headers['if-none-match']).toBe('"v1"');
    answers[path] = { headers: { etag: '"v2"' }, body: feed('b', 'a') };
    await pollNow(trigger);
    await expect.poll(() => titles(trigger), PATIENTLY).toEqual(['b']);
  });

  it('follows redirects, but not loops', async () => {
    answers[path] = { status: 301, headers: { location: `${path}/moved` } };
    answers[`${path}/moved`] = { body: feed('a') };
    const trigger = await onFeed();
    await begun(trigger);
    expect(asked()).toHaveLength(2);
    answers[`${path}/moved`] = { status: 302, headers: { location: path } };
    await pollNow(trigger);
    await expect.poll(() => asked().length, PATIENTLY).toBe(2 + 6);
  });

  it('that can’t be read is retried, and after days the trigger is disabled', async () => {
    answers[path] = { body: feed('a') };
    const trigger = await onFeed();
    await begun(trigger);
    answers[path] = { status: 500 };
    await pollNow(trigger);
    const failing = async () => (await rowOf(trigger)).failing_since;
    await expect.poll(failing, PATIENTLY).not.toBeNull();
    expect(await read(trigger)).toMatchObject({ status: 'ENABLED', reason: null });
    await service.services.db
      .updateTable('triggers')
      .set({ failing_since: new Date(Date.now() - 4 * 86_400_000).toISOString() })
      .where('trigger_id', '=', trigger.trigger_id)
      .execute();
    await pollNow(trigger);
    await expect.poll(() => read(trigger), PATIENTLY).toMatchObject({ status: 'DISABLED', reason: 'SOURCE_REJECTED' });
    answers[path] = { body: feed('b', 'a') };
    await service.api('PATCH', `/triggers/${trigger.trigger_id}`, { status: 'ENABLED' });
    await expect.poll(() => titles(trigger), PATIENTLY).toEqual(['b']);
  });

  it('of a disabled trigger is not polled; changed parameters reset the position', async () => {
    answers[path] = { body: feed('a') };
    const trigger = await onFeed();
    await begun(trigger);
    await service.api('PATCH', `/triggers/${trigger.trigger_id}`, { status: 'DISABLED' });
    expect((await rowOf(trigger)).next_poll_at).toBeNull();
    answers[`${path}/other`] = { body: feed('z') };
    const parameters = { url: `${site.url}${path}/other`, every_minutes: 5 };
    await service.api('PATCH', `/triggers/${trigger.trigger_id}`, { status: 'ENABLED', parameters });
    await expect.poll(() => asked().at(-1)?.url, PATIENTLY).toBe(`${path}/other`);
    expect(await titles(trigger)).toEqual([]);
  });
});

describe('a list of a connected app', () => {
  it('is requested with the connection’s credentials, and each new entry is an event', async () => {
    const app = await addApp(service, site.url);
    const connection_id = await connect(service, app, { api_key: 'k3y' });
    answers[path] = { body: JSON.stringify({ data: [{ n: 1 }] }) };
    const trigger = await make({
      source: 'poll',
      event_type: 'poll.item',
      connection_id,
      parameters: { path: `${path}?sort=new`, items: 'data', id: 'n' },
    });
    await begun(trigger);
    expect(asked()[0]).toMatchObject({ url: `${path}?sort=new`, headers: { authorization: 'Bearer k3y' } });
    answers[path] = { body: JSON.stringify({ data: [{ n: 3 }, { n: 2 }, { n: 1 }] }) };
    await pollNow(trigger);
    await expect.poll(() => payloads(trigger), PATIENTLY).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it('requires a connection of the account, which can’t be removed', async () => {
    const parameters = { path: '/x' };
    const without = await create({ source: 'poll', event_type: 'poll.item', parameters });
    expect([without.status, without.body.message]).toEqual([400, 'connection_id: the source poll needs a connection']);
    const strange = '01a1ff37-5be7-76b9-9cb2-9aef692ca0ac';
    const foreign = await create({ source: 'poll', event_type: 'poll.item', parameters, connection_id: strange });
    expect(foreign.body.message).toMatch(/^connection_id: expected/);
  });
});

it.each([
  [{}, 'parameters.url'],
  [{ url: 'ftp://example.com/feed' }, 'parameters.url'],
  [{ url: 'https://example.com/feed', every_minutes: 0 }, 'parameters.every_minutes'],
  [{ url: 'https://example.com/feed', every_minutes: 1.5 }, 'parameters.every_minutes'],
  [{ url: 'https://example.com/feed', often: true }, 'parameters.often'],
])('parameters such as %j are rejected with the name', async (parameters, name) => {
  const { status, body } = await create({ source: 'rss', event_type: 'feed.item', parameters });
  expect(status).toBe(400);
  expect(body.message).toContain(name);
});
