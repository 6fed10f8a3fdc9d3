/**
 * `npm test`: everything that must hold, in one command: lockfile, types, lint, unused code, build and its budgets, unit,
 * API (on the embedded PostgreSQL and on Debian's 15 where it can be had), components in the browser, journeys against
 * the real service. Ends with one line that counts the tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres15 } from './postgres-15.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'node_modules/.cache/reports');
const bin = (path: string) => join(ROOT, 'node_modules', path);
const total = { passed: 0, failed: 0 };

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

check('lockfile', ['scripts/lockfile.ts']);
check('lint', [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']);
check('types', [bin('typescript/bin/tsc'), '-b']);
check('unused', [bin('knip/bin/knip.js')]);
check('build', [
  '--input-type=module',
  '-e',
  "import('./scripts/build-if-changed.ts').then((m) => m.buildIfChanged())",
]);
vitest('unit, API and component tests', [], {});
const second = await startPostgres15();
if (second) {
  // These two bring their own database along.
  const ownDatabase = ['server/test/process.test.ts', 'server/test/faults/kills.test.ts'];
  vitest('API tests on PostgreSQL 15', ['--project', 'api', ...ownDatabase.flatMap((path) => ['--exclude', path])], {
    TEST_DATABASE_URL: second.url,
  });
  await second.stop();
} else {
  console.log('\nPostgreSQL 15 is not here and could not be installed: the API tests ran on the embedded server only.');
}
playwright();

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function run(title: string, args: string[], env: Record<string, string> = {}): boolean {
  const startedAt = performance.now();
  console.log(`\n── ${title}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  console.log(
    `── ${title}: ${status === 0 ? 'good' : 'FAILED'} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
  return status === 0;
}

/** A step without tests of its own counts as one. */
function check(title: string, args: string[]): void {
  if (run(title, args)) total.passed++;
  else total.failed++;
}

function vitest(title: string, args: string[], env: Record<string, string>): void {
  const report = join(REPORTS, `${title.replaceAll(/\W+/g, '-')}.json`);
  const good = run(
    title,
    [bin('vitest/vitest.mjs'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    env,
  );
  const counts = read<{ numPassedTests: number; numFailedTests: number }>(report);
  add(good, counts?.numPassedTests ?? 0, counts?.numFailedTests ?? 0);
}

function playwright(): void {
  const report = join(REPORTS, 'journeys.json');
  const good = run('journeys', [bin('@playwright/test/cli.js'), 'test'], { PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const counts = read<{ stats: { expected: number; unexpected: number; flaky: number } }>(report)?.stats;
  add(good, counts?.expected ?? 0, (counts?.unexpected ?? 0) + (counts?.flaky ?? 0));
}

/** A runner that failed without a failed test (it didn't start, a hook broke) is a failure all the same. */
function add(good: boolean, passed: number, failed: number): void {
  total.passed += passed;
  total.failed += good ? failed : Math.max(failed, 1);
}

function read<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined;
}
