/**
 * Every operation of the OpenAPI document with generated requests: no 500, no undocumented status, no response that
 * violates its schema. Short, with a fixed seed; `FUZZ_SECONDS=600 npm run test:fuzz` is the long form, with a new seed
 * each time (`FUZZ_SEED` repeats one).
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { addApp, connect } from '../../connections/test/connecting.ts';
import { makeEvent, makeTrigger } from '../../deliveries/test/delivery-support.ts';
import { HELLO, invoke, makeFunction } from '../../functions/test/functions-support.ts';
import { signIn } from '../browser.ts';
import { serviceForAll, sinkForAll } from '../shared-set-up.ts';
import { type Document, type Operation, operationsOf } from './document.ts';
import { createMaker } from './requests.ts';
import { createFuzzer, Pool } from './run.ts';

const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 0);
const SEED = Number(process.env['FUZZ_SEED'] ?? (SECONDS > 0 ? Date.now() % 1e9 : 1));
/** Requests per operation in the short form. */
const ROUNDS = 6;
const AT_ONCE = 3;

const sink = sinkForAll();
const service = serviceForAll({ env: { SLUICE_RATE_LIMIT: '100000' } });

/** The fuzzer must not revoke its own key or remove its owner. */
async function spareOwn(pool: Pool): Promise<void> {
  const keys = await service.api<Reply<'apiKeyList'>>('GET', '/api-keys');
  for (const { key_id } of keys.body.api_keys) pool.spare(key_id);
  const members = await service.api<Reply<'memberList'>>('GET', '/account/members');
  for (const { user_id } of members.body.members) pool.spare(user_id);
}

/** One of each resource, for requests to find. */
async function makeAll(pool: Pool): Promise<void> {
  const app = await addApp(service, sink.url);
  const fn = await makeFunction(service);
  const connection_id = await connect(service, app, { api_key: 'secret-of-the-app' });
  await service.api('GET', `/${app}/x`);
  const { run_id } = await invoke(service, fn);
  const trigger = await makeTrigger(service, [{ url: `${sink.url}/in` }, { url: fn.url }]);
  const event = await makeEvent(service, trigger.trigger_id);
  pool.learn({ app, fn, connection_id, run_id, trigger, event });
  pool.add('key', 'NAME');
  pool.add('version', '1');
  for (const source of ['schedule', 'webhook', 'rss', 'github']) pool.add('source', source);
  for (const type of ['schedule.elapsed', 'webhook.received', 'push']) pool.add('event_type', type);
}

it('responds to every request according to the OpenAPI document', { timeout: (SECONDS + 180) * 1000 }, async () => {
  const { body: document } = await service.api<Document>('GET', '/openapi.json');
  const owner = await signIn(service);
  const cookie = owner.cookie() ?? '';
  const pool = new Pool();
  await spareOwn(pool);
  await makeAll(pool);
  const operations = operationsOf(document);
  const headersFor = ({ id, isPublic }: Operation): Record<string, string> => {
    if (isPublic) return {};
    return /^(account|member)/.test(id) ? { cookie, origin: service.url } : { authorization: `Bearer ${service.key}` };
  };
  const fuzzer = createFuzzer({ base_url: `${service.url}/api`, headersFor }, pool);
  const maker = createMaker({
    urls: [`${sink.url}/in`, `${sink.url}/a?b=c`, 'http://127.0.0.1:1/closed', 'http://localhost:1', 'no-url', '/in'],
    files: [{ 'index.ts': HELLO }, { 'index.ts': 'export default 1' }, { 'index.ts': '(' }, { '../x': '' }, {}],
  });
  const until = performance.now() + SECONDS * 1000;
  let count = 0;
  const oneAfterTheOther = async (worker: number) => {
    for (let round = 0; SECONDS > 0 ? performance.now() < until : round < ROUNDS; round++) {
      // Restore what requests have deleted.
      if (worker === 0 && SECONDS > 0) await makeAll(pool);
      for (const [index, operation] of operations.entries()) {
        if (SECONDS === 0 && index % AT_ONCE !== worker) continue;
        if (SECONDS > 0 && performance.now() > until) return;
        if (operation.method === 'DELETE' && round % 4 !== worker) continue;
        const seed = SEED + worker * 1e6 + round * 1000 + index;
        const [request] = fc.sample(maker.requestOf(operation), { numRuns: 1, seed });
        if (!request) throw new Error('fast-check makes one');
        count++;
        await fuzzer.send(request);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, worker) => oneAfterTheOther(worker)));

  const statuses = [...fuzzer.counts.values()].flatMap((each) => [...each]);
  const sum = Object.groupBy(statuses, ([status]) => String(status));
  const unreached = operations.filter(({ id }) => !fuzzer.counts.get(id)?.has(200)).map(({ id }) => id);
  if (SECONDS > 0)
    console.log(
      JSON.stringify({
        seed: SEED,
        requests: count,
        statuses: Object.fromEntries(
          Object.entries(sum).map(([status, each]) => [status, (each ?? []).reduce((all, [, n]) => all + n, 0)]),
        ),
        never200: unreached,
        findings: fuzzer.findings.length,
      }),
    );
  expect(fuzzer.findings, `seed ${SEED}`).toEqual([]);
  expect(fuzzer.counts.size).toBe(operations.length);
});
