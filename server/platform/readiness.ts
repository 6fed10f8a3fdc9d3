/**
 * The report of /readyz. A *check* has a name and resolves with the cause of its failure, or null if it passes. Checks
 * run in parallel, each at most once at a time: a request during a run, or just after it, gets the result of that run.
 * A check that exceeds the time limit fails, so the report is ready within a second in any state of the database.
 * Requests never add connections or statements to a database that hangs.
 */
import { onceAtATime } from '../lib/once-at-a-time.ts';
import { withinTime } from '../lib/time-limit.ts';

/** Resolves with the cause in plain words, without secrets, because the report is public. */
export type ReadinessCheck = () => Promise<string | null>;
export type CheckResult = { ok: true } | { ok: false; cause: string };
export type ReadinessReport = { ok: boolean; checks: Record<string, CheckResult> };

const TIME_LIMIT_MS = 800;
/** The endpoint is public and has no rate limit. */
const REUSE_MS = 250;

/** Returns a function that runs the checks and resolves within about 0.8 s; it never rejects. */
export function createReadiness(checks: Record<string, ReadinessCheck>): () => Promise<ReadinessReport> {
  const runs = Object.entries(checks).map(([name, check]) => [name, onceAtATime(check, REUSE_MS)] as const);
  return async () => {
    const results = await Promise.all(runs.map(async ([name, run]) => [name, await resultOf(name, run)] as const));
    return { ok: results.every(([, { ok }]) => ok), checks: Object.fromEntries(results) };
  };
}

async function resultOf(name: string, run: ReadinessCheck): Promise<CheckResult> {
  const late = () => new Error(`The ${name} check got no response within ${TIME_LIMIT_MS / 1000} s.`);
  try {
    const cause = await withinTime(run(), TIME_LIMIT_MS, late);
    return cause === null ? { ok: true } : { ok: false, cause };
  } catch (error) {
    return { ok: false, cause: error instanceof Error ? error.message : String(error) };
  }
}
