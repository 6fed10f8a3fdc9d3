/** Compares what two versions did with a request, and judges a shadow by its budget. */
import type { Reply } from '../../../contract/operations.ts';
import type { ShadowEquality, ShadowOutcome, ShadowStatus, ShadowVerdict } from '../../../contract/states.ts';
import type { ShadowRequestsTable } from '../../platform/database/tables/function-tables.ts';
import type { Figures, HostRow, MatrixRow, Result } from '../store/shadows.ts';
import type { Tried } from './try-request.ts';

type Shadow = Reply<'shadowGet'>['shadow'];
export type Budget = Shadow['budget'];
export type Finding = Shadow['findings'][number];

/** Headers that differ between two runs of the same code. */
const VOLATILE = new Set(['date', 'content-length', 'server-timing', 'traceparent', 'x-request-id', 'age', 'expires']);

/** Everything that matters of a response, as text. */
const responseOf = ({ response_status, headers, body_sha256, error }: Tried): string =>
  JSON.stringify([
    response_status,
    Object.entries(headers)
      .filter(([name]) => !VOLATILE.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    body_sha256,
    error && [error.name, error.message],
  ]);

export const isSame = (a: Tried, b: Tried): boolean => responseOf(a) === responseOf(b) && a.log_sha256 === b.log_sha256;

/** `again`: a second run of the live version, if the first one differed from that of the new version. */
export function compare(before: Tried, after: Tried, again: Tried | undefined): Result {
  const equality = (of: (tried: Tried) => string): ShadowEquality =>
    of(before) === of(after) ? 'SAME' : again && of(again) !== of(before) ? 'VARIES' : 'DIFFERENT';
  const response = equality(responseOf);
  const log = equality(({ log_sha256 }) => log_sha256);
  const hasNewHost = after.hosts.some((host) => !before.hosts.includes(host));
  return {
    before_outcome: before.outcome,
    after_outcome: after.outcome,
    before_ms: before.duration_ms,
    after_ms: after.duration_ms,
    before_hosts: JSON.stringify(before.hosts),
    after_hosts: JSON.stringify(after.hosts),
    response,
    log,
    differs: before.outcome !== after.outcome || response === 'DIFFERENT' || log === 'DIFFERENT' || hasNewHost,
    before_result: JSON.stringify(before),
    after_result: JSON.stringify(after),
  };
}

/**
 * Whether a success turned into a failure. A request that ended at a blocked call with the live version counts as a
 * success if it was one when it was stored, as the new version failed before any call.
 */
function isNewFailure({ before, after, stored }: Pick<MatrixRow, 'before' | 'after' | 'stored'>): boolean {
  if (before === 'SUCCESS') return after !== 'SUCCESS';
  return before === 'BLOCKED' && after === 'FAILURE' && stored === 'SUCCESS';
}

/** Differences below this are within what two runs of the same code differ. */
const NOTICEABLE_MS = 10;
/** With fewer requests, the p95 is a single slow run. */
const MEASURED_MIN = 20;

const requests = (count: number) => (count === 1 ? '1 request' : `${count} requests`);

type Judged = {
  status: ShadowStatus;
  versions: { version: number; live_version: number };
  budget: Budget;
  results: { matrix: MatrixRow[]; figures: Figures; hosts: HostRow[] };
};

/** The verdict, and what it is based on. */
export function judge({ status, versions, budget, results }: Judged): { verdict: ShadowVerdict; findings: Finding[] } {
  const { matrix, figures, hosts } = results;
  const { version, live_version } = versions;
  const findings: Finding[] = [];
  const sum = (meant: (row: MatrixRow) => boolean) =>
    matrix.reduce((count, row) => (meant(row) ? count + row.count : count), 0);
  const failures = sum(isNewFailure);
  if (budget.no_new_failures && failures > 0)
    findings.push({
      code: 'NEW_FAILURES',
      message: `${requests(failures)} succeeded with version ${live_version} and failed with version ${version}.`,
    });
  if (budget.no_changed_responses && figures.different_response > 0)
    findings.push({
      code: 'CHANGED_RESPONSES',
      message: `${requests(figures.different_response)} got another response from version ${version}.`,
    });
  const added = hosts.filter(({ before, after }) => before === 0 && after > 0).map(({ host }) => host);
  if (budget.no_new_hosts && added.length > 0)
    findings.push({ code: 'NEW_HOSTS', message: `Version ${version} also calls ${listed(added)}.` });
  const done = sum(() => true);
  const slower = done < MEASURED_MIN ? undefined : slowerBy(figures, budget.max_slower_percent);
  if (slower) findings.push({ code: 'SLOWER', message: slower });
  const failed = findings.length > 0;
  const blocked = sum(({ before, after }) => before === 'BLOCKED' && after === 'BLOCKED');
  if (done > 0 && blocked === done)
    findings.push({
      code: 'ALL_BLOCKED',
      message: 'Every request failed at a blocked call with both versions: what follows the call was not tried.',
    });
  else if (blocked > 0)
    findings.push({
      code: 'SOME_BLOCKED',
      message: `${requests(blocked)} failed at a blocked call with both versions: what follows the call was not tried.`,
    });
  const isComplete = status === 'COMPLETED' && done > 0;
  if (!isComplete)
    findings.push({
      code: 'NOT_COMPLETE',
      message: done === 0 ? 'No request was tried.' : `Only ${requests(done)} were tried before the shadow stopped.`,
    });
  return { verdict: failed ? 'FAILED' : !isComplete || blocked === done ? 'UNDECIDED' : 'PASSED', findings };
}

const SHOWN_HOSTS = 5;
const listed = (hosts: string[]): string =>
  hosts.length > SHOWN_HOSTS
    ? `${hosts.slice(0, SHOWN_HOSTS).join(', ')} and ${hosts.length - SHOWN_HOSTS} more`
    : hosts.join(', ');

function slowerBy({ before_p95, after_p95 }: Figures, percent: number | null): string | undefined {
  if (percent === null || before_p95 === null || after_p95 === null) return undefined;
  if (after_p95 <= before_p95 * (1 + percent / 100) || after_p95 - before_p95 < NOTICEABLE_MS) return undefined;
  return `The p95 duration rose from ${before_p95.toFixed(1)} to ${after_p95.toFixed(1)} ms, which is more than ${percent} %.`;
}

/** The matrix without the stored outcomes. */
export function foldMatrix(matrix: MatrixRow[]): { before: ShadowOutcome; after: ShadowOutcome; count: number }[] {
  const cells = new Map<string, { before: ShadowOutcome; after: ShadowOutcome; count: number }>();
  for (const { before, after, count } of matrix) {
    const cell = cells.get(`${before} ${after}`) ?? { before, after, count: 0 };
    cell.count += count;
    cells.set(`${before} ${after}`, cell);
  }
  return [...cells.values()];
}

/** A stored result, from its JSON text. */
export const readResult = (text: ShadowRequestsTable['before_result']): Tried | null =>
  text === null ? null : (JSON.parse(text) as Tried);
