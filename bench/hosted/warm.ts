/**
 * Compares a warm function with a plain handler behind a minimal Node proxy, and with workerd behind the same proxy.
 * The function logs a line with each call, and its run and log are stored. Contestants take turns in several rounds.
 */

import { startProxy } from '../gateways.ts';
import { type Load, load, median } from '../measure.ts';
import { cpuMs, type Host, type Hosted, pause } from './host.ts';
import { startPlain, startWorkerd } from './others.ts';

/** Concurrent callers: below the limit of a function, as the run of a completed call may still hold its slot. */
const MANY = 16;
/** Warm-up calls before the measurement, until V8 has optimised the code. */
const WARM_CALLS = 40_000;
const WARM_SECONDS = 3;
const WARM_SLICES = 12;

export type Warm = {
  name: string;
  one: Load[];
  many: Load[];
  /** CPU microseconds per call of all processes involved. */
  cpu: Cpu;
};
export type WarmResult = { rows: Warm[]; calls: number; runs: number; lines: number };

type Cpu = ReturnType<Host['cpu']>;
type Contestant = { name: string; url: string; host?: string; cpu(): Cpu };

export async function warm(host: Host, { rounds, seconds }: { rounds: number; seconds: number }): Promise<WarmResult> {
  const plain = await startPlain();
  const proxy = await startProxy('pipe', plain.url);
  const worker = await startWorkerd();
  const before = worker ? await startProxy('pipe', worker.url) : undefined;
  const fn = await host.publish('export default { fetch() { console.log("called"); return new Response("hello"); } };');
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
  let total = 0;
  const measure = async ({ url, host: name }: Contestant, connections: number, time: number) => {
    const headers = name ? [`Host: ${name}`] : [];
    const result = await load(url, { connections, seconds: time, headers });
    if (name) total += result.requests;
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
  const stored = await countStored(host, fn);
  for (const each of [proxy, before, plain, worker]) await each?.stop();
  return { rows, calls: total, ...stored };
}

const NO_CPU: Cpu = { service: 0, database: 0, functions: 0 };

const cpuOf = (proxy: { pid: number }, handler: { pid: number }): Cpu => ({
  service: cpuMs(proxy.pid),
  database: 0,
  functions: cpuMs(handler.pid),
});

/** wrk disconnects with calls in flight: they are recorded too. */
async function countStored(host: Host, fn: Hosted) {
  await pause(500);
  return host.recorded(fn);
}

/** Median over the rounds of the ratio of a figure to the first contestant's in the same round. */
export function ratioToFirst(rows: Warm[], name: string, figure: (row: Warm, round: number) => number): number {
  const [first] = rows;
  const row = rows.find((each) => each.name === name);
  if (!first || !row) return Number.NaN;
  return median(first.many.map((_, round) => figure(row, round) / figure(first, round)));
}
