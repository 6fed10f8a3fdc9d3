/**
 * `npm run bench:problems`: a generated history of failures with known causes, grouped by fingerprint. Prints purity (the
 * share of failures in a group whose most frequent cause is theirs), groups, and the time for each failure.
 */
import { causeOf } from '../server/problems/cause/fingerprint.ts';
import { madeHistory, purityOf } from '../server/problems/test/failure-history.ts';

const FAILURES = 100_000;

const history = madeHistory(FAILURES);
const startedMs = performance.now();
const { purity, groups, causes } = purityOf(history, ({ evidence }) => causeOf(evidence).fingerprint);
const microseconds = ((performance.now() - startedMs) * 1000) / FAILURES;
console.log(
  `${FAILURES} failures of ${causes} causes: ${groups} groups, purity ${(purity * 100).toFixed(2)} %, ` +
    `${microseconds.toFixed(1)} µs for each`,
);
