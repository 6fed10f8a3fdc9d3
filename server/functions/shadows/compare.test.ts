import { describe, expect, it } from 'vitest';
import type { Figures, MatrixRow } from '../store/shadows.ts';
import { judge } from './compare.ts';

const FIGURES: Figures = {
  same_response: 0,
  different_response: 0,
  varying_response: 0,
  same_log: 0,
  different_log: 0,
  varying_log: 0,
  before_p50: 5,
  before_p95: 20,
  after_p50: 5,
  after_p95: 20,
  timeouts: 0,
};
const BUDGET = { no_new_failures: true, no_changed_responses: false, no_new_hosts: false, max_slower_percent: null };
const row = (before: MatrixRow['before'], after: MatrixRow['after'], count = 1, stored = before): MatrixRow => ({
  before,
  after,
  stored,
  count,
});

function judged(matrix: MatrixRow[], budget: object = {}, figures: Partial<Figures> = {}) {
  const { verdict, findings } = judge({
    status: 'COMPLETED',
    versions: { version: 4, live_version: 3 },
    budget: { ...BUDGET, ...budget },
    results: { matrix, figures: { ...FIGURES, ...figures }, hosts: [] },
  });
  return [verdict, ...findings.map(({ code }) => code)];
}

describe('the verdict', () => {
  it.each([
    [[row('SUCCESS', 'SUCCESS', 9)], ['PASSED']],
    [[row('FAILURE', 'FAILURE'), row('FAILURE', 'SUCCESS')], ['PASSED']],
    [
      [row('SUCCESS', 'SUCCESS', 9), row('SUCCESS', 'FAILURE')],
      ['FAILED', 'NEW_FAILURES'],
    ],
    [[row('SUCCESS', 'BLOCKED')], ['FAILED', 'NEW_FAILURES']],
    // It was a success then, and fails before any call now.
    [[row('BLOCKED', 'FAILURE', 1, 'SUCCESS')], ['FAILED', 'NEW_FAILURES']],
    [[row('BLOCKED', 'FAILURE', 1, 'FAILURE')], ['PASSED']],
    [[row('BLOCKED', 'BLOCKED', 3, 'SUCCESS')], ['UNDECIDED', 'ALL_BLOCKED']],
    [
      [row('BLOCKED', 'BLOCKED'), row('SUCCESS', 'SUCCESS')],
      ['PASSED', 'SOME_BLOCKED'],
    ],
    [[], ['UNDECIDED', 'NOT_COMPLETE']],
  ])('%j', (matrix, expected) => expect(judged(matrix)).toEqual(expected));

  it('depends on the duration from 20 requests on', () => {
    const budget = { max_slower_percent: 50 };
    const slow = { after_p95: 31 };
    expect(judged([row('SUCCESS', 'SUCCESS', 20)], budget, slow)).toEqual(['FAILED', 'SLOWER']);
    expect(judged([row('SUCCESS', 'SUCCESS', 19)], budget, slow)).toEqual(['PASSED']);
    expect(judged([row('SUCCESS', 'SUCCESS', 20)], budget, { after_p95: 30 })).toEqual(['PASSED']);
    // Within 10 ms.
    expect(judged([row('SUCCESS', 'SUCCESS', 20)], budget, { before_p95: 2, after_p95: 11 })).toEqual(['PASSED']);
  });
});
