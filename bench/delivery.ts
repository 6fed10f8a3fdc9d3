/**
 * `npm run bench:delivery`: events from a source's signed POST to a signed POST at their receiver. Events are stored
 * before they are acknowledged, and every attempt is recorded. This is compared with the same service without storage
 * and with job queues. Contestants take turns on the whole machine, in several rounds. The report has the median ratio
 * to this service in the same round. On a shared machine, ratios and CPU time are reproducible, events per second are
 * not.
 *
 * BENCH_PARTS selects the measurements (race, latency, claim, history, lookup, search, replays, replay-pace,
 * replay-scale, paced, poison, ordered, transformed; default: all), BENCH_RIVALS the programs to compare with (no-grouping,
 * no-storage, bare, bullmq, pg-boss), BENCH_SECONDS and BENCH_ROUNDS the duration, BENCH_EVENTS the number of events in the history
 * and BENCH_DAYS its days (29; 0 for today, in one partition),
 * BENCH_REPLAYED the numbers of events of the replays at scale (100000; also 1000000, which takes 20 minutes).
 */

import { tableOf } from './deliveries/bulk-replay.ts';
import { type Claims, claims } from './deliveries/claim.ts';
import { RIVALS } from './deliveries/contestant.ts';
import { DAYS, history, type Page } from './deliveries/history.ts';
import { startReceiver } from './deliveries/load.ts';
import { type Lookup, lookups } from './deliveries/lookups.ts';
import { ORDERED, type Ordered, ordered } from './deliveries/ordered.ts';
import { type Paced, paced, RATES } from './deliveries/paced.ts';
import { type Poison, poison } from './deliveries/poison.ts';
import { isRival, type Latency, latency, type Race, race } from './deliveries/race.ts';
import { MODES, REPLAYED, type ReplayPace, replayPace } from './deliveries/replay-pace.ts';
import { IN_FLIGHT_MAX, type ReplayScale, replayScale } from './deliveries/replay-scale.ts';
import { indexCost, type Search, searches } from './deliveries/search.ts';
import { type TransformedPace, transformed } from './deliveries/transformed.ts';
import { median } from './measure.ts';
import { installPackages } from './packages.ts';
import { requirePrograms } from './programs.ts';

const seconds = Number(process.env['BENCH_SECONDS'] || 4);
const rounds = Number(process.env['BENCH_ROUNDS'] || 5);
const parts = (
  process.env['BENCH_PARTS'] ||
  'race,latency,claim,history,lookup,search,replays,replay-pace,replay-scale,paced,poison,ordered,transformed'
).split(',');
const events = Number(process.env['BENCH_EVENTS'] || 1_000_000);
const replayed = (process.env['BENCH_REPLAYED'] || '100000').split(',').map(Number);
const names = (process.env['BENCH_RIVALS'] ?? Object.keys(RIVALS).join(',')).split(',').filter(isRival);

if (parts.includes('race') && names.includes('bullmq'))
  requirePrograms(['redis-server'], 'leave BullMQ out with BENCH_RIVALS=no-storage,bare,pg-boss');
if (parts.includes('race') && names.some((name) => name === 'bullmq' || name === 'pg-boss')) installPackages();

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
if (parts.includes('lookup')) reportLookups(await lookups(events));
if (parts.includes('search')) {
  reportSearch(await searches(events));
  reportIndexCost(await indexCost(receiver, { seconds, rounds }));
}
if (parts.includes('transformed')) reportTransformed(await transformed(receiver, { seconds, rounds }));
receiver.close();
if (parts.includes('replay-pace')) {
  const results: ReplayPace[] = [];
  for (const mode of MODES) results.push(await replayPace(REPLAYED, mode));
  reportReplayPaces(results);
}
if (parts.includes('replay-scale')) {
  const results: ReplayScale[] = [];
  for (const count of replayed) results.push(await replayScale(count));
  reportReplayScales(results);
}
if (parts.includes('paced')) reportPaced(await paced(RATES));
if (parts.includes('poison')) reportPoison(await poison(2 * seconds, rounds));
if (parts.includes('ordered')) reportOrdered(await ordered(ORDERED));
process.stdout.write([...lines, '| target | measured | |', '|---|---|---|', ...targets, ''].join('\n'));

function reportRace(rounds: Race) {
  const ours = rounds.get('Sluice') ?? [];
  lines.push(
    '| | events/s | ratio of Sluice to it | CPU ms per event | to the receiver p50 / p99 ms | acknowledged but lost |',
  );
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
  lines.push('');
  atLeast('events/s end to end', median(ours.map(({ perSecond }) => perSecond)), 3500);
  atLeast('events/s, ratio to the same without grouping of failures', over.get(RIVALS['no-grouping']), 0.95);
  atLeast('events/s, ratio to the same without storage', over.get(RIVALS['no-storage']), 0.5);
  atLeast('events/s, ratio to BullMQ and the same record', over.get(RIVALS.bullmq), 1.3);
  atLeast('events/s, ratio to pg-boss and the same record', over.get(RIVALS['pg-boss']), 1.5);
}

