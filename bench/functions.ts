/**
 * `npm run bench:functions`: compares functions with plain Node and workerd under the same load. All calls use the
 * service's HTTP entry points, and every run and log line is stored.
 *
 * BENCH_PARTS selects from cold, warm, many, deploy, python, containment, noisy, tail and frames (in the browser,
 * after `npm run build`). BENCH_SECONDS and BENCH_ROUNDS set the duration, SLUICE_SANDBOX the mode of the sandbox. On a
 * shared machine, ratios and CPU time are reproducible, milliseconds are not. The report starts with the load.
 */
import { availableParallelism, loadavg } from 'node:os';
import { type Cold, cold, p50, p95 } from './hosted/cold.ts';
import { type Containment, containment } from './hosted/containment.ts';
import { type Deploy, deploy } from './hosted/deploy.ts';
import { type Host, startHost } from './hosted/host.ts';
import { type Many, many } from './hosted/many.ts';
import { type NoisyLoad, noisy, slowdown } from './hosted/noisy.ts';
import { python } from './hosted/python.ts';
import { type Tail, tail } from './hosted/tail.ts';
import { measureTailFrames, type TailFrames } from './hosted/tail-frames.ts';
import { ratioToFirst, type WarmResult, warm } from './hosted/warm.ts';
import { median } from './measure.ts';
import { installPackages } from './packages.ts';
import { requirePrograms } from './programs.ts';

const seconds = Number(process.env['BENCH_SECONDS'] || 3);
const rounds = Number(process.env['BENCH_ROUNDS'] || 5);
const ALL = 'cold,warm,many,deploy,python,containment,noisy,tail,frames';
const parts = (process.env['BENCH_PARTS'] || ALL).split(',');
const sandbox = process.env['SLUICE_SANDBOX'];
const env = sandbox ? { SLUICE_SANDBOX: sandbox } : {};
const COLD_PER_ROUND = 8;
if (parts.includes('warm'))
  requirePrograms(['wrk'], `leave that part out with BENCH_PARTS=${ALL.replace('warm,', '')}`);
if (parts.includes('cold') || parts.includes('warm')) installPackages();

const lines: string[] = [];
const targets: string[] = [];
const before = loadavg();

/** Starts a new service for each part, so that leftover work of one part does not affect the next. */
async function on<T>(part: string, work: (host: Host) => Promise<T>): Promise<T | undefined> {
  if (!parts.includes(part)) return undefined;
  process.stderr.write(`${part}…\n`);
  const host = await startHost(env);
  mode = host.sandbox;
  try {
    return await work(host);
  } finally {
    await host.stop();
  }
}

let mode = '';
const found = {
  cold: await on('cold', (host) => cold(host, rounds * COLD_PER_ROUND)),
  warm: await on('warm', (host) => warm(host, { rounds, seconds })),
  many: await on('many', many),
  deploy: parts.includes('deploy') ? await deploy(rounds * 2) : undefined,
  python: await on('python', async (host) => ({ times: await python(host, rounds) })),
  containment: await on('containment', (host) => containment(host, Math.min(rounds, 3))),
  noisy: await on('noisy', (host) => noisy(host, Math.min(rounds, 3))),
  tail: parts.includes('tail') ? await tail() : undefined,
  frames: await on('frames', (host) => measureTailFrames({ host })),
};
if (found.cold) reportCold(found.cold);
if (found.warm) reportWarm(found.warm);
if (found.many) reportMany(found.many);
if (found.deploy) reportDeploy(found.deploy);
if (found.python?.times) atMost('Python, first response p95 in ms', found.python.times.p95, 1000);
else if (found.python) lines.push('Python is skipped: this service has no runtime for it.', '');
if (found.containment) reportContainment(found.containment);
if (found.noisy) reportNoisy(found.noisy);
if (found.tail) reportTail(found.tail);
if (found.frames) reportFrames(found.frames);

const shown = (of: number[]) => of.map((each) => each.toFixed(1)).join(', ');
process.stdout.write(
  [
    `${availableParallelism()} cores; load ${shown(before)} before and ${shown(loadavg())} after${mode && `; sandbox: ${mode}`}.`,
    '',
    ...lines,
    '| target | measured | |',
    '|---|---|---|',
    ...targets,
    '',
  ].join('\n'),
);

function reportCold({ node, spare, demand, workerd }: Cold) {
  lines.push('| first response | p50 ms | p95 ms |', '|---|---|---|');
  const row = (name: string, all: number[]) =>
    lines.push(`| ${name} | ${p50(all).toFixed(1)} | ${p95(all).toFixed(1)} |`);
  row('Node process', node);
  row('new version, spare process', spare);
  row('new version, started on demand', demand);
  if (workerd.length > 0) row('workerd process', workerd);
  lines.push('');
  atMost('new version in a spare process, p95, ratio to a Node process', p95(spare) / p95(node), 0.5);
  atMost('new version on demand, p95, ratio to a Node process', p95(demand) / p95(node), 1.5);
}

