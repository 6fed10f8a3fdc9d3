/** Measures the throughput of all contestants, in turn in several rounds, and the latency at a typical rate. */
import { quantile } from '../quantile.ts';
import { type Contestant, RIVALS, type Rival, startRedis, startRival, startSluice } from './contestant.ts';
import { type Receiver, send, type Traffic } from './load.ts';

export type Result = {
  name: string;
  perSecond: number;
  acknowledged: number;
  cpuMs: number;
  lost: number;
  arrival: [p50: number, p99: number];
};
export type Race = Map<string, Result[]>;

/** Warm-up: the first seconds of a long-lived service, until V8 has compiled it, are not typical. */
export const WARM_SECONDS = 20;
const SETTLING_MS = 250;

export async function race(
  receiver: Receiver,
  { seconds, rounds, names }: { seconds: number; rounds: number; names: (keyof typeof RIVALS)[] },
): Promise<Race> {
  const results: Race = new Map();
  const redis = names.includes('bullmq') ? await startRedis() : undefined;
  const contestants: Contestant[] = [await startSluice(receiver.url)];
  for (const name of names)
    contestants.push(await startRival(name, receiver.url, name === 'bullmq' ? redis : undefined));
  try {
    for (const each of contestants) await run(receiver, each, WARM_SECONDS);
    for (let round = 0; round < rounds; round++) {
      for (const each of contestants) {
        const result = await run(receiver, each, seconds);
        results.set(each.name, [...(results.get(each.name) ?? []), result]);
        process.stderr.write(`${each.name}: ${result.perSecond.toFixed(0)}/s, ${result.cpuMs.toFixed(3)} ms CPU\n`);
      }
    }
  } finally {
    for (const each of contestants) await each.stop();
    await redis?.stop();
  }
  return results;
}

/** Sends events to a contestant for some seconds. */
export async function run(receiver: Receiver, contestant: Contestant, seconds: number): Promise<Result> {
  const [before, cpuBefore] = [await contestant.recorded(), contestant.cpuMs()];
  const traffic = await send(receiver, contestant.target, { seconds });
  // Contestants may record a little later than they send. CPU is read before the query for the records.
  await new Promise((ok) => setTimeout(ok, SETTLING_MS));
  const cpuMs = contestant.cpuMs() - cpuBefore;
  const lost = await missing(contestant, before, traffic);
  return {
    name: contestant.name,
    perSecond: traffic.acknowledged / traffic.seconds,
    acknowledged: traffic.acknowledged,
    cpuMs: cpuMs / traffic.acknowledged,
    lost,
    arrival: [quantile(traffic.arrivalMs, 0.5), quantile(traffic.arrivalMs, 0.99)],
  };
}

/** Counts events that were acknowledged, but not recorded as delivered within 5 seconds. */
async function missing(contestant: Contestant, before: number, { acknowledged }: Traffic): Promise<number> {
  let left = acknowledged;
  for (let i = 0; i < 100 && left > 0; i++) {
    left = before + acknowledged - (await contestant.recorded());
    if (left > 0) await new Promise((ok) => setTimeout(ok, 50));
  }
  return left;
}

export type Latency = { perSecond: number; ack: [p50: number, p99: number]; arrival: [p50: number, p99: number] };

/** Measures p50 and p99 of acknowledgement and arrival at this rate. */
export async function latency(receiver: Receiver, perSecond: number, seconds: number): Promise<Latency> {
  const sluice = await startSluice(receiver.url);
  try {
    await send(receiver, sluice.target, { seconds: 2, perSecond });
    const { ackMs, arrivalMs } = await send(receiver, sluice.target, { seconds, perSecond });
    return {
      perSecond,
      ack: [quantile(ackMs, 0.5), quantile(ackMs, 0.99)],
      arrival: [quantile(arrivalMs, 0.5), quantile(arrivalMs, 0.99)],
    };
  } finally {
    await sluice.stop();
  }
}

export const isRival = (name: string): name is Rival => name in RIVALS;
