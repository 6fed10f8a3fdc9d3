import { expect, it } from 'vitest';
import { DURATION_EDGES, durationOf } from './durations.ts';

/** The class, as the database computes it. */
const classOf = (ms: number) => DURATION_EDGES.filter((edge) => edge <= ms).length;

it('each millisecond up to 40 is a separate class', () => {
  for (let ms = 0; ms <= 40; ms++) expect(durationOf(classOf(ms))).toBe(ms);
});

it('the representative of a class is off by at most 2.5 %, up to an hour', () => {
  for (let ms = 41; ms < 3_600_000; ms += Math.ceil(ms / 500)) {
    const estimate = durationOf(classOf(ms));
    expect(Math.abs(estimate - ms) / ms, `${ms} ms`).toBeLessThanOrEqual(0.025);
  }
});
