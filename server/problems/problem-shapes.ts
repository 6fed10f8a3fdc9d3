/** Problems and failures in the shape of the API. */
import type { Reply } from '../../contract/operations.ts';
import type { ProblemFailuresTable } from '../platform/database/tables/problem-tables.ts';
import type { ProblemRow } from './store/problems.ts';

type Problem = Reply<'problemList'>['problems'][number];
export type ProblemFailure = Reply<'problemFailureList'>['failures'][number];

const HOUR_MS = 3_600_000;
const HOURS = 24;

export function describe(row: ProblemRow, nowMs = Date.now()): Problem {
  const { affected, hours } = row;
  const last = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  return {
    problem_id: row.problem_id,
    title: row.title,
    kind: row.kind,
    state: row.state,
    message: row.signature,
    code: row.code,
    status: row.status,
    app: row.app,
    is_coalesced: row.is_base,
    first_seen_at: row.first_seen_at,
    last_seen_at: row.last_seen_at,
    opened_at: row.opened_at,
    failures: row.failures,
    counts: JSON.parse(row.counts) as Problem['counts'],
    affected: {
      triggers: affected?.TRIGGER ?? 0,
      destinations: affected?.DESTINATION ?? 0,
      functions: affected?.FUNCTION ?? 0,
      connections: affected?.CONNECTION ?? 0,
      end_users: row.end_users,
    },
    trend: Array.from({ length: HOURS }, (_, at) => hours?.[last - (HOURS - 1 - at) * HOUR_MS] ?? 0),
    state_change: row.state_at === null ? null : { at: row.state_at, by: row.state_by, note: row.state_note },
    ignored: row.state === 'IGNORED' ? { until: row.ignored_until, above_failures: row.ignored_above } : null,
    resolved_as: row.resolved_as,
    regressions: row.regressions,
    regressed_at: row.regressed_at,
    preceded_by: row.preceded_by === null ? null : (JSON.parse(row.preceded_by) as Problem['preceded_by']),
    first_version: row.first_version,
    last_version: row.last_version,
  };
}

export function describeFailure(row: ProblemFailuresTable): ProblemFailure {
  const { account_id: _, problem_id: __, at, ...rest } = row;
  return { ...rest, first_at: at };
}
