import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../database.ts';
import { findShipped, preparePrograms } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { choosePlace, findPlace } from './place.ts';
import { scratchDataDir, scratchFolder, silent } from './scratch.ts';
import { DAEMON, daemonMayRun, spawnService } from './spawned-service.ts';
import { type Embedded, eraseEmbedded, startEmbedded } from './start.ts';

const ROOT = process.getuid?.() === 0;

it('keeps a database under a path too long for a socket, in the same place at each start', async () => {
  const dataDir = scratchDataDir(`deep/${'a-long-name/'.repeat(9)}data`);
  const first = await startAndAsk(dataDir);
  expect(first.host.startsWith(dataDir)).toBe(false);
  expect(statSync(first.host).mode & 0o777).toBe(0o700);
  expect((await startAndAsk(dataDir)).host).toBe(first.host);
  rmSync(first.host, { recursive: true });
  expect((await startAndAsk(dataDir)).host).not.toBe(first.host);
});

it('keeps a database under a path with odd characters', async () => {
  await startAndAsk(scratchDataDir("it's a data, folder ü"));
  // These characters are not allowed in a library path, so the programs are copied.
  await startAndAsk(scratchDataDir("it's a data, folder: ü;x"));
  await expect(startAndAsk(scratchDataDir('a:$(touch x)'))).rejects.toThrow('a character that initdb does not escape');
});

if (!ROOT || daemonMayRun) {
  it('keeps a database under a path that a shell would misread', async () => {
    await startAndAsk(scratchDataDir('a "data", folder $(touch x)'));
  });
}

it('denies other users access to the database', async () => {
  const dataDir = scratchDataDir();
  await startAndAsk(dataDir);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
});

if (ROOT) {
  it('runs as an unprivileged user when started by root', async () => {
    const dataDir = scratchDataDir();
    await startAndAsk(dataDir);
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(65_534);
  });

  it("makes a data folder of root traversable, and stores the database elsewhere for one in root's home", async () => {
    const closed = closedFolder();
    const host = (await startAndAsk(closed)).host;
    expect(host).toBe(join(closed, 'postgres'));
    expect(statSync(closed).mode & 0o777).toBe(0o711);

    const parent = closedFolder();
    const dataDir = join(parent, 'data');
    const { home } = await startAndAsk(dataDir);
    expect(home).toMatch(/^\/(var\/lib|srv|opt)\/sluice-/);
    expect(statSync(parent).mode & 0o777).toBe(0o700);
    expect((await startAndAsk(dataDir)).home).toBe(home);

    // A copy of the data folder isn't a copy of the database.
    const copy = join(parent, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    await expect(startEmbedded({ dataDir: copy, log: silent })).rejects.toThrow(`${copy} is a copy of that folder`);
    // A moved data folder takes its database along.
    const moved = join(parent, 'moved');
    renameSync(dataDir, moved);
    expect((await startAndAsk(moved)).home).toBe(home);

    await eraseEmbedded(moved);
    expect(existsSync(home)).toBe(false);
  });

  it('refuses to start with an empty database when the external one is missing', async () => {
    const dataDir = join(closedFolder(), 'data');
    const { home } = await startAndAsk(dataDir);
    rmSync(home, { recursive: true });
    await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow(`is missing from ${home}.`);
  });

  it("copies the programs beside the database when they are in root's home", async () => {
    const shipped = findShipped();
    const hidden = { ...shipped, folder: join(closedFolder(), 'native') };
    cpSync(shipped.folder, hidden.folder, { recursive: true });
    const dataDir = scratchDataDir();
    mkdirSync(dataDir);
    const place = choosePlace(dataDir);
    const programs = preparePrograms(hidden, place);
    expect(programs.postgres.startsWith(place.home)).toBe(true);
    await ensureCluster(place, programs);
    expect(readFileSync(join(place.cluster, 'PG_VERSION'), 'utf8')).toBe('18\n');
    // An upgraded package replaces the copy.
    preparePrograms({ ...hidden, version: '18.99.0' }, place);
    expect(existsSync(programs.postgres)).toBe(false);
  });
}

if (daemonMayRun) {
  it('runs as the ordinary user who starts it, and keeps that user when root starts it later', async () => {
    const parent = scratchFolder();
    chmodSync(parent, 0o777);
    const dataDir = join(parent, 'data');
    const service = await spawnService(dataDir, DAEMON);
    expect(service.said).toMatchObject({ adopted: false });
    await service.end();
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(DAEMON.uid);
    await startAndAsk(dataDir);
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(DAEMON.uid);
  });
}

/** A folder that only root can traverse, like /root or one of mktemp -d. */
function closedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startAndAsk(dataDir: string): Promise<{ home: string; host: string }> {
  const database: Embedded = await startEmbedded({ dataDir, log: silent });
  const { pool, close } = openDatabase(database.connection, { poolSize: 1, log: silent });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await close();
  await database.stop();
  const { home } = findPlace(dataDir);
  if (!home.startsWith(dataDir)) onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, host: database.connection.host };
}