function reportLatency({ perSecond, ack, arrival }: Latency) {
  const at = `at ${perSecond} events/s,`;
  atMost(`${at} p99 to the response in ms`, ack[1], 15);
  atMost(`${at} p50 to the receiver in ms`, arrival[0], 3);
  atMost(`${at} p99 to the receiver in ms`, arrival[1], 20);
}

function reportClaims({ due, none }: Claims) {
  const backlog = 'with 200,000 deliveries for a dead destination';
  atMost(`claim ${backlog}, 1,000 other destinations due, ms`, due, 5);
  atMost(`claim ${backlog}, 1,000 other destinations not due, ms`, none, 5);
}

function reportHistory(pages: Page[]) {
  const count = events.toLocaleString('en');
  lines.push(`| page of ${count} events in ${DAYS} days | rows | p50 ms | p95 ms |`, '|---|---|---|---|');
  for (const { name, rows, p50Ms, p95Ms, status } of pages) {
    const figures = [status === 200 ? rows : `**${status}**`, p50Ms.toFixed(1), p95Ms.toFixed(1)];
    lines.push(`| ${name} | ${figures.join(' | ')} |`);
  }
  lines.push('');
  const worst = (list: Page[]) => Math.max(...list.map(({ p95Ms }) => p95Ms));
  atMost(
    `${count} events, the slowest list or filter, p95 in ms`,
    worst(pages.filter((each) => !isStatistics(each) && !isSearch(each))),
    50,
  );
  atMost(`${count} events, the slowest statistics, p95 in ms`, worst(pages.filter(isStatistics)), 50);
}

function reportLookups(found: Lookup[]) {
  const count = events.toLocaleString('en');
  lines.push(
    `| lookup among ${count} rows | matches | p50 ms | p95 ms | blocks | scanned tables |`,
    '|---|---|---|---|---|---|',
  );
  for (const { name, found: matches, p50Ms, p95Ms, blocks, scanned } of found)
    lines.push(`| ${[name, matches, p50Ms.toFixed(1), p95Ms.toFixed(1), blocks, scanned.join(', ')].join(' | ')} |`);
  lines.push('');
  atMost(`${count} rows, the slowest lookup, p95 in ms`, Math.max(...found.map(({ p95Ms }) => p95Ms)), 50);
  atMost('tables scanned by a lookup', new Set(found.flatMap(({ scanned }) => scanned)).size, 0);
}

function reportSearch({ found, storage, indexSeconds }: Search) {
  const count = events.toLocaleString('en');
  lines.push(`| search among ${count} events | matches | requests | first rows p95 ms | complete p50 ms | p95 ms |`);
  lines.push('|---|---|---|---|---|---|');
  for (const { name, matches, requests, firstP95Ms, p50Ms, p95Ms } of found)
    lines.push(
      `| ${[name, matches, requests, ...[firstP95Ms, p50Ms, p95Ms].map((ms) => ms.toFixed(1))].join(' | ')} |`,
    );
  lines.push('', `Indexed in ${indexSeconds.toFixed(0)} s.`, '');
  const rare = found.filter(({ isRare }) => isRare);
  atMost(`${count} events, requests of a search with 40 matches`, Math.max(...rare.map(({ requests }) => requests)), 3);
  atMost(`${count} events, a search with 40 matches, p95 in ms`, Math.max(...rare.map(({ p95Ms }) => p95Ms)), 1000);
  atMost(
    `${count} events, first rows of a search, p95 in ms`,
    Math.max(...found.map(({ firstP95Ms }) => firstP95Ms)),
    500,
  );
  atMost('storage of the search index, part of the rest', storage, 0.3);
}

function reportIndexCost(costs: { perSecond: number; cpu: number }) {
  atLeast('events/s with the search index, ratio to the same without it', costs.perSecond, 0.85);
  atMost('CPU time of an event with the search index, ratio to the same without it', costs.cpu, 1.15);
}

function reportPaced(results: Paced[]) {
  lines.push(
    '| rate limit, two nodes | arrived | part of the rate | most in a second | 429 |',
    '|---|---|---|---|---|',
  );
  for (const { perSecond, arrived, used, refused, most } of results) {
    lines.push(`| ${perSecond}/s | ${arrived} | ${used.toFixed(3)} | ${most} | ${refused} |`);
    atLeast(`part of a rate of ${perSecond}/s that is used`, used, 0.95);
    atMost(`429 from a receiver with a quota of ${perSecond}/s`, refused, 0);
  }
  lines.push('');
}

