/**
 * Search threads under hard searches of one account, and after one of them is stuck or lost: other accounts get
 * complete results.
 */
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEARCHES_OF_ALL_AT_ONCE } from '../../../contract/limits.ts';
import type { Reply } from '../../../contract/operations.ts';
import { makeFunction } from '../../functions/test/functions-support.ts';
import { type Service, startService } from '../../test/service.ts';
import { copyFunction } from './search-api-support.ts';

type Found = Reply<'functionSearch'>;
type Page = Reply<'functionSearchAll'>;

const HANDLER = 'export default { fetch: () => new Response("") };\n';
const NEEDLES = 12;
/** Takes RE2 long in every line, and matches nothing. */
const HARD = ['([a-z]+)*[^\\x00-\\x7f]{3}$', '(a|b|ab)*[^a-z\\s]{20}$', '(\\w+\\s*)+[^\\x00-\\x7f]{5}'];

/** By id: every search thread that this process started. */
const threads = new Map<number, Worker>();
const onWorker = (worker: Worker) => {
  if (worker.threadName === 'searcher') threads.set(worker.threadId, worker);
};

let service: Service;
let other: { account_id: string; key: string };
beforeAll(async () => {
  process.on('worker', onWorker);
  service = await startService();
  other = await service.secondAccount();
  const hard = { 'index.ts': HANDLER, 'hard.txt': `${'ab '.repeat(100)}\n`.repeat(2000) };
  const { function_id } = await makeFunction(service, hard, { name: 'Hard' });
  await copyFunction(service, function_id, 600, 'hard');
  for (let n = 0; n < NEEDLES; n++)
    await makeFunction(service, { 'index.ts': `${HANDLER}// needle ${n}` }, { name: `Needle ${n}` }, other.key);
  expect(await needles()).toEqual(ALL);
});
afterAll(async () => {
  process.off('worker', onWorker);
  await service.stop();
});

async function search(q: string, key: string, limit = 100): Promise<Found> {
  const query = new URLSearchParams({ q, limit: String(limit) });
  const { status, body } = await service.api<Found>('GET', `/functions/search?${query}`, undefined, { key });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
let asked = 0;
/** The results of the other account. Each query has another limit, so that none is cached. */
async function needles(q = '"needle"') {
  asked += 1;
  const { count, truncated } = await search(q, other.key, NEEDLES + (asked % (100 - NEEDLES)));
  return { count, truncated };
}
const ALL = { count: NEEDLES, truncated: false };
const replaced = () =>
  service
    .logged()
    .split('\n')
    .filter((line) => line.includes('search thread replaced'))
    .map((line) => JSON.parse(line) as { level: number; cause: string; thread: number; jobs_lost: number });
const alive = () => [...threads.values()].filter(({ threadId }) => threadId > 0);

it('ten hard searches of one account end no thread, and other accounts get complete results', async () => {
  const before = new Set(threads.keys());
  const untilMs = performance.now() + 12_000;
  let hard = 0;
  const loop = async (n: number) => {
    for (let i = 0; performance.now() < untilMs; i++) {
      await search(`/${HARD[(n + i) % HARD.length]}|${n}x${i}/`, service.key);
      hard += 1;
    }
  };
  const loops = Array.from({ length: 10 }, (_, n) => loop(n));
  const answers: object[] = [];
  while (performance.now() < untilMs) answers.push(await needles());
  await Promise.all(loops);
  expect(hard).toBeGreaterThan(20);
  expect(answers.length).toBeGreaterThan(10);
  expect(answers.filter((each) => JSON.stringify(each) !== JSON.stringify(ALL))).toEqual([]);
  expect([...threads.keys()].filter((id) => !before.has(id))).toEqual([]);
  expect(replaced()).toEqual([]);
});

it('long hard searches of all functions end no thread, and the pages of other accounts are whole', async () => {
  const before = new Set(threads.keys());
  const all = (q: string, key: string, more: Record<string, string>) =>
    service.api<Page>('GET', `/functions/search:all?${new URLSearchParams({ q, ...more })}`, undefined, { key });
  let running = SEARCHES_OF_ALL_AT_ONCE;
  const long = Array.from({ length: running }, async (_, n) => {
    const { body } = await all(`/${HARD[n]}|all/`, service.key, { max_seconds: '10' });
    running -= 1;
    return body;
  });
  const pages: object[] = [];
  while (running > 0) {
    expect(await needles()).toEqual(ALL);
    const { total, found_count, next_token } = (await all('"needle"', other.key, { limit: '5' })).body;
    const rest = await all('"needle"', other.key, { limit: '100', next_token: next_token ?? '' });
    pages.push({ total, found_count, rest: rest.body.total });
  }
  for (const { functions, searched_count, total, next_token } of await Promise.all(long)) {
    // A fast machine reads all code before the time is over.
    expect({ functions, total }).toEqual({ functions: [], total: next_token === null ? 0 : null });
    expect(searched_count).toBeGreaterThan(0);
  }
  expect(pages).toEqual(pages.map(() => ({ total: null, found_count: 5, rest: NEEDLES })));
  expect(pages.length).toBeGreaterThan(1);
  expect([...threads.keys()].filter((id) => !before.has(id))).toEqual([]);
  expect(replaced()).toEqual([]);
});

/**
 * Until `isOver` returns true, all queries of the other account have complete results: a literal, an expression, a
 * name.
 */
async function findsAllUntil(isOver: () => boolean) {
  for (let times = 0; times < 5 || !isOver(); times++) {
    expect(await needles()).toEqual(ALL);
    expect(await needles('/need[l]e/')).toEqual(ALL);
    expect(await needles('needle')).toEqual(ALL);
  }
}

it('each lost thread is replaced and logged, and results are complete meanwhile', async () => {
  for (const lost of alive()) {
    const { threadId } = lost;
    const before = threads.size;
    await lost.terminate();
    await findsAllUntil(() => threads.size > before);
    expect(replaced().at(-1)).toMatchObject({ level: 40, cause: 'exited', thread: threadId, jobs_lost: 0 });
  }
});

it('a stuck thread is replaced, with cause and lost searches in the log; other threads work meanwhile', async () => {
  const before = replaced().length;
  const hard = search(`/${HARD[0]}|stuck/`, service.key);
  await expect.poll(() => service.services.search.going(), { interval: 1 }).toBeGreaterThan(0);
  const [stuck] = alive();
  // An endless list: the thread takes no further turn.
  stuck?.postMessage({ segments: [], fresh: [], dropped: new Array(2 ** 32 - 1), gone: [] });
  expect((await hard).truncated).toBe(true);
  await findsAllUntil(() => replaced().length > before);
  const [line] = replaced().slice(before);
  expect(line).toMatchObject({ level: 40, cause: 'stuck' });
  expect(line?.jobs_lost).toBeGreaterThan(0);
});
