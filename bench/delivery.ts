/**
 * `npm run bench:delivery`: events from a source's signed POST to a signed POST at their receiver, stored before they are
 * acknowledged and with every attempt recorded, beside the same without storage and the same with job queues. Everyone
 * has the whole machine in turn, round after round, and what is told is the median of each one's ratio to ours in the
 * same round: on a machine that others use too, ratios and CPU time last where events a second don't.
 *
 * BENCH_PARTS names what is measured (race, latency, claim, history, replays; all of them), BENCH_RIVALS against whom
 * (no-storage, bare, bullmq, pg-boss), BENCH_SECONDS and BENCH_ROUNDS how long, BENCH_EVENTS how many events
 * lie in the history.
 */

import { tableOf } from './deliveries/bulk-replay.ts';
import { type Claims, claims } from './deliveries/claim.ts';
import { RIVALS } from './deliveries/contestant.ts';
import { history, type Page } from './deliveries/history.ts';
import { startReceiver } from './deliveries/load.ts';
import { isRival, type Latency, latency, type Race, race } from './deliveries/race.ts';
import { median } from './measure.ts';

const seconds = Number(process.env['BENCH_SECONDS'] || 4);
const rounds = Number(process.env['BENCH_ROUNDS'] || 5);
const parts = (process.env['BENCH_PARTS'] || 'race,latency,claim,history,replays').split(',');
const events = Number(process.env['BENCH_EVENTS'] || 1_000_000);
const names = (process.env['BENCH_RIVALS'] ?? Object.keys(RIVALS).join(',')).split(',').filter(isRival);

const lines: string[] = [];
const targets: string[] = [];
const receiver = await startReceiver();
if (parts.includes('race')) reportRace(await race(receiver, { seconds, rounds, names }));
if (parts.includes('latency')) reportLatency(await latency(receiver, 300, seconds * rounds));
if (parts.includes('claim')) reportClaims(await claims());
if (parts.includes('history') || parts.includes('replays')) {
  const { pages, replays } = await history(events, parts);
  if (pages.length > 0) reportHistory(pages);
  if (replays.length > 0) lines.push(...tableOf(replays));
}
receiver.close();
process.stdout.write([...lines, '| target | measured | |', '|---|---|---|', ...targets, ''].join('\n'));

function reportRace({ rounds, leftOut }: Race) {
  const ours = rounds.get('Sluice') ?? [];
  lines.push('| | events/s | ours by theirs | CPU ms an event | to the receiver p50/p99 ms | acknowledged and lost |');
  lines.push('|---|---|---|---|---|---|');
  const over = new Map<string, number>();
  for (const [name, results] of rounds) {
    const ratio = median(results.map(({ perSecond }, i) => (ours[i]?.perSecond ?? Number.NaN) / perSecond));
    over.set(name, ratio);
    const figures = [
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      name === 'Sluice' ? '' : `${ratio.toFixed(2)} ×`,
      median(results.map(({ cpuMs }) => cpuMs)).toFixed(3),
      [0, 1].map((at) => median(results.map(({ arrival }) => arrival[at] ?? 0)).toFixed(0)).join(' / '),
      results.reduce((sum, { lost }) => sum + lost, 0),
    ];
    lines.push(`| ${name} | ${figures.join(' | ')} |`);
  }
  lines.push('', ...leftOut.flatMap((each) => [each, '']));
  atLeast('events/s end to end', median(ours.map(({ perSecond }) => perSecond)), 3000);
  atLeast('by the same without storage', over.get(RIVALS['no-storage']), 0.45);
  atLeast('by BullMQ and the same record', over.get(RIVALS.bullmq), 1.3);
  atLeast('by pg-boss and the same record', over.get(RIVALS['pg-boss']), 1.5);
}

function reportLatency({ perSecond, ack, arrival }: Latency) {
  const at = `at ${perSecond} events/s,`;
  atMost(`${at} p99 to the answer in ms`, ack[1], 15);
  atMost(`${at} p50 to the receiver in ms`, arrival[0], 3);
  atMost(`${at} p99 to the receiver in ms`, arrival[1], 20);
}

function reportClaims({ due, none }: Claims) {
  const beside = 'beside 200,000 of a dead destination,';
  atMost(`a claim ${beside} 1,000 lanes are due, ms`, due, 5);
  atMost(`a claim ${beside} 1,000 lanes wait for later, ms`, none, 5);
}

function reportHistory(pages: Page[]) {
  const count = events.toLocaleString('en');
  lines.push(`| page of ${count} events in 29 days | rows | p50 ms | p95 ms |`, '|---|---|---|---|');
  for (const { name, rows, p50Ms, p95Ms, status } of pages) {
    const figures = [status === 200 ? rows : `**${status}**`, p50Ms.toFixed(1), p95Ms.toFixed(1)];
    lines.push(`| ${name} | ${figures.join(' | ')} |`);
  }
  lines.push('');
  const worst = (list: Page[]) => Math.max(...list.map(({ p95Ms }) => p95Ms));
  atMost(`${count} events, the slowest list or filter, p95 in ms`, worst(pages.filter((each) => !isFigures(each))), 50);
  atMost(`${count} events, the slowest figures, p95 in ms`, worst(pages.filter(isFigures)), 50);
}

function isFigures({ name }: Page): boolean {
  return name.startsWith('figures');
}

function atLeast(what: string, value: number | undefined, bound: number) {
  if (value !== undefined) add(`${what}, at least ${bound}`, value, value >= bound);
}
function atMost(what: string, value: number, bound: number) {
  add(`${what}, at most ${bound}`, value, value <= bound);
}
function add(what: string, value: number, holds: boolean) {
  targets.push(`| ${what} | ${value.toFixed(value >= 100 ? 0 : 2)} | ${holds ? 'holds' : '**does not hold**'} |`);
}
