/** Throughput with and without a function that makes each request, in turn in several rounds of two services. */
import { median } from '../measure.ts';
import { startSluice } from './contestant.ts';
import type { Receiver } from './load.ts';
import { type Result, run, WARM_SECONDS } from './race.ts';

export type TransformedPace = {
  plain: Result[];
  transformed: Result[];
  /** Median of the ratios of events/s within each round. */
  ratio: number;
};

/** Measures `rounds` rounds of `seconds` each. */
export async function transformed(
  receiver: Receiver,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<TransformedPace> {
  const contestants = [await startSluice(receiver.url), await startSluice(receiver.url, {}, true)];
  const results: Result[][] = contestants.map(() => []);
  try {
    for (const each of contestants) await run(receiver, each, WARM_SECONDS);
    for (let round = 0; round < rounds; round++) {
      for (const [index, each] of contestants.entries()) results[index]?.push(await run(receiver, each, seconds));
    }
  } finally {
    for (const each of contestants) await each.stop();
  }
  const [plain = [], made = []] = results;
  const ratio = median(made.map(({ perSecond }, round) => perSecond / (plain[round]?.perSecond ?? Number.NaN)));
  return { plain, transformed: made, ratio };
}
