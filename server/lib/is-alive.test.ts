import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isAlive } from './is-alive.ts';

it('distinguishes running processes from ended ones', async () => {
  const child = spawn('/bin/sleep', ['60']);
  await once(child, 'spawn');
  expect([process.pid, child.pid ?? 0].map(isAlive)).toEqual([true, true]);
  child.kill();
  await once(child, 'exit');
  expect(isAlive(child.pid ?? 0)).toBe(false);
});

// A zombie can be distinguished from a running process only there.
it.runIf(existsSync('/proc/self/stat'))('takes one that its parent has not collected for ended', async () => {
  const parent = spawn('/bin/sh', ['-c', '/bin/sleep 0.01 & echo $!; exec /bin/sleep 60']);
  const [pid] = await once(parent.stdout, 'data');
  await expect.poll(() => isAlive(Number(pid))).toBe(false);
  expect(existsSync(`/proc/${Number(pid)}/stat`)).toBe(true);
  expect(isAlive(parent.pid ?? 0)).toBe(true);
  parent.kill();
});
