/** What a search promises while things change, and while hostile patterns run: measured through the API. */
import { freePort, KEY, type Spawned, start } from '../../server/test/spawned.ts';

const TIMES = 20;
const HOSTILE = ['([a-z]+)*[^\\x00-\\x7f]{9}$', '(x+x+)+y{40}', '([^\\s]+\\s?)+;{30}$', '(.*a){12}[^\\x00-\\x7f]'];

type Found = { truncated: boolean; functions: { function_id: string }[] };
type Made = { function: { function_id: string } };

const search = async (node: Spawned, q: string): Promise<Found> =>
  (await node.call<Found>('GET', `/functions/search?${new URLSearchParams({ q, owner: 'ALL' })}`)).body;

const highest = (times: number[]) => Math.max(...times).toFixed(0);
const middle = (times: number[]) => (times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0).toFixed(0);

/** From the answer to a deploy until a search finds it, on any node; and what is found once it is hidden. */
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
      `A deploy is found by a search on its node ${middle(times.here)} ms after its answer (at most ${highest(times.here)}), on another node ${middle(times.there)} ms (at most ${highest(times.there)}).`,
      `Hidden functions found by the next search: ${seenAfter} of ${2 * TIMES}.`,
    ];
  } finally {
    await there.kill('SIGTERM');
  }
}

/** How long hostile patterns take at most, several at once, and how late the event loop is meanwhile. */
export async function hostility(node: Spawned): Promise<string> {
  await lagMs(node);
  const times = await Promise.all(
    HOSTILE.map(async (pattern) => {
      const startMs = performance.now();
      await search(node, `/${pattern}/`);
      return performance.now() - startMs;
    }),
  );
  return `${HOSTILE.length} hostile patterns at once: answered within ${highest(times)} ms (the budget is 2,000); the event loop's p99 delay meanwhile: ${(await lagMs(node)).toFixed(1)} ms.`;
}

/** How often Node looks at its event loop; the delay it reports has this in it. */
const LOOK_MS = 10;

/** The event loop's p99 delay since this was asked last. */
export async function lagMs(node: Spawned): Promise<number> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } });
  return Number(/^sluice_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(await response.text())?.[1]) * 1000 - LOOK_MS;
}
