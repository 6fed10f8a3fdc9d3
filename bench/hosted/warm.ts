/**
 * A function that is warm, beside a plain handler behind the plainest proxy in Node, and beside one in workerd behind
 * the same proxy. Ours logs a line with each call and stores run and log; rounds go in turn.
 */

import { startProxy } from '../gateways.ts';
import { type Load, load, median } from '../measure.ts';
import { cpuMs, type Host, type Hosted, pause } from './host.ts';
import { startPlain, startWorkerd } from './others.ts';

/** As many at once as a function may have, without one being refused because the last one's record isn't closed. */
const MANY = 16;
/** Each is called so often before it is measured: code that is compiled as it runs is at its best only then. */
const WARM_CALLS = 40_000;
const WARM_SECONDS = 3;
const WARM_SLICES = 12;

export type Warm = {
  name: string;
  one: Load[];
  many: Load[];
  /** CPU microseconds a call, of all that takes part. */
  cpu: Cpu;
};
export type WarmResult = { rows: Warm[]; asked: number; runs: number; lines: number };

type Cpu = ReturnType<Host['cpu']>;
type Contestant = { name: string; url: string; host?: string; cpu(): Cpu };

export async function warm(host: Host, { rounds, seconds }: { rounds: number; seconds: number }): Promise<WarmResult> {
  const plain = await startPlain();
  const proxy = await startProxy('pipe', plain.url);
  const worker = await startWorkerd();
  const before = worker ? await startProxy('pipe', worker.url) : undefined;
  const fn = await host.publish('export default { fetch() { console.log("asked"); return new Response("hello"); } };');
  const contestants: Contestant[] = [
    { name: 'proxy and plain handler', url: `http://127.0.0.1:${proxy.port}/`, cpu: () => cpuOf(proxy, plain) },
    { name: 'Sluice', url: `http://127.0.0.1:${host.port}/`, host: new URL(fn.url).host, cpu: host.cpu },
    ...(worker && before
      ? [
          {
            name: 'proxy and workerd',
            url: `http://127.0.0.1:${before.port}/`,
            cpu: () => cpuOf(before, worker),
          },
        ]
      : []),
  ];
  const rows = contestants.map(({ name }): Warm => ({ name, one: [], many: [], cpu: NO_CPU }));
  let asked = 0;
  const measure = async ({ url, host: name }: Contestant, connections: number, time: number) => {
    const headers = name ? [`Host: ${name}`] : [];
    const result = await load(url, { connections, seconds: time, headers });
    if (name) asked += result.requests;
    return result;
  };
  for (const each of contestants) {
    let calls = 0;
    for (let slice = 0; slice < WARM_SLICES && calls < WARM_CALLS; slice++)
      calls += (await measure(each, MANY, WARM_SECONDS)).requests;
  }
  for (let round = 0; round < rounds; round++) {
    for (const [i, each] of contestants.entries()) {
      const row = rows[i] as Warm;
      const used = each.cpu();
      const many = await measure(each, MANY, seconds);
      row.many.push(many);
      if (each.host) await host.atRest(fn);
      const now = each.cpu();
      const per = (name: keyof Cpu) => ((now[name] - used[name]) * 1000) / many.requests;
      row.cpu = { service: per('service'), database: per('database'), functions: per('functions') };
      row.one.push(await measure(each, 1, Math.ceil(seconds / 2)));
    }
  }
  const stored = await settled(host, fn);
  for (const each of [proxy, before, plain, worker]) await each?.stop();
  return { rows, asked, ...stored };
}

const NO_CPU: Cpu = { service: 0, database: 0, functions: 0 };

const cpuOf = (proxy: { pid: number }, handler: { pid: number }): Cpu => ({
  service: cpuMs(proxy.pid),
  database: 0,
  functions: cpuMs(handler.pid),
});

/** wrk leaves with calls in flight: they are recorded too. */
async function settled(host: Host, fn: Hosted) {
  await pause(500);
  return host.recorded(fn);
}

/** Of each figure the median over the rounds of its ratio to the same round of the first. */
export function overFirst(rows: Warm[], name: string, figure: (row: Warm, round: number) => number): number {
  const [first] = rows;
  const row = rows.find((each) => each.name === name);
  if (!first || !row) return Number.NaN;
  return median(first.many.map((_, round) => figure(row, round) / figure(first, round)));
}