function reportWarm({ rows, calls, runs, lines: stored }: WarmResult) {
  lines.push(
    '| warm | p50 ms, 1 caller | requests/s, 16 callers | p99 ms | CPU µs per call: service or proxy, database, function |',
  );
  lines.push('|---|---|---|---|---|');
  for (const { name, one, many: all, cpu } of rows) {
    const figures = [
      median(one.map(({ p50Ms }) => p50Ms)).toFixed(3),
      median(all.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      median(all.map(({ p99Ms }) => p99Ms)).toFixed(1),
      [cpu.service, cpu.database, cpu.functions].map((us) => us.toFixed(0)).join(', '),
    ];
    lines.push(`| ${name} | ${figures.join(' | ')} |`);
  }
  lines.push('', `${calls} calls completed; stored: ${runs} runs, ${stored} log lines.`, '');
  const latency = ratioToFirst(rows, 'Sluice', ({ one }, round) => one[round]?.p50Ms ?? Number.NaN);
  const rate = ratioToFirst(rows, 'Sluice', ({ many: all }, round) => all[round]?.requestsPerSecond ?? Number.NaN);
  atMost('warm p50, ratio to a proxy and a plain handler', latency, 1.3);
  atLeast('warm requests/s, ratio to a proxy and a plain handler', rate, 0.8);
  atMost('completed calls without a stored run', Math.max(0, calls - runs), 0);
  atMost('log lines missing from stored runs', Math.max(0, 4 * runs - stored), 0);
}

function reportMany({ seconds: took, processes, warmMb, frozenMb, again }: Many) {
  lines.push(
    `Of 150 functions, ${processes} processes remain: ${warmMb.toFixed(1)} MB each, ${frozenMb.toFixed(1)} MB when suspended. The next call of a suspended process took ${again.toFixed(1)} ms.`,
    '',
  );
  atMost('first calls of 150 new functions, seconds', took, 5);
  atMost('PSS of a warm function, MB', warmMb, 16);
  atMost('PSS of a suspended function, MB', frozenMb, 16);
}

function reportDeploy({ bundleMb, firstMs, p50Ms, p95Ms }: Deploy) {
  lines.push(
    `A deploy of ${bundleMb.toFixed(1)} MB: ${firstMs.toFixed(0)} ms with packages from the registry, then ${p50Ms.toFixed(0)} ms (p95 ${p95Ms.toFixed(0)} ms).`,
    '',
  );
  atMost('deploy of 4 MB of packages, p50 in ms', p50Ms, 1000);
}

function reportContainment({ ways, others, errors, othersP99 }: Containment) {
  lines.push(`Meanwhile another function completed ${others} calls, p99 ${othersP99.toFixed(1)} ms.`, '');
  for (const { what, endedMs, nextMs } of ways) {
    atMost(`${what}, with a time-out of 1 s: longest time until the run has ended, ms`, endedMs, 1300);
    atMost(`${what}: longest next call, ms`, nextMs, 100);
  }
  atMost('failed calls of another function meanwhile', errors, 0);
}

function reportNoisy(all: NoisyLoad[]) {
  lines.push(
    '| load of one account | function of another, p50 ms: quiet, loaded | ratio | API, p50 ms: quiet, loaded | ratio | first call of a new function, ms | failed calls | statuses of the load |',
    '|---|---|---|---|---|---|---|---|',
  );
  for (const { what, fn, api, firstMs, errors, statuses } of all) {
    const pair = (of: NoisyLoad['fn']) =>
      `${median(of.map(({ quiet }) => quiet)).toFixed(2)}, ${median(of.map(({ loaded }) => loaded)).toFixed(2)}`;
    const ended = Object.entries(statuses).map(([status, count]) => `${status} ×${count}`);
    lines.push(
      `| ${what} | ${pair(fn)} | ×${slowdown(fn).toFixed(1)} | ${pair(api)} | ×${slowdown(api).toFixed(1)} | ${firstMs.map((ms) => ms.toFixed(0)).join(', ')} | ${errors} | ${ended.join(', ')} |`,
    );
    atMost(`${what}: p50 of another account's function, ratio to quiet`, slowdown(fn), 2);
    atMost(`${what}: p50 of the API, ratio to quiet`, slowdown(api), 2);
    atMost(`${what}: failed calls of another account`, errors, 0);
  }
  lines.push('');
}

function reportTail(all: Tail[]) {
  for (const { where, lines: read, written, p50Ms, p99Ms } of all) {
    lines.push(`1,000 lines/s, read on ${where}: ${read} of ${written}, p50 delay ${p50Ms} ms.`, '');
    atMost(`1,000 lines/s on ${where}, p99 delay in ms`, p99Ms, 250);
    atMost(`lines missing on ${where}`, written - read, 0);
  }
}

function reportFrames({ slowed, framesPerSecond, longestFrameMs, behindP50Ms, behindP99Ms, mainThreadMs }: TailFrames) {
  lines.push(
    `1,000 lines/s in a browser slowed ${slowed} times: delay of the newest line p50 ${behindP50Ms.toFixed(0)}, p99 ${behindP99Ms.toFixed(0)} ms; longest time between frames ${longestFrameMs.toFixed(0)} ms; main thread ${mainThreadMs.all.toFixed(0)} ms of CPU per second.`,
    '',
  );
  atLeast('1,000 lines/s in a slowed browser, frames per second', framesPerSecond, 55);
}

function atLeast(what: string, value: number, bound: number) {
  add(`${what}, at least ${bound}`, value, value >= bound);
}
function atMost(what: string, value: number, bound: number) {
  add(`${what}, at most ${bound}`, value, value <= bound);
}
function add(what: string, value: number, holds: boolean) {
  targets.push(`| ${what} | ${value.toFixed(value >= 100 ? 0 : 2)} | ${holds ? 'holds' : '**does not hold**'} |`);
}
