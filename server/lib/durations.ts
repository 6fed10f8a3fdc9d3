/**
 * Classes of durations, so that measurements of different minutes can be added up: one per millisecond up to 40, then
 * each 5 % wider than the previous one. The error of a percentile computed from classes is at most 2.5 %.
 */

const EXACT_MS = 40;
const LONGEST_MS = 3_600_000;
function edges(): number[] {
  const list: number[] = [];
  for (let edge = 1; (list.at(-1) ?? 0) < LONGEST_MS; edge = edge < EXACT_MS ? edge + 1 : Math.floor(edge * 1.05))
    list.push(edge);
  return list;
}

/** The lower edge of each class except the lowest, which holds durations below 1 ms. */
export const DURATION_EDGES: readonly number[] = edges();

/** The representative duration of a class: its middle. */
export function durationOf(index: number): number {
  const from = DURATION_EDGES[index - 1] ?? 0;
  const next = DURATION_EDGES[index] ?? from + 1;
  return Math.floor((from + next - 1) / 2);
}
