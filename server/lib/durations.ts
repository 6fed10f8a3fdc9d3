/**
 * Durations in classes, so that what was measured in different minutes can be added up: each millisecond up to 40, then
 * each class 5 % wider than the one before. A percentile computed from classes is off by 2.5 % at the most.
 */

const EXACT_MS = 40;
const LONGEST_MS = 3_600_000;
function edges(): number[] {
  const list: number[] = [];
  for (let edge = 1; (list.at(-1) ?? 0) < LONGEST_MS; edge = edge < EXACT_MS ? edge + 1 : Math.floor(edge * 1.05))
    list.push(edge);
  return list;
}

/** The first duration of each class but the lowest, which holds what took no whole millisecond. */
export const DURATION_EDGES: readonly number[] = edges();

/** What stands for a class: the middle of it. */
export function durationOf(index: number): number {
  const from = DURATION_EDGES[index - 1] ?? 0;
  const next = DURATION_EDGES[index] ?? from + 1;
  return Math.floor((from + next - 1) / 2);
}
