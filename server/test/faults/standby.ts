/** A PostgreSQL server with a synchronous standby: what the primary confirms is on the disk of both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, vi } from 'vitest';
import { findShipped, preparePrograms } from '../../platform/database/embedded/binaries.ts';
import { DATABASE_USER, ensureCluster } from '../../platform/database/embedded/cluster.ts';
import { giveAll } from '../../platform/database/embedded/ownership.ts';
import { choosePlace } from '../../platform/database/embedded/place.ts';

type Config = { host: string; port: number; user: string; database: string };
export type DatabaseServer = {
  config: Config;
  socket: NetConnectOpts;
  client(): Promise<Client>;
  kill(): Promise<void>;
};
export type Pair = { primary: DatabaseServer; standby: DatabaseServer; stop(): Promise<void> };

const PATIENTLY = { timeout: 60_000, interval: 50 };

export async function startPair(): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pair-'));
  chmodSync(folder, 0o755);
  const place = choosePlace(folder);
  const programs = preparePrograms(findShipped(), place);
  await ensureCluster(place, programs);
  const copy = join(place.home, 'standby');
  cpSync(place.cluster, copy, { recursive: true });
  chmodSync(copy, 0o700);
  writeFileSync(join(copy, 'standby.signal'), '');
  if (place.account.spawn.uid !== undefined) giveAll(copy, place.account);

  const start = async (cluster: string, port: number, settings: Record<string, string>): Promise<DatabaseServer> => {
    const all = { listen_addresses: '', port: String(port), unix_socket_directories: place.socketDir, ...settings };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(programs.postgres, ['-D', cluster, ...args], {
      ...place.account.spawn,
      env: programs.env,
      cwd: '/',
      stdio: 'ignore',
      // A group, so that the fault kills all of its processes.
      detached: true,
    });
    const config = { host: place.socketDir, port, user: DATABASE_USER, database: 'postgres' };
    const client = () => connect(config);
    await vi.waitFor(async () => (await client()).end(), PATIENTLY);
    return { config, socket: { path: `${place.socketDir}/.s.PGSQL.${port}` }, client, kill: () => killAll(child) };
  };
  const primary = await start(place.cluster, 5432, { synchronous_standby_names: '*' });
  const { host, port, user } = primary.config;
  const standby = await start(copy, 5433, { primary_conninfo: `host=${host} port=${port} user=${user}` });
  const asked = await primary.client();
  await vi.waitFor(async () => {
    const { rows } = await asked.query('select sync_state from pg_stat_replication');
    expect(rows).toEqual([{ sync_state: 'sync' }]);
  }, PATIENTLY);
  await asked.end();
  return {
    primary,
    standby,
    async stop() {
      await Promise.all([primary.kill(), standby.kill()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(config: Config): Promise<Client> {
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function killAll(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((ok) => child.once('exit', ok));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
