/**
 * `npm test`: runs all checks and tests: lockfile, types, lint, unused code, build and its budgets, unit tests, API
 * tests (on the embedded PostgreSQL and, if available, on Debian's 15), component tests in the browser, journeys
 * against the real service. The output ends with the failed tests and a line that counts all.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SECOND_ROUND } from '../server/test/second-round.ts';
import { failedInPlaywright, failedInVitest, type PlaywrightReport, type VitestReport } from './failed-tests.ts';
import { startPostgres15 } from './postgres-15.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'node_modules/.cache/reports');
const bin = (path: string) => join(ROOT, 'node_modules', path);
const total = { passed: 0, failed: 0 };
const failed: string[] = [];

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

// Journeys run alone. In parallel with other tests they would save two minutes of twenty, but time out on pages that
// get no CPU.
const checked = checkAll();
await vitest('unit, API and component tests', [], {});
const second = await startPostgres15();
if (second) {
  const args = ['--project', 'api', ...SECOND_ROUND];
  await vitest('API tests on PostgreSQL 15', args, { TEST_DATABASE_URL: second.url });
  await second.stop();
} else {
  console.log('\nPostgreSQL 15 could not be found or installed: the API tests ran on the embedded server only.');
}
await checked;
await playwright();

if (failed.length > 0) console.log(`\n── failed\n${failed.join('\n')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Runs the checks one by one, in parallel with the first tests. Each prints its output when it has finished. */
async function checkAll(): Promise<void> {
  await check('lockfile', ['scripts/lockfile.ts']);
  await check('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']);
  await check('types', [bin('typescript/bin/tsc'), '-b']);
  await check('unused', [bin('knip/bin/knip.js')]);
  await check('build', [
    '--input-type=module',
    '-e',
    "import('./scripts/build-if-changed.ts').then((m) => m.buildIfChanged())",
  ]);
}

type RunOptions = { env?: Record<string, string>; printAtEnd?: boolean };

/** `printAtEnd` buffers the output until the end, so that its lines don't mix with those of a parallel run. */
async function run(title: string, args: string[], { env = {}, printAtEnd = false }: RunOptions): Promise<boolean> {
  const startedAt = performance.now();
  if (!printAtEnd) console.log(`\n── ${title}`);
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', ...(printAtEnd ? (['pipe', 'pipe'] as const) : (['inherit', 'inherit'] as const))],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  const ended = new Promise<boolean>((ok) => {
    child.once('error', (error) => {
      console.error(error);
      ok(false);
    });
    child.once('close', (code) => ok(code === 0));
  });
  const output = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? buffer(stream) : '')));
  const succeeded = await ended;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const all = printAtEnd ? `\n── ${title}\n${output.join('')}` : '';
  console.log(`${all}── ${title}: ${succeeded ? 'succeeded' : 'FAILED'} after ${seconds} s`);
  return succeeded;
}

/** Runs a check, which counts as one test. */
async function check(title: string, args: string[]): Promise<void> {
  if (await run(title, args, { printAtEnd: true })) {
    total.passed++;
    return;
  }
  total.failed++;
  failed.push(`✘ ${title}`);
}

async function vitest(title: string, args: string[], env: Record<string, string>): Promise<void> {
  const report = join(REPORTS, `${title.replaceAll(/\W+/g, '-')}.json`);
  const succeeded = await run(
    title,
    [bin('vitest/vitest.mjs'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env },
  );
  const counts = read<VitestReport>(report);
  if (counts) failed.push(...failedInVitest(counts, ROOT));
  addCounts(succeeded, counts?.numPassedTests ?? 0, counts?.numFailedTests ?? 0);
}

async function playwright(): Promise<void> {
  const report = join(REPORTS, 'journeys.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const succeeded = await run('journeys', [bin('@playwright/test/cli.js'), 'test'], { env });
  const journeys = read<PlaywrightReport>(report);
  if (journeys) failed.push(...failedInPlaywright(journeys));
  const counts = journeys?.stats;
  addCounts(succeeded, counts?.expected ?? 0, (counts?.unexpected ?? 0) + (counts?.flaky ?? 0));
}

/** Counts a runner that failed without a failed test (it didn't start, a hook failed) as one failure. */
function addCounts(succeeded: boolean, passed: number, failed: number): void {
  total.passed += passed;
  total.failed += succeeded ? failed : Math.max(failed, 1);
}

function read<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}
