/** Overload of the database, and bodies of several MiB: acknowledged events are stored, and memory use is bounded. */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll, sinkForAll } from '../../test/shared-set-up.ts';
import { type Answer, eventOf, listenTo, post } from './ingress-support.ts';

const sink = sinkForAll();
const service = serviceForAll({ env: { SLUICE_HOOK_BODY_MIB: '25' }, intakeTimeoutMs: 100_000 });

const POSTS = 75;
/** Three quarters of the 64 MiB of all accounts, with what is in flight. */
const HELD_MAX = 60;

it('beyond the share of its account a source gets a 429 with Retry-After, and the event is not stored', async () => {
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
  const { db } = service.services;
  const locked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const lock = db.transaction().execute(async (tx) => {
    // the transaction is idle during the requests
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`lock table events in exclusive mode`.execute(tx);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const text = 'x'.repeat(1_000_000);
  const refused: Answer[] = [];
  const posts = Array.from({ length: POSTS }, async (_, n) => {
    const answer = await post(url, JSON.stringify({ n, text }));
    if (answer.status === 429) refused.push(answer);
    return answer;
  });
  // Rejected while the database is still blocked: senders do not wait for the response.
  await expect.poll(() => refused.length, { timeout: 50_000 }).toBeGreaterThanOrEqual(POSTS - HELD_MAX);
  held.resolve();
  await lock;
  const answers = await Promise.all(posts);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 429]));
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);

  const { rows } = await sql<{ n: number }>`
    select (payload::json->>'n')::int as n from events where trigger_id = ${trigger.trigger_id} order by 1
  `.execute(db);
  const acknowledged = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
  expect(rows.map(({ n }) => n)).toEqual(acknowledged);
  expect((await post(url, '{"n":-1}')).status).toBe(200);
});

it('a body may be larger by a setting; lists omit its payload', async () => {
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received', {
    destinations: [{ url: `${sink.url}/large`, body_template: '{"all": {{payload}}}' }],
  });
  const text = JSON.stringify({ kind: 'large', text: 'x'.repeat(3_000_000) });
  const answer = await post(url, text);
  expect(answer.status).toBe(200);
  await expect.poll(() => sink.received('/large')).toHaveLength(1);
  expect(sink.received('/large')[0]?.body).toBe(`{"all": ${text}}`);
  const [event_id] = answer.body['event_ids'] as string[];
  expect((await eventOf(service, trigger, event_id)).request).toMatchObject({ size: text.length, body: text });
  const at = `/triggers/${trigger.trigger_id}`;
  const list = await service.api<Reply<'eventList'>>('GET', `${at}/events`);
  expect(list.body.events).toMatchObject([{ event_id, payload: {}, payload_omitted: true }]);
  const filter = encodeURIComponent('{"kind":"large"}');
  const tested = await service.api<Reply<'triggerFilterTest'>>('GET', `${at}/filter:test?filter=${filter}`);
  expect(tested.body).toMatchObject({ matched: 1, total: 1 });
  const tooLarge = await post(url, 'x'.repeat(25 * 1024 * 1024 + 1));
  expect(tooLarge).toMatchObject({ status: 413, body: { message: expect.stringContaining('26214400 bytes') } });
});
