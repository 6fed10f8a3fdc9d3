import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../lib/is-alive.ts';

export type PostmasterFile = { pid: number; status: string };

/** The status file of a running postmaster; undefined if it cannot be read. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Every live PostgreSQL process of this cluster. Their working directory is the cluster's folder, which excludes an
 * unrelated process with a reused id, and their name is postgres, which excludes a shell that was left there. Without
 * /proc (macOS) their titles identify them.
 */
export function clusterProcesses(cluster: string): number[] {
  if (process.platform !== 'linux') return titledProcesses(cluster);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isInFolder(name, cluster))
    .map(Number)
    .filter(isAlive);
}

function isInFolder(pid: string, cluster: string): boolean {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    if (folder !== cluster && folder !== `${cluster} (deleted)`) return false;
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n';
  } catch {
    return false;
  }
}

function titledProcesses(cluster: string): number[] {
  return execFileSync('/bin/ps', ['-axo', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${cluster} `) || line.includes(`postgres: ${clusterName(cluster)}:`))
    .map((line) => Number.parseInt(line, 10));
}

/** The name shown in the title of every process of this cluster. */
export function clusterName(cluster: string): string {
  return `sluice-${createHash('sha256').update(cluster).digest('hex').slice(0, 8)}`;
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile, which was the purpose of the signal.
  }
}

/** True as soon as `done` returns true; false after `timeoutMs`. */
export async function until(done: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!done()) {
    if (performance.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}
