/** Measures the guarantees of search through the API: freshness after changes, and time with hostile patterns. */
import { SEARCH_BUDGET_MS, SEARCH_LONGEST_MS } from '../../contract/limits.ts';
import { freePort, KEY, type Spawned, start } from '../../server/test/spawned.ts';

const TIMES = 20;
/** Hostile searches at once, and as many others. */
const CROWD = 100;
const HOSTILE = ['([a-z]+)*[^\\x00-\\x7f]{9}$', '(x+x+)+y{40}', '([^\\s]+\\s?)+;{30}$', '(.*a){12}[^\\x00-\\x7f]'];

type Found = { truncated: boolean; functions: { function_id: string }[] };
type Made = { function: { function_id: string } };

const search = async (node: Spawned, q: string): Promise<Found> => {
  const { status, body } = await node.call<Found>(
    'GET',
    `/functions/search?${new URLSearchParams({ q, owner: 'ALL' })}`,
  );
  if (status !== 200) throw new Error(`${q}: ${JSON.stringify(body)}`);
  return body;
};

const highest = (times: number[]) => Math.max(...times).toFixed(0);
const middle = (times: number[]) => (times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(0);

/** Measures the time from the response of a deploy until a search finds it, and counts hidden functions still found. */
export async function freshness(here: Spawned, dataDir: string, env: Record<string, string>): Promise<string[]> {
  const there = await start(dataDir, await freePort(), env);
  try {
    while ((await search(there, '"zq no such text qz"')).truncated);
    const times: Record<'here' | 'there', number[]> = { here: [], there: [] };
    let seenAfter = 0;
    for (let n = 0; n < TIMES; n++) {
      const mark = `freshly${process.pid}deployed${n}`;
      const files = { 'index.ts': `export default { fetch: () => new Response("${mark}") };\n` };
      const body = { name: mark, runtime: 'nodejs24.x', visibility: 'PUBLIC', files };
      const { function_id } = (await here.call<Made>('POST', '/functions', body)).body.function;
      const startMs = performance.now();
      await Promise.all(
        (
          [
            ['here', here],
            ['there', there],
          ] as const
        ).map(async ([name, node]) => {
          while ((await search(node, `"${mark}"`)).functions.length === 0);
          times[name].push(performance.now() - startMs);
        }),
      );
      await here.call('PATCH', `/functions/${function_id}`, { visibility: 'PRIVATE' });
      for (const node of [here, there]) seenAfter += (await search(node, `"${mark}"`)).functions.length;
      await here.call('DELETE', `/functions/${function_id}`);
    }
    return [
      `A deploy is found on its node ${middle(times.here)} ms after its response (at most ${highest(times.here)}), on another node after ${middle(times.there)} ms (at most ${highest(times.there)}).`,
      `Hidden functions found by the next search: ${seenAfter} of ${2 * TIMES}.`,
    ];
  } finally {
    await there.kill('SIGTERM');
  }
}

/** Runs hostile patterns concurrently, alone and among other searches. Measures the times and the event loop delay. */
export async function* hostility(node: Spawned): AsyncGenerator<string> {
  const timesOf = (queries: string[]) =>
    Promise.all(
      queries.map(async (q) => {
        const startMs = performance.now();
        await search(node, q);
        return performance.now() - startMs;
      }),
    );
  const delay = async () => `the event loop's p99 delay meanwhile: ${(await lagMs(node)).toFixed(1)} ms`;
  await lagMs(node);
  const times = await timesOf(HOSTILE.map((pattern) => `/${pattern}/`));
  yield `${HOSTILE.length} hostile patterns at once: completed within ${highest(times)} ms (each has ${SEARCH_BUDGET_MS} ms of CPU time in each thread, and at most ${SEARCH_LONGEST_MS} ms); ${await delay()}.`;
  const crowd = Array.from({ length: CROWD }, (_, n) => `/${HOSTILE[n % HOSTILE.length]}${n}/`);
  const [hard, easy] = await Promise.all([timesOf(crowd), timesOf(crowd.map((_, n) => `"return ${n}"`))]);
  yield `${2 * CROWD} searches of one account at once, half of them hostile: the hostile ones completed within ${highest(hard)} ms, the others within ${highest(easy)} ms (p50 ${middle(easy)}); ${await delay()}.`;
}

/** Node's sampling interval of the event loop delay, which is part of the reported delay. */
const SAMPLE_MS = 10;

/** The event loop's p99 delay since the previous call. */
export async function lagMs(node: Spawned): Promise<number> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } });
  return Number(/^sluice_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await response.text())?.[1]) * 1000 - SAMPLE_MS;
}
