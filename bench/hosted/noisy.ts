/**
 * One account loads the machine while a function and the API of another are called. Each load has a quiet period right
 * before it: on a shared machine only the ratio of the two is reproducible.
 */
import { median } from '../measure.ts';
import { type Host, type Hosted, pause } from './host.ts';

const LOOP = 'export default { fetch() { for (;;); } };';
const CONSOLE = "export default { fetch() { const line = 'x'.repeat(200); for (;;) console.log(line); } };";
const raw = (name: string) => `export default { fetch() {
  const bytes = new Uint8Array(65536).fill(120);
  for (;;) { try { Deno.${name}.writeSync(bytes); } catch {} }
} };`;
const SLEEPER =
  'export default { async fetch() { await new Promise((r) => setTimeout(r, 60_000)); return new Response(); } };';
const SHORT = 'export default { fetch: () => new Response("ok") };';

type Load = { what: string; code: string; count: number; timeoutSeconds: number };
/** Each run lasts for the warm-up and the measurement. */
const WARM_UP_MS = 1_500;
const LOADS: Load[] = [
  { what: '2 loops', code: LOOP, count: 2, timeoutSeconds: 6 },
  { what: '8 loops', code: LOOP, count: 8, timeoutSeconds: 6 },
  { what: 'console flood', code: CONSOLE, count: 2, timeoutSeconds: 6 },
  { what: 'stdout flood', code: raw('stdout'), count: 2, timeoutSeconds: 6 },
  { what: 'stderr flood', code: raw('stderr'), count: 2, timeoutSeconds: 6 },
  { what: '100 sleepers', code: SLEEPER, count: 100, timeoutSeconds: 12 },
];

export type NoisyLoad = {
  what: string;
  /** p50 in ms without and with the load, by round. */
  fn: { quiet: number; loaded: number }[];
  api: { quiet: number; loaded: number }[];
  /** First calls of a new function meanwhile, in ms. */
  firstMs: number[];
  /** Calls of the other account that failed. */
  errors: number;
  /** Statuses of the calls that make the load, such as 504 for a time-out. */
  statuses: Record<string, number>;
};

export async function noisy(host: Host, rounds: number): Promise<NoisyLoad[]> {
  const key = await host.addAccount();
  const other = await host.publish(SHORT, {}, key);
  const only = process.env['BENCH_LOADS']?.split(',');
  const found = new Map<string, NoisyLoad>();
  for (let round = 0; round < rounds; round++) {
    for (const load of LOADS.filter(({ what }) => !only || only.includes(what))) {
      const of = found.get(load.what) ?? { what: load.what, fn: [], api: [], firstMs: [], errors: 0, statuses: {} };
      found.set(load.what, of);
      await measure(host, { load, key, other }, of);
    }
  }
  return [...found.values()];
}

type Setting = { load: Load; key: string; other: Hosted };

async function measure(host: Host, { load, key, other }: Setting, result: NoisyLoad): Promise<void> {
  const { code, count, timeoutSeconds } = load;
  const noisy: Hosted[] = [];
  for (let i = 0; i < count; i++) noisy.push(await host.publish(code, { timeout_seconds: timeoutSeconds }));
  await pause(2_000);
  const quiet = await sample(host, other, key);
  const running = noisy.map((fn) =>
    host.call(fn).then(({ status }) => {
      result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    }),
  );
  await pause(WARM_UP_MS);
  const loaded = await sample(host, other, key);
  const fresh = await host.publish(SHORT, {}, key);
  const first = await host.call(fresh, { key });
  if (first.status === 200) result.firstMs.push(first.ms);
  result.errors += quiet.errors + loaded.errors + (first.status === 200 ? 0 : 1);
  result.fn.push({ quiet: quiet.fn, loaded: loaded.fn });
  result.api.push({ quiet: quiet.api, loaded: loaded.api });
  await Promise.all(running);
  for (const fn of noisy) await host.service.call('DELETE', `/functions/${fn.function_id}`);
}

const SAMPLE_MS = 3_000;

async function sample(host: Host, fn: Hosted, key: string) {
  const calls: number[] = [];
  const reads: number[] = [];
  let errors = 0;
  const untilMs = performance.now() + SAMPLE_MS;
  while (performance.now() < untilMs) {
    const { status, ms } = await host.call(fn, { key });
    if (status === 200) calls.push(ms);
    else errors++;
    reads.push(await host.read('/functions?limit=5', key));
    await pause(5);
  }
  return { fn: median(calls), api: median(reads), errors };
}

/** The median of the ratios of each round. */
export const slowdown = (of: { quiet: number; loaded: number }[]): number =>
  median(of.map(({ quiet, loaded }) => loaded / quiet));
