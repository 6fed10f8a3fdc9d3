/**
 * Resolves problems whose cause is gone: without a failure for a while (`quietMs`), and with a success of a resource
 * that failed. A problem whose resources were all deleted is resolved, too.
 */
import { FAILING_PART } from '../../contract/problems/failing-part.ts';
import type { Tx } from '../platform/database/schema.ts';
import type { ProblemsTable } from '../platform/database/tables/problem-tables.ts';
import * as store from './store/ends.ts';
import { quietMs } from './transition.ts';

const AT_ONCE = 100;

/** Checks problems that are due; returns the resolved ones. Others are checked again later. */
export async function resolveDue(
  tx: Tx,
  quietMinMs: number,
): Promise<Pick<ProblemsTable, 'account_id' | 'problem_id'>[]> {
  const due = await store.lockDue(tx, AT_ONCE);
  const resolved: ProblemsTable[] = [];
  for (const problem of due) {
    const end = await endOf(tx, problem);
    if (end) {
      await store.resolve(tx, problem, end);
      resolved.push(problem);
    } else await store.checkIn(tx, problem, quietMs(problem, quietMinMs));
  }
  return resolved;
}

async function endOf(tx: Tx, problem: ProblemsTable): Promise<'SUCCESSES' | 'DELETED' | null> {
  const kind = FAILING_PART[problem.kind];
  // Its receipt says whether everything has arrived (replays/receipts.ts).
  if (await store.isReplayed(tx, problem)) return null;
  const parts = await store.newestParts(tx, problem, kind);
  const existing = await store.existing(tx, problem.account_id, kind, parts);
  if (existing.length === 0) return 'DELETED';
  return (await store.hasSucceeded(tx, problem, kind, existing)) ? 'SUCCESSES' : null;
}
