/**
 * `npm test`: everything that must hold, in one command: lockfile, types, lint, unused code, build and its budgets,
 * unit, API (on the embedded PostgreSQL and on Debian's 15 where it can be had), components in the browser, journeys
 * against the real service. Ends with one line that counts the tests.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { SAME_ON_EVERY_SERVER } from '../server/test/same-on-every-server.ts';
import { startPostgres15 } from './postgres-15.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = join(ROOT, 'node_modules/.cache/reports');
const bin = (path: string) => join(ROOT, 'node_modules', path);
const total = { passed: 0, failed: 0 };

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

// Journeys have the machine for themselves: beside other tests they save two minutes of twenty, and wait in vain for a
// page that gets no processor.
const checked = checkAll();
await vitest('unit, API and component tests', [], {});
const second = await startPostgres15();
if (second) {
  const args = ['--project', 'api', ...SAME_ON_EVERY_SERVER.flatMap((path) => ['--exclude', path])];
  await vitest('API tests on PostgreSQL 15', args, { TEST_DATABASE_URL: second.url });
  await second.stop();
} else {
  console.log('\nPostgreSQL 15 is not here and could not be installed: the API tests ran on the embedded server only.');
}
await checked;
await playwright();

console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Checks that are no tests, one by one in parallel with the first tests; each prints its output at the end. */
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

type RunOptions = { env?: Record<string, string>; atItsEnd?: boolean };

/** `atItsEnd`: nothing is printed before it is over, so that its lines don't mix with those of a parallel run. */
async function run(title: string, args: string[], { env = {}, atItsEnd = false }: RunOptions): Promise<boolean> {
  const startedAt = performance.now();
  if (!atItsEnd) console.log(`\n── ${title}`);
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', ...(atItsEnd ? (['pipe', 'pipe'] as const) : (['inherit', 'inherit'] as const))],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  const ended = new Promise<boolean>((ok) => {
    child.once('error', (error) => {
      console.error(error);
      ok(false);
    });
    child.once('close', (code) => ok(code === 0));
  });
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => (stream ? buffer(stream) : '')));
  const good = await ended;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const all = atItsEnd ? `\n── ${title}\n${said.join('')}` : '';
  console.log(`${all}── ${title}: ${good ? 'good' : 'FAILED'} after ${seconds} s`);
  return good;
}

/** A step without tests counts as one. */
async function check(title: string, args: string[]): Promise<void> {
  if (await run(title, args, { atItsEnd: true })) total.passed++;
  else total.failed++;
}

async function vitest(title: string, args: string[], env: Record<string, string>): Promise<void> {
  const report = join(REPORTS, `${title.replaceAll(/\W+/g, '-')}.json`);
  const good = await run(
    title,
    [bin('vitest/vitest.mjs'), 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    { env },
  );
  const counts = read<{ numPassedTests: number; numFailedTests: number }>(report);
  add(good, counts?.numPassedTests ?? 0, counts?.numFailedTests ?? 0);
}

async function playwright(): Promise<void> {
  const report = join(REPORTS, 'journeys.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const good = await run('journeys', [bin('@playwright/test/cli.js'), 'test'], { env });
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
