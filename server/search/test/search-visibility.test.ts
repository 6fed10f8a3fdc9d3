/** Another account asks in every way while a function changes between PUBLIC and PRIVATE. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { forAll, serviceForAll } from '../../test/shared-set-up.ts';

type Found = Pick<Reply<'functionSearch'>, 'functions'>;

const service = serviceForAll();
const stranger = forAll(() => service.secondAccount());
const FLIPS = 25;
const HANDLER = 'export default { fetch: () => new Response("") };\n';

it('finds a function in no answer to a request that began after it was made private', async () => {
  const files = { 'index.ts': `${HANDLER}// wolverine den\n` };
  await makeFunction(service, files, { name: 'The original', visibility: 'PUBLIC' });
  const { function_id } = await makeFunction(service, files, { name: 'Wolverine', visibility: 'PUBLIC' });
  /** Increases when PRIVATE is acknowledged, and before PUBLIC is requested: odd while it is private. */
  let state = 0;
  let isOver = false;
  const seen = { public: 0, private: 0, answers: 0 };
  const search = (query: Record<string, string>) =>
    `/functions/search?${new URLSearchParams({ owner: 'ALL', ...query })}`;
  const ways = [
    search({ q: '"wolverine"' }),
    search({ q: '/wolver.n[e] den/' }),
    search({ q: 'wolverine' }),
    search({ q: '"wolverine" -"otter" lang:ts' }),
    search({ q: 'name:wolverine "den"' }),
    search({ q: '"wolverine"', history: 'true' }),
    search({ q: '"wolverine"', copies: 'fold', sort: 'stars' }),
    search({ q: '"wolverine"', function_id }),
    '/functions?owner=ALL',
  ];

  async function ask(path: string, accept: string): Promise<void> {
    while (!isOver) {
      const before = state;
      const response = await fetch(`${service.url}/api${path}`, {
        headers: { authorization: `Bearer ${stranger.key}`, accept },
      });
      const text = await response.text();
      if (response.status !== 200) {
        expect([404, 429], text).toContain(response.status);
        continue;
      }
      const isFound = text.includes(function_id);
      seen.answers += 1;
      if (state === before && before % 2 === 1) {
        expect(isFound, `${path} ${text}`).toBe(false);
        seen.private += 1;
      } else if (isFound) seen.public += 1;
    }
  }

  const change = async (visibility: string) => {
    const { status } = await service.api<Found>('PATCH', `/functions/${function_id}`, { visibility });
    expect(status).toBe(200);
  };
  const enough = async (kind: 'public' | 'private') => {
    const least = seen[kind] + ways.length;
    while (seen[kind] < least && !isOver) await new Promise((ok) => setImmediate(ok));
  };
  const askers = Promise.all([
    ...ways.map((path) => ask(path, 'application/json')),
    ask(search({ q: '"wolverine"' }), 'text/event-stream'),
  ]).finally(() => {
    isOver = true;
  });
  for (let flip = 0; flip < FLIPS && !isOver; flip++) {
    await enough('public');
    await change('PRIVATE');
    state += 1;
    await enough('private');
    state += 1;
    await change('PUBLIC');
  }
  isOver = true;
  await askers;
  expect(seen.private).toBeGreaterThan(FLIPS);
  expect(seen.public).toBeGreaterThan(FLIPS);
});
