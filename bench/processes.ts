/**
 * `npm run bench:processes`: a service of one process and one of two (SLUICE_PROCESSES), in turn in several rounds, on
 * a machine whose cores also run the database, the callers and the receivers. The report has the median ratio of a
 * round, the CPU time of each part, from which the throughput on more cores follows, and the memory of an idle service.
 *
 * BENCH_SECONDS and BENCH_ROUNDS set the duration.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { descendants, freePort } from '../server/test/spawned.ts';
import { type Contestant, cpuOf, ownCpuOf, startSluice as startDeliveries } from './deliveries/contestant.ts';
import { startReceiver } from './deliveries/load.ts';
import { run, WARM_SECONDS } from './deliveries/race.ts';
import { type Gateway, startSluice as startGateway, startNginxWith } from './gateways.ts';
import { load, median } from './measure.ts';
import { requirePrograms } from './programs.ts';
import { CREDENTIAL } from './proxies/proxy.ts';

requirePrograms(['nginx', 'wrk']);

const rounds = Number(process.env['BENCH_ROUNDS'] || 7);
const seconds = Number(process.env['BENCH_SECONDS'] || 4);
const COUNTS = ['1', '2'] as const;
/** The cores of the example in the report. */
const MANY_CORES = 8;
/** Until caches are filled and the first collection is done. */
const IDLE_MS = 20_000;

type Round = { perSecond: number; serviceMs: number; databaseMs: number };
type Figures = Record<(typeof COUNTS)[number], Round[]>;

const isDatabase = ({ command }: { command: string }) => command.includes('postgres');
const verdict = (holds: boolean) => (holds ? 'holds' : '**does not hold**');

const lines: string[] = [];
await reportMemory();
report('calls through the gateway', await gateway());
report('events to their receiver', await deliveries());
process.stdout.write(`${lines.join('\n')}\n`);

async function gateway(): Promise<Figures> {
  const port = await freePort();
  const app = await startNginxWith(
    port,
    `server { listen 127.0.0.1:${port}; if ($http_authorization != "${CREDENTIAL}") { return 401; }
     location / { return 200 "${'x'.repeat(1024)}"; } }`,
  );
  const services: [(typeof COUNTS)[number], Gateway][] = [];
  for (const count of COUNTS)
    services.push([count, await startGateway(`http://127.0.0.1:${port}`, { SLUICE_PROCESSES: count })]);
  const figures = await inTurn(services, async ({ port: own, prefix, pid }, time) => {
    const cpu = partsOf(pid);
    const { requests, requestsPerSecond } = await load(`http://127.0.0.1:${own}${prefix}/`, {
      connections: 64,
      seconds: time,
    });
    return { perSecond: requestsPerSecond, ...cpu(requests) };
  });
  for (const [, service] of services) await service.stop();
  await app.stop();
  return figures;
}

async function deliveries(): Promise<Figures> {
  const receiver = await startReceiver();
  const services: [(typeof COUNTS)[number], Contestant & { pid: number }][] = [];
  for (const count of COUNTS) services.push([count, await startDeliveries(receiver.url, { SLUICE_PROCESSES: count })]);
  const figures = await inTurn(services, async (service, time) => {
    const cpu = partsOf(service.pid);
    const { perSecond, acknowledged, lost } = await run(receiver, service, time);
    if (lost > 0) throw new Error(`${lost} events were lost`);
    return { perSecond, ...cpu(acknowledged) };
  });
  for (const [, service] of services) await service.stop();
  receiver.close();
  return figures;
}

async function inTurn<T>(
  services: [(typeof COUNTS)[number], T][],
  measure: (service: T, seconds: number) => Promise<Round>,
): Promise<Figures> {
  const figures: Figures = { 1: [], 2: [] };
  for (const [, service] of services) await measure(service, WARM_SECONDS);
  for (let round = 0; round < rounds; round++) {
    // The order alternates, as the second of a round may find the machine in another state.
    for (const [count, service] of round % 2 === 0 ? services : services.toReversed()) {
      const result = await measure(service, seconds);
      figures[count].push(result);
      process.stderr.write(`${count}: ${result.perSecond.toFixed(0)}/s\n`);
    }
  }
  return figures;
}

/** Begins to count CPU time; the result returns milliseconds for each of `count`. */
function partsOf(pid: number): (count: number) => Omit<Round, 'perSecond'> {
  const read = () => {
    const database = descendants(pid).filter(isDatabase);
    const databaseMs = database.reduce((sum, each) => sum + ownCpuOf(each.pid), 0);
    return { databaseMs, serviceMs: cpuOf(pid) - databaseMs };
  };
  const before = read();
  return (count) => {
    const after = read();
    return {
      serviceMs: (after.serviceMs - before.serviceMs) / count,
      databaseMs: (after.databaseMs - before.databaseMs) / count,
    };
  };
}

function report(what: string, figures: Figures): void {
  const { 1: one, 2: two } = figures;
  const mid = (of: Round[], figure: (round: Round) => number) => median(of.map(figure));
  const ratio = median(two.map(({ perSecond }, i) => perSecond / (one[i]?.perSecond ?? Number.NaN)));
  lines.push(`| ${what} | a second | CPU ms of the service | of the database | on ${MANY_CORES} cores, a second |`);
  lines.push('|---|---|---|---|---|');
  for (const count of COUNTS) {
    const of = figures[count];
    const [serviceMs, databaseMs] = [mid(of, (round) => round.serviceMs), mid(of, (round) => round.databaseMs)];
    const atMost = (1000 * MANY_CORES) / (serviceMs + databaseMs);
    const cells = [mid(of, (round) => round.perSecond).toFixed(0), serviceMs.toFixed(3), databaseMs.toFixed(3)];
    lines.push(`| ${count} | ${cells.join(' | ')} | ${count === '1' ? '' : `at most ${atMost.toFixed(0)}`} |`);
  }
  lines.push('', `${what}, two processes to one: ${ratio.toFixed(2)} ×, at least 1.40: ${verdict(ratio >= 1.4)}`, '');
}

async function reportMemory(): Promise<void> {
  lines.push('| idle, MB of memory | main process | service processes | database | in all |', '|---|---|---|---|---|');
  for (const count of COUNTS) {
    const service = await startDeliveries('http://127.0.0.1:9', { SLUICE_PROCESSES: count });
    await pause(IDLE_MS);
    const below = descendants(service.pid);
    const sum = (of: { pid: number }[]) => of.reduce((total, { pid }) => total + memoryOf(pid), 0);
    const services = below.filter(({ command }) => command.includes('service-process'));
    const all = [{ pid: service.pid }, ...below];
    const figures = [sum([{ pid: service.pid }]), sum(services), sum(below.filter(isDatabase)), sum(all)];
    lines.push(`| ${count} | ${figures.map((mb) => mb.toFixed(0)).join(' | ')} |`);
    await service.stop();
  }
  lines.push('');
}

/** Megabytes; pages that several processes share are divided among them. */
function memoryOf(pid: number): number {
  try {
    return Number(/^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1000;
  } catch {
    return 0;
  }
}
