import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isAlive } from '../../../lib/is-alive.ts';
import { openDatabase } from '../database.ts';
import { findPlace } from './place.ts';
import { clusterProcesses, readPostmasterFile, signal } from './processes.ts';
import { scratchDataDir, silent } from './scratch.ts';
import { spawnService } from './spawned-service.ts';
import { startEmbedded } from './start.ts';

it('restarts a killed database with every acknowledged row, despite a session that outlives it', async () => {
  const dataDir = scratchDataDir();
  const cluster = join(dataDir, 'postgres/cluster');
  const database = await startEmbedded({ dataDir, log: silent });
  const { pool, close } = openDatabase(database.connection, { poolSize: 4, log: silent });
  await pool.query('create table written (n int)');
  await pool.query('insert into written select generate_series(1, 100)');
  const postmaster = readPostmasterFile(cluster)?.pid ?? 0;
  // A stopped session neither detects the postmaster's death nor releases the shared memory.
  const session = await pool.connect();
  session.on('error', () => {});
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  const straggler = rows[0]?.pid ?? 0;
  process.kill(straggler, 'SIGSTOP');

  process.kill(postmaster, 'SIGKILL');
  const count = () => pool.query('select count(*) as n from written').then((answer) => answer.rows, String);
  await expect.poll(() => isAlive(postmaster)).toBe(false);
  await expect.poll(count).toEqual([{ n: 100 }]);
  expect(isAlive(straggler)).toBe(false);
  expect(readPostmasterFile(cluster)?.pid).not.toBe(postmaster);

  session.release(true);
  await close();
  await database.stop();
  expect(clusterProcesses(cluster)).toEqual([]);
});

it('recovers at the next start when service, watchdog and database were killed together', async () => {
  const dataDir = scratchDataDir();
  const cluster = join(dataDir, 'postgres/cluster');
  const service = await spawnService(dataDir);
  const before = openDatabase({ ...CONNECTION, host: service.said.host ?? '' }, { poolSize: 1, log: silent });
  await before.pool.query('create table written (n int); insert into written values (7)');
  // The sessions end without a signal once the postmaster is gone.
  for (const pid of clusterProcesses(cluster)) signal(pid, 'SIGKILL');
  await service.kill();
  await before.close();

  const database = await startEmbedded({ dataDir, log: silent });
  const after = openDatabase(database.connection, { poolSize: 1, log: silent });
  expect((await after.pool.query('select n from written')).rows).toEqual([{ n: 7 }]);
  await after.close();
  await database.stop();
});

it('starts despite files that name an unrelated process, and does not touch that process', async () => {
  const dataDir = scratchDataDir();
  await (await startEmbedded({ dataDir, log: silent })).stop();
  const { cluster, home } = findPlace(dataDir);
  const { uid, gid } = statSync(cluster);
  const stranger = spawn('sleep', ['600'], { cwd: cluster, ...(process.getuid?.() === 0 && { uid, gid }) });
  onTestFinished(() => void stranger.kill());
  for (const file of [join(cluster, 'postmaster.pid'), join(home, '.s.PGSQL.5432.lock')]) {
    writeFileSync(file, `${stranger.pid}\n${cluster}\n1700000000\n5432\n${home}\n\n  0  0\nready   \n`);
  }
  const database = await startEmbedded({ dataDir, log: silent });
  expect(database.adopted).toBe(false);
  await database.stop();
  expect(isAlive(stranger.pid ?? 0)).toBe(true);
});

it('replaces a database that no longer responds', async () => {
  const dataDir = scratchDataDir();
  const first = await spawnService(dataDir);
  process.kill(first.said.postmaster ?? 0, 'SIGSTOP');
  await first.kill();
  const second = await spawnService(dataDir);
  expect(second.said.adopted).toBe(false);
  expect(isAlive(first.said.postmaster ?? 0)).toBe(false);
  await second.end();
});

const CONNECTION = { user: 'sluice', database: 'postgres' };
