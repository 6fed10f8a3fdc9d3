import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../../../lib/is-alive.ts';
import { openDatabase } from '../database.ts';
import { readOwner } from './lock.ts';
import { clusterProcesses } from './processes.ts';
import { scratchDataDir, silent } from './scratch.ts';
import { spawnService } from './spawned-service.ts';
import { startEmbedded } from './start.ts';

it('creates a database at the first start and reuses its data at the next', async () => {
  const dataDir = scratchDataDir();
  const first = performance.now();
  const one = await startEmbedded({ dataDir, log: silent });
  console.log(`first start: ${Math.round(performance.now() - first)} ms`);
  const before = openDatabase(one.connection, { poolSize: 2, log: silent });
  await before.pool.query("create table kept (word text); insert into kept values ('Übung')");
  await before.close();
  await one.stop();
  expect(clusterProcesses(join(dataDir, 'postgres/cluster'))).toEqual([]);

  const second = performance.now();
  const two = await startEmbedded({ dataDir, log: silent });
  console.log(`second start: ${Math.round(performance.now() - second)} ms`);
  const after = openDatabase(two.connection, { poolSize: 2, log: silent });
  // Lower case beyond ASCII shows the built-in C.UTF-8 locale at work.
  const { rows } = await after.pool.query("select lower(word) as word, current_setting('fsync') as fsync from kept");
  await after.close();
  await two.stop();
  expect(one.adopted || two.adopted).toBe(false);
  expect(rows).toEqual([{ word: 'übung', fsync: 'on' }]);
});

it('refuses a second service on the same folder and names the first, in another process and in the same', async () => {
  const dataDir = scratchDataDir();
  const first = await spawnService(dataDir);
  const second = await spawnService(dataDir);
  expect(second.said.refusal).toBe(
    `The data folder ${dataDir} is in use by another Sluice process (pid ${first.pid}).`,
  );
  expect(second.said.hint).toContain('SLUICE_DATA_DIR');
  await first.end();

  const here = await startEmbedded({ dataDir, log: silent });
  await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow(`(pid ${process.pid})`);
  // The refused start must not release the lock of the running service.
  expect((await spawnService(dataDir)).said.refusal).toContain(`(pid ${process.pid})`);
  await here.stop();
});

it('leaves no process behind when it is stopped', async () => {
  const dataDir = scratchDataDir();
  const service = await spawnService(dataDir);
  const watchdog = watchdogOf(dataDir);
  expect(watchdog).toHaveLength(1);
  await service.end();
  expect(isAlive(service.said.postmaster ?? 0)).toBe(false);
  expect(watchdogOf(dataDir)).toEqual([]);
});

it('leaves no database behind when it is killed', async () => {
  const dataDir = scratchDataDir();
  const service = await spawnService(dataDir);
  const killed = performance.now();
  await service.kill();
  await expect.poll(() => clusterProcesses(join(dataDir, 'postgres/cluster'))).toEqual([]);
  console.log(`the database was gone ${Math.round(performance.now() - killed)} ms after kill -9 of its service`);
  await expect.poll(() => watchdogOf(dataDir)).toEqual([]);
});

it('adopts the database of a killed service, and the old watchdog spares it', async () => {
  const dataDir = scratchDataDir();
  const first = await spawnService(dataDir);
  const [oldWatchdog] = watchdogOf(dataDir);
  // It waits a second for a new service, and this machine may be slower: it checks when one exists.
  process.kill(oldWatchdog ?? 0, 'SIGSTOP');
  await first.kill();
  const second = await spawnService(dataDir);
  expect(second.said).toMatchObject({ adopted: true, postmaster: first.said.postmaster });

  process.kill(oldWatchdog ?? 0, 'SIGCONT');
  await expect.poll(() => isAlive(oldWatchdog ?? 0)).toBe(false);
  expect(isAlive(second.said.postmaster ?? 0)).toBe(true);
  expect(watchdogOf(dataDir)).toHaveLength(1);

  // The adopted one is watched like any other.
  await second.kill();
  await expect.poll(() => clusterProcesses(join(dataDir, 'postgres/cluster'))).toEqual([]);
});

it('replaces a watchdog that was killed', async () => {
  const dataDir = scratchDataDir();
  const service = await spawnService(dataDir);
  const [first] = watchdogOf(dataDir);
  process.kill(first ?? 0, 'SIGKILL');
  await expect.poll(() => watchdogOf(dataDir).filter((pid) => pid !== first)).toHaveLength(1);
  await service.kill();
  await expect.poll(() => clusterProcesses(join(dataDir, 'postgres/cluster'))).toEqual([]);
});

it('removes the remains of a start that was interrupted during initdb', async () => {
  const dataDir = scratchDataDir();
  const service = spawnService(dataDir).catch(() => undefined);
  const halves = () => entries(join(dataDir, 'postgres')).filter((name) => name.startsWith('cluster.new-'));
  await expect.poll(halves, { interval: 5 }).toHaveLength(1);
  const half = halves()[0] ?? '';
  process.kill(readOwner(join(dataDir, 'owner.json'))?.pid ?? 0, 'SIGKILL');
  await service;
  expect(existsSync(join(dataDir, 'postgres/cluster'))).toBe(false);

  const next = await spawnService(dataDir);
  expect(next.said.adopted).toBe(false);
  expect(entries(join(dataDir, 'postgres'))).not.toContain(half);
  await next.end();
});

/** The watchdogs of a data folder, waiting or running, by their command line. */
function watchdogOf(dataDir: string): number[] {
  const file = join(dataDir, 'owner.json');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(file))
    .map(Number)
    .filter(isAlive);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function entries(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
