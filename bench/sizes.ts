/**
 * `npm run bench:sizes`: what grows with an installation. BENCH_PARTS selects the measurements: claimers (nodes that
 * claim at once), calls (filters of the gateway's calls), many (triggers and connections of an account), search (memory and start of search threads with up to 1,000,000
 * functions), soak (memory under a steady rate; default: all but the last two). BENCH_COUNT is the number of triggers and connections (10,000), BENCH_CALLS of calls (1,000,000), BENCH_SECONDS the time of the soak (3,600).
 *
 * Events of a day: BENCH_PARTS=history BENCH_EVENTS=3000000 BENCH_DAYS=0 npm run bench:delivery. Functions: `npm run
 * bench:search -- --alone --build 2 --cold`.
 */
import { startReceiver } from './deliveries/load.ts';
import { type CallPage, callPages } from './sizes/calls.ts';
import { type Claimers, claimers } from './sizes/claimers.ts';
import { type Many, many } from './sizes/many.ts';
import { type SearchThreads, searchThreads } from './sizes/search-thread.ts';
import { type Soak, soak } from './sizes/soak.ts';

const parts = (process.env['BENCH_PARTS'] || 'claimers,calls,many').split(',');
const count = Number(process.env['BENCH_COUNT'] || 10_000);
const calls = Number(process.env['BENCH_CALLS'] || 1_000_000);
const seconds = Number(process.env['BENCH_SECONDS'] || 3600);
const RATE = 200;

const lines: string[] = [];
const targets: string[] = [];
if (parts.includes('claimers')) reportClaimers([await claimers(1), await claimers(10)]);
if (parts.includes('search')) {
  const threads: SearchThreads[] = [];
  for (const functions of [10_000, 100_000, 1_000_000]) threads.push(await searchThreads(functions));
  reportSearch(threads);
}
if (parts.includes('calls')) reportCalls(await callPages(calls));
const receiver = await startReceiver();
if (parts.includes('many')) reportMany(await many(receiver, 10, 10), await many(receiver, count, 10));
if (parts.includes('soak')) reportSoak(await soak(receiver, RATE, seconds));
receiver.close();
process.stdout.write([...lines, '', '| target | measured | |', '|---|---|---|', ...targets, ''].join('\n'));

function reportClaimers(results: Claimers[]) {
  lines.push('| nodes that claim at once | claims | p50 ms | p99 ms | deliveries claimed | by two nodes |');
  lines.push('|---|---|---|---|---|---|');
  for (const { nodes, claims, p50Ms, p99Ms, claimed, twice } of results) {
    lines.push(`| ${nodes} | ${claims} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${claimed} | ${twice} |`);
    atMost(`deliveries claimed by two of ${nodes} nodes`, twice, 0);
  }
  lines.push('');
}

function reportCalls(pages: CallPage[]) {
  lines.push(`| list of ${calls} calls | p50 ms | p95 ms | rows of the first page | requests to the end |`);
  lines.push('|---|---|---|---|---|');
  for (const { name, p50Ms, p95Ms, rows, requests } of pages)
    lines.push(`| ${name} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} | ${rows} | ${requests ?? ''} |`);
  const slowest = pages.reduce((most, each) => (each.p95Ms > most.p95Ms ? each : most));
  atMost(`lists of ${calls} calls, p95 ms of the slowest filter (${slowest.name})`, slowest.p95Ms, 50);
  lines.push('');
}

function reportSearch(all: SearchThreads[]) {
  lines.push(
    '| functions | shared MB | MB of a further thread | with names | written, s | all threads ready, s | a further one, s | first by deploy, ms | by runs, ms | next, ms |',
  );
  lines.push('|---|---|---|---|---|---|---|---|---|---|');
  for (const { functions, sharedMb, eachMb, writeSeconds, startSeconds, laterSeconds, firstMs, nextMs } of all) {
    const sizes = [sharedMb, eachMb.plain, eachMb.named].map((each) => each.toFixed(1));
    const seconds = [writeSeconds, startSeconds, laterSeconds].map((each) => each.toFixed(2));
    const times = [firstMs.deployed, firstMs.runs, nextMs].map((each) => each.toFixed(1));
    lines.push(`| ${functions} | ${[...sizes, ...seconds, ...times].join(' | ')} |`);
    atMost(`MB of a further search thread with ${functions} functions`, eachMb.plain, Math.max(4, functions / 50_000));
  }
  lines.push('');
}

function reportMany(few: Many, lots: Many) {
  lines.push(`| page | p50 / p95 ms with ${few.count} | with ${lots.count} |`, '|---|---|---|');
  for (const [index, { name, p50Ms, p95Ms }] of lots.pages.entries()) {
    const before = few.pages[index];
    lines.push(
      `| ${name} | ${before?.p50Ms.toFixed(1)} / ${before?.p95Ms.toFixed(1)} | ${p50Ms.toFixed(1)} / ${p95Ms.toFixed(1)} |`,
    );
    atMost(`${name}, p95 ms with ${lots.count}`, p95Ms, 50);
  }
  lines.push('', `| triggers and connections | start, s | memory, MB | events/s |`, '|---|---|---|---|');
  for (const { count, startSeconds, memoryMb, eventsPerSecond } of [few, lots])
    lines.push(`| ${count} | ${startSeconds.toFixed(1)} | ${memoryMb.toFixed(0)} | ${eventsPerSecond.toFixed(0)} |`);
  atMost(`start with ${lots.count}, ratio to few`, lots.startSeconds / few.startSeconds, 1.5);
  atMost('events/s to few triggers, ratio to many', few.eventsPerSecond / lots.eventsPerSecond, 1.5);
}

function reportSoak({ seconds, perSecond, acknowledged, lost, serviceMb, databaseMb }: Soak) {
  const text = ([early, late]: [number, number]) => `${early.toFixed(0)} | ${late.toFixed(0)}`;
  lines.push(`| ${seconds} s at ${perSecond} events/s | early MB | late MB |`, '|---|---|---|');
  lines.push(`| service | ${text(serviceMb)} |`, `| database | ${text(databaseMb)} |`);
  atMost(`lost of ${acknowledged} acknowledged`, lost, 0);
  atMost('memory of the service, late to early', serviceMb[1] / serviceMb[0], 1.05);
  atMost('memory of the database, late to early', databaseMb[1] / databaseMb[0], 1.05);
}

function atMost(what: string, measured: number, most: number) {
  const verdict = measured <= most ? 'holds' : '**does not hold**';
  targets.push(`| ${what}, at most ${most} | ${measured.toFixed(2)} | ${verdict} |`);
}
