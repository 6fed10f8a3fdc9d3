/** More than the database takes: what is acknowledged is stored, the rest is refused, and memory use is bounded. */
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { type Answer, listenTo, post } from './ingress-support.ts';

const service = serviceForAll();

const POSTS = 100;
/** 64 MiB that wait, and two batches of 4 MiB that are on their way. */
const HELD_MAX = 80;

it('over capacity a source gets a 503 with a retry time, and nothing of that is stored', async () => {
  const { trigger, url } = await listenTo(service, 'webhook', 'webhook.received');
  const { db } = service.services;
  const locked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const lock = db.transaction().execute(async (tx) => {
    // the transaction is idle for as long as the posts take
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
    if (answer.status === 503) refused.push(answer);
    return answer;
  });
  // Refused while the database still takes nothing: who has to wait is not kept waiting for the answer.
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(POSTS - HELD_MAX);
  held.resolve();
  await lock;
  const answers = await Promise.all(posts);
  const statuses = new Set(answers.map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 503]));
  for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);

  const { rows } = await sql<{ n: number }>`
    select (payload::json->>'n')::int as n from events where trigger_id = ${trigger.trigger_id} order by 1
  `.execute(db);
  const acknowledged = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
  expect(rows.map(({ n }) => n)).toEqual(acknowledged);
  expect((await post(url, '{"n":-1}')).status).toBe(200);
});
