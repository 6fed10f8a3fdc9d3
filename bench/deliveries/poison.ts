/**
 * A destination that rejects a part of its events with 422, in long runs, and accepts the others: the latency of all
 * first attempts with and without such events, in turn in several rounds of one service.
 */
import { median } from '../measure.ts';
import { quantile } from '../quantile.ts';
import { startSluice } from './contestant.ts';
import { send, startReceiver } from './load.ts';

export type Poison = {
  perSecond: number;
  /** Without and with rejected events: p99 to the receiver in ms, the median of the rounds. */
  p99Ms: [without: number, withPoison: number];
  /** Median of the ratios within each round. */
  ratio: number;
  /** Attempts that were rejected, retries included. */
  rejected: number;
};

/** Of each thousand events, the first `RUN` are rejected. */
const RUN = 200;
const POISON_PER_SECOND = 300;

/** Measures `rounds` rounds of `seconds` each. Throws if an acknowledged event does not arrive. */
export async function poison(seconds: number, rounds: number): Promise<Poison> {
  let isPoisoned = false;
  let rejected = 0;
  const receiver = await startReceiver((seq) => {
    if (!isPoisoned || seq % 1000 >= RUN) return 200;
    rejected++;
    return 422;
  });
  const sluice = await startSluice(receiver.url);
  try {
    await send(receiver, sluice.target, { seconds: 2, perSecond: POISON_PER_SECOND });
    const p99s: [number, number][] = [];
    for (let round = 0; round < rounds; round++) {
      const measured: number[] = [];
      for (isPoisoned of [false, true]) {
        const { arrivalMs } = await send(receiver, sluice.target, { seconds, perSecond: POISON_PER_SECOND });
        measured.push(quantile(arrivalMs, 0.99));
      }
      p99s.push([measured[0] ?? 0, measured[1] ?? 0]);
    }
    return {
      perSecond: POISON_PER_SECOND,
      p99Ms: [median(p99s.map(([without]) => without)), median(p99s.map(([, withPoison]) => withPoison))],
      ratio: median(p99s.map(([without, withPoison]) => withPoison / without)),
      rejected,
    };
  } finally {
    await sluice.stop();
    receiver.close();
  }
}