function reportPoison({ perSecond, p99Ms: [without, withPoison], ratio, rejected }: Poison) {
  lines.push('| runs of events rejected with 422 | p99 to the receiver, ms | rejected attempts |', '|---|---|---|');
  lines.push(
    `| none | ${without.toFixed(1)} | 0 |`,
    `| 200 of each 1,000 | ${withPoison.toFixed(1)} | ${rejected} |`,
    '',
  );
  atMost(`at ${perSecond} events/s, p99 with rejected events, ratio to without`, ratio, 2);
}

function reportTransformed({ plain, transformed: made, ratio }: TransformedPace) {
  lines.push('| request | events/s | CPU ms per event | acknowledged but lost |', '|---|---|---|---|');
  for (const [name, results] of [
    ['untransformed', plain],
    ['made by a function', made],
  ] as const) {
    const perSecond = median(results.map((each) => each.perSecond)).toFixed(0);
    const cpuMs = median(results.map((each) => each.cpuMs)).toFixed(3);
    lines.push(`| ${name} | ${perSecond} | ${cpuMs} | ${results.reduce((sum, { lost }) => sum + lost, 0)} |`);
  }
  lines.push('');
  atLeast('events/s, made by a function, ratio to untransformed', ratio, 0.5);
}

function reportReplayScales(results: ReplayScale[]) {
  lines.push(
    '| one bulk replay, killed once | gathered after s | replayed/s | sent after a pause | missing | again | slowest read ms | memory MiB |',
    '|---|---|---|---|---|---|---|---|',
  );
  for (const each of results) {
    const what = `replay of ${each.events.toLocaleString('en')} events`;
    const after = `${each.afterPause} in ${each.afterPauseSeconds.toFixed(1)} s`;
    const figures = [each.gatheredSeconds.toFixed(1), each.perSecond.toFixed(0), after, each.missing, each.again];
    lines.push(`| ${what} | ${[...figures, each.slowestReadMs.toFixed(0), each.memoryMib.toFixed(0)].join(' | ')} |`);
    atMost(`${what}, missing`, each.missing, 0);
    atMost(`${what}, sent again after the kill`, each.again, IN_FLIGHT_MAX);
    atMost(`${what}, miscounted`, each.miscounted, 0);
    atMost(`${what}, seconds until nothing arrives after a pause`, each.afterPauseSeconds, 5);
  }
  lines.push('');
}

function reportOrdered({ events, keys, lost, inversions, again, before, after, outageSeconds }: Ordered) {
  lines.push(
    '| ordered by key, two nodes, one killed | inversions | sent again | lost | events/s before | after | outage s |',
    '|---|---|---|---|---|---|---|',
  );
  const figures = [inversions, again, lost, before.toFixed(0), after.toFixed(0), outageSeconds.toFixed(0)];
  lines.push(`| ${events} events, ${keys} keys, ${ORDERED.failed * 100} % fail | ${figures.join(' | ')} |`, '');
  atMost(`inversions of ${keys} keys, ${events} events, one of two nodes killed`, inversions, 0);
  atMost('acknowledged events with a key that did not arrive', lost, 0);
}

function reportReplayPaces(results: ReplayPace[]) {
  lines.push(
    `| bulk replay of ${REPLAYED}, pace, new events | replayed/s | new events/s | ratio |`,
    '|---|---|---|---|',
  );
  for (const {
    name,
    ratePerSecond,
    events,
    fresh,
    replay,
    arrived,
    again,
    lost,
    behindSeconds,
    succeeded,
  } of results) {
    const what = `${ratePerSecond}/s, ${name}`;
    const ratio = replay / Math.min(ratePerSecond, median(fresh));
    lines.push(`| ${what} | ${replay.toFixed(0)} | ${median(fresh).toFixed(0)} | ${ratio.toFixed(2)} |`);
    atLeast(`bulk replay, ratio to new events, up to its pace: ${what}`, ratio, 0.8);
    atMost(`delay of the replay's progress in s: ${what}`, behindSeconds, 1);
    const wrong = events - arrived + again + events - succeeded + lost;
    atMost(`deliveries missing, duplicated or not counted: ${what}`, wrong, 0);
  }
  lines.push('');
}

/** A page of a search takes longer, so that few pages read all events; see the part `search`. */
function isSearch({ name }: Page): boolean {
  return /text in (?:no|one) event/.test(name);
}

function isStatistics({ name }: Page): boolean {
  return name.startsWith('statistics');
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
