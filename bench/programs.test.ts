/** Benchmarks on a machine without the programs they are compared with. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs a benchmark with an empty PATH. */
function run(
  name: string,
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = join(import.meta.dirname, `${name}.ts`);
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { PATH: '', ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

it.for([
  ['gateway', 'This benchmark needs curl, nginx, taskset, and wrk: install curl nginx util-linux wrk'],
  ['fidelity', 'This benchmark needs nginx: install nginx'],
  ['delivery', 'This benchmark needs redis-server: install redis-server'],
  ['functions', 'This benchmark needs wrk: install wrk'],
  ['processes', 'This benchmark needs nginx and wrk: install nginx wrk'],
  ['search', 'This benchmark needs npm: install npm'],
] as const)('bench:%s prints one line that names what to install', async ([name, line]) => {
  const { code, stdout, stderr } = await run(name, { XDG_CACHE_HOME: join(import.meta.dirname, 'none') });
  expect(stderr).toMatch(/^[^\n]*\n$/);
  expect(stderr).toContain(line);
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

it('bench:delivery measures a replay at scale, here a small one', async () => {
  const { code, stdout, stderr } = await run('delivery', { BENCH_PARTS: 'replay-scale', BENCH_REPLAYED: '600' });
  expect(stderr).toBe('');
  for (const target of ['missing, at most 0', 'miscounted, at most 0'])
    expect(stdout).toContain(`| replay of 600 events, ${target} | 0.00 | holds |`);
  expect(code).toBe(0);
}, 120_000);
