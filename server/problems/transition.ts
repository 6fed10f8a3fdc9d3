/** How new failures change the state of a problem. Pure. */
import type { ProblemsTable } from '../platform/database/tables/problem-tables.ts';

type State = Pick<
  ProblemsTable,
  | 'state'
  | 'state_at'
  | 'state_by'
  | 'state_note'
  | 'ignored_until'
  | 'ignored_above'
  | 'resolved_as'
  | 'opened_at'
  | 'regressed_at'
  | 'regressions'
  | 'failures'
>;
export type Seen = { firstAt: string; lastAt: string; failures: number };

const CLEARED = {
  state: 'OPEN',
  state_by: null,
  state_note: null,
  ignored_until: null,
  ignored_above: null,
  resolved_as: null,
} as const;

/**
 * The state after these failures. A RESOLVED problem that fails after its end is open again, as a regression. An
 * IGNORED one is open again after its time, or above its number of failures.
 */
export function afterFailures(before: State, { firstAt, lastAt, failures }: Seen): State {
  const after = { ...before, failures: before.failures + failures };
  if (before.state === 'RESOLVED' && before.state_at !== null && lastAt > before.state_at) {
    const at = firstAt > before.state_at ? firstAt : lastAt;
    return { ...after, ...CLEARED, state_at: at, opened_at: at, regressed_at: at, regressions: before.regressions + 1 };
  }
  if (before.state === 'IGNORED' && isOver(after, lastAt))
    return { ...after, ...CLEARED, state_at: lastAt, opened_at: lastAt };
  return after;
}

function isOver({ ignored_until, ignored_above, failures }: State, at: string): boolean {
  if (ignored_until !== null && at > ignored_until) return true;
  return ignored_above !== null && failures > ignored_above;
}

const [QUIET_FACTOR, QUIET_MAX_MS] = [10, 24 * 3_600_000];

/** How long a problem has to be without failures before successes resolve it: ten times the mean time between them. */
export function quietMs(
  problem: Pick<ProblemsTable, 'first_seen_at' | 'last_seen_at' | 'failures'>,
  minMs: number,
): number {
  const spanMs = Date.parse(problem.last_seen_at) - Date.parse(problem.first_seen_at);
  return Math.max(minMs, Math.min((QUIET_FACTOR * spanMs) / Math.max(1, problem.failures), QUIET_MAX_MS));
}
