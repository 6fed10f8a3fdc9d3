/**
 * `npm run bench:dead-destination`: a hundred destinations, one of which never responds and gets none, 1 % or 20 % of
 * the traffic. It reports the latency to the other destinations, and its ratio to the round without traffic to the dead
 * one. Each measurement has a separate service. Attempts to the dead destination are in flight when it ends.
 *
 * BENCH_SECONDS and BENCH_ROUNDS set the duration, BENCH_RATE the events per second.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort, type Spawned, scratch, start } from '../server/test/spawned.ts';
import { send, startReceiver } from './deliveries/load.ts';
import { messageOf, SOURCE_SECRET, VERIFICATION } from './deliveries/message.ts';
import { median } from './measure.ts';
import { quantile } from './quantile.ts';
import { SETTINGS } from './settings.ts';

const seconds = Number(process.env['BENCH_SECONDS'] || 8);
const rounds = Number(process.env['BENCH_ROUNDS'] || 3);
const perSecond = Number(process.env['BENCH_RATE'] || 300);
const OTHERS = 99;
const SHARES = [0, 0.01, 0.2];
const MOST_RATIO = 1.5;

type Result = { p50: number; p99: number; sent: number; arrived: number; deadSent: number; deadArrived: number };
const results = new Map<number, Result[]>(SHARES.map((share) => [share, []]));
for (let round = 0; round < rounds; round++) {
  for (const share of SHARES) {
    const result = await measure(share);
    results.get(share)?.push(result);
    process.stderr.write(`${percent(share)}: p99 ${result.p99.toFixed(1)} ms\n`);
  }
}
report();

async function measure(share: number): Promise<Result> {
  const receiver = await startReceiver();
  let deadArrived = 0;
  const silent = createServer((req) => {
    deadArrived++;
    req.resume();
  });
  await new Promise<void>((ok) => silent.listen(0, '127.0.0.1', ok));
  const folder = scratch();
  const service = await start(folder.path, await freePort(), SETTINGS);
  try {
    const dead = await addressFor(service, `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
    const paths: string[] = [];
    for (let n = 0; n < OTHERS; n++) paths.push(await addressFor(service, `${receiver.url}/${n}`));
    await send(receiver, { origin: service.url, paths }, { seconds: 2, perSecond });
    const deadTraffic = share > 0 ? sendTo(service.url + dead, perSecond * share) : undefined;
    const others = { seconds, perSecond: perSecond * (1 - share) };
    const before = receiver.counts.arrived;
    const { acknowledged, arrivalMs } = await send(receiver, { origin: service.url, paths }, others);
    const deadSent = (await deadTraffic?.stop()) ?? 0;
    const arrived = receiver.counts.arrived - before;
    const [p50, p99] = [quantile(arrivalMs, 0.5), quantile(arrivalMs, 0.99)];
    return { p50, p99, sent: acknowledged, arrived, deadSent, deadArrived };
  } finally {
    // A graceful stop would wait for the attempts to the dead destination.
    await service.kill('SIGKILL');
    silent.close();
    silent.closeAllConnections();
    receiver.close();
    folder.remove();
  }
}

async function addressFor(service: Spawned, url: string): Promise<string> {
  const { body } = await service.call<{ trigger: { ingress: { url: string } } }>('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    parameters: VERIFICATION,
    secret: SOURCE_SECRET,
    destinations: [{ url }],
  });
  return new URL(body.trigger.ingress.url).pathname;
}

/** Sends events at this rate until it is stopped. `stop` returns how many were acknowledged. */
function sendTo(url: string, rate: number): { stop(): Promise<number> } {
  const requests: Promise<boolean>[] = [];
  const timer = setInterval(() => {
    const { body, headers } = messageOf(requests.length);
    requests.push(fetch(url, { method: 'POST', body, headers }).then(({ status }) => status === 200));
  }, 1000 / rate);
  return {
    async stop() {
      clearInterval(timer);
      return (await Promise.all(requests)).filter(Boolean).length;
    },
  };
}

function percent(share: number): string {
  return share === 0 ? 'none' : `${share * 100} %`;
}

function report() {
  const calm = results.get(0) ?? [];
  const lines = [
    '| traffic to the dead destination | others, p50 / p99 ms | p99, ratio to no traffic | others, delivered | dead destination: events, in flight | |',
    '|---|---|---|---|---|---|',
  ];
  for (const [share, all] of results) {
    const ratio = median(all.map(({ p99 }, i) => p99 / (calm[i]?.p99 ?? Number.NaN)));
    const sum = (of: (result: Result) => number) => all.reduce((total, each) => total + of(each), 0);
    const [sent, arrived] = [sum((each) => each.sent), sum((each) => each.arrived)];
    const holds = ratio <= MOST_RATIO && arrived >= sent;
    lines.push(
      `| ${[
        percent(share),
        `${median(all.map(({ p50 }) => p50)).toFixed(1)} / ${median(all.map(({ p99 }) => p99)).toFixed(1)}`,
        `${ratio.toFixed(2)} ×`,
        `${arrived} of ${sent}`,
        `${sum((each) => each.deadSent)}, ${Math.max(...all.map(({ deadArrived }) => deadArrived))}`,
        holds ? 'holds' : '**does not hold**',
      ].join(' | ')} |`,
    );
  }
  process.stdout.write(`${[...lines, ''].join('\n')}`);
}
