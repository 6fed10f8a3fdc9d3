/** kill -9 between a deploy and its comparison with saved searches: the event follows after the start, once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { freePort, type Spawned, scratch, start } from '../../test/spawned.ts';

const PATIENTLY = { timeout: 120_000 };
const ENTRY = 'export default { fetch: () => new Response("") };\n';

const folder = scratch();
let service: Spawned;
let port: number;
beforeAll(async () => {
  port = await freePort();
  service = await start(folder.path, port);
});
afterAll(async () => {
  await service.kill('SIGTERM');
  folder.remove();
});

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await service.call<T>('POST', path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
const makeFunction = (name: string, code: string) =>
  post('/functions', { name, runtime: 'nodejs24.x', files: { 'index.ts': ENTRY + code } });

it('loses no event and creates none twice', async () => {
  const { saved_search } = await post<Reply<'savedSearchCreate'>>('/search/saved', {
    name: 'Needles',
    q: '/needle[0-9]/',
  });
  const { trigger } = await post<Reply<'triggerCreate'>>('/triggers', {
    source: 'sluice',
    event_type: 'code.matched',
    parameters: { search_id: saved_search.saved_search_id },
  });
  const matched = async () => {
    const { body } = await service.call<{ events: { payload: { resource: { name: string } } }[] }>(
      'GET',
      `/triggers/${trigger.trigger_id}/events`,
    );
    return body.events.map(({ payload }) => payload.resource.name).sort();
  };
  const names: string[] = [];
  for (let round = 0; round < 3; round++) {
    const name = `Round ${round}`;
    await makeFunction(name, '// needle1\n');
    names.push(name);
    // The worker looks once a second: the deploy is committed, and often not compared yet.
    await service.kill('SIGKILL');
    service = await start(folder.path, port);
  }
  await makeFunction('Last', '// needle2\n');
  await expect.poll(matched, PATIENTLY).toEqual(['Last', ...names]);
});
