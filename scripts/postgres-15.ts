/**
 * Starts Debian's PostgreSQL 15 in a temporary folder, for the second round of the API tests. Installs it if possible
 * (as root on Debian); otherwise returns undefined.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newMemoryFolder } from '../server/search/test/memory-folder.ts';

const BIN = '/usr/lib/postgresql/15/bin';

export type Server = { url: string; stop(): Promise<void> };

export async function startPostgres15(): Promise<Server | undefined> {
  if (!existsSync(`${BIN}/postgres`) && !install()) return undefined;
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = newMemoryFolder('sluice-pg15');
  if (user) chownSync(folder, user.uid, user.gid);
  const cluster = join(folder, 'cluster');
  const options = { ...user, cwd: folder, stdio: 'ignore' as const };
  execFileSync(
    `${BIN}/initdb`,
    ['-D', cluster, '-U', 'sluice', '--auth=trust', '--locale=C.UTF-8', '-E', 'UTF8'],
    options,
  );
  const server = spawn(
    `${BIN}/postgres`,
    ['-D', cluster, '-c', 'listen_addresses=', '-k', folder, '-c', 'max_connections=200'],
    options,
  );
  const ended = new Promise<void>((ok) => server.once('exit', () => ok()));
  await ready(folder, ended);
  return {
    url: `postgres://sluice@localhost/{database}?host=${encodeURIComponent(folder)}`,
    async stop() {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function install(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 600_000,
    }).status === 0;
  const packages = ['install', '-y', '--no-install-recommends', 'postgresql-15'];
  if (!apt(...packages)) {
    apt('update');
    apt(...packages);
  }
  return existsSync(`${BIN}/postgres`);
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function ready(folder: string, ended: Promise<void>): Promise<void> {
  const failed = ended.then(() => Promise.reject(new Error('PostgreSQL 15 did not start')));
  const isReady = () => spawnSync(`${BIN}/pg_isready`, ['-h', folder, '-q']).status === 0;
  const polling = (async () => {
    while (!isReady()) await new Promise((ok) => setTimeout(ok, 50));
  })();
  await Promise.race([polling, failed]);
}
