import { type Calm, type Finding, idOf, type Notice, type Observe, resourceOf } from '../condition.ts';
import * as store from '../store/problems.ts';
import { plural, shortened } from '../wording.ts';

/** A problem was opened, is open again, or is resolved. One that is ignored, or was deleted, closes without an event. */
export const observeProblems: Observe = async ({ tx, account_id, open, limit, watching_since }) => {
  const ids = open.map(idOf);
  const known = new Map((await store.withIds(tx, account_id, ids)).map((each) => [each.problem_id, each]));
  const fresh = await store.opened(tx, account_id, { besides: ids, since: watching_since, limit });
  const calm = open.flatMap((row): Calm[] => {
    const state = known.get(idOf(row));
    if (state?.state === 'OPEN' || state?.state === 'ACKNOWLEDGED') return [];
    const notice = state?.state === 'RESOLVED' ? resolved(state, resourceOf(row)) : null;
    return [{ key: row.key, atOnce: true, notice }];
  });
  const holding = [...known.values()].filter(({ state }) => state === 'OPEN' || state === 'ACKNOWLEDGED');
  return { findings: [...holding, ...fresh].map(found), calm };
};

function found(problem: store.ProblemState): Finding {
  const { problem_id, title, opened_at, regressions, failures, signature, last_version } = problem;
  const isAgain = regressions > 0;
  return {
    key: `problem:${problem_id}`,
    since: opened_at,
    state: 'opened',
    notice: {
      type: isAgain ? 'problem.regressed' : 'problem.opened',
      severity: 'error',
      title,
      text: isAgain
        ? `It was resolved, and fails again. ${plural(failures, 'failure')} in all.`
        : `${plural(failures, 'failure')} with this cause so far.`,
      path: `/problems/${problem_id}`,
      resource: { kind: 'problem', id: problem_id, name: title },
      count: failures,
      last_error: shortened(signature),
      details: { regressions, version: last_version },
    },
  };
}

const BECAUSE: Record<string, string> = {
  PERSON: 'It was marked as resolved.',
  SUCCESSES: 'What failed succeeds again.',
  REPLAYED: 'A replay delivered everything that it affects.',
  DELETED: 'What failed was deleted.',
};

const resolved = (
  { problem_id, title, failures, resolved_as }: store.ProblemState,
  resource: Notice['resource'],
): Notice => ({
  type: 'problem.resolved',
  severity: 'info',
  title: `Resolved: ${title}`,
  text: `${BECAUSE[resolved_as ?? ''] ?? ''} ${plural(failures, 'failure')} in all.`.trim(),
  path: `/problems/${problem_id}`,
  resource,
  count: failures,
  details: { resolved_as },
});
