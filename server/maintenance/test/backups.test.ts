/** Scheduled backups of the embedded database, and a restore of one, by the real program. */
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { readConfig } from '../../config.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { findPlace } from '../../platform/database/embedded/place.ts';
import { runScript } from '../../test/operator-script.ts';
import { spawnedForEach } from '../../test/shared-set-up.ts';
import { freePort, type Spawned } from '../../test/spawned.ts';

const { folder, run } = spawnedForEach();

const restore = (dataDir: string, from: string) => runScript('restore', ['--from', from], { SLUICE_DATA_DIR: dataDir });

const backupsIn = (path: string) =>
  existsSync(path) ? readdirSync(path).filter((name) => /\.backup$/.test(name)) : [];
const nameOf = async (service: Spawned) =>
  (await service.call<Reply<'accountGet'>>('GET', '/account')).body.account.name;

it('writes one when the newest is too old, deletes the oldest, and a restore brings it back on hold', async () => {
  const dataDir = folder();
  const backups = join(folder(), 'backups');
  const port = await freePort();
  const first = await run(dataDir, port);
  const { status } = await first.call('POST', '/triggers', {
    source: 'webhook',
    event_type: 'webhook.received',
    name: 'kept',
    destinations: [{ url: 'http://127.0.0.1:9/in' }],
  });
  expect(status).toBe(200);
  await first.kill('SIGTERM');

  mkdirSync(backups);
  const old = ['sluice-20200101T000000Z.backup', 'sluice-20200102T000000Z.backup', 'sluice-20200103T000000Z.backup'];
  for (const name of [...old, 'notes.txt', 'sluice-20200104T000000Z.backup.part'])
    writeFileSync(join(backups, name), 'x');
  const second = await run(dataDir, port, {
    SLUICE_BACKUP_DIR: backups,
    SLUICE_BACKUP_KEEP: '2',
    SLUICE_METRICS: 'on',
  });
  await expect.poll(() => backupsIn(backups).filter((name) => !old.includes(name)).length).toBe(1);
  await expect
    .poll(() => readdirSync(backups).sort())
    .toEqual(['notes.txt', 'sluice-20200103T000000Z.backup', expect.stringMatching(/^sluice-20\d{6}T\d{6}Z\.backup$/)]);
  const metrics = await (await fetch(`${second.url}/metrics`)).text();
  expect(metrics).toMatch(/^sluice_backup_age_seconds \d/m);
  expect(metrics).toMatch(/^sluice_backup_interval_seconds 86400$/m);
  const { triggers } = (await second.call<Reply<'triggerList'>>('GET', '/triggers')).body;
  expect((await second.call('DELETE', `/triggers/${triggers[0]?.trigger_id}`)).status).toBe(200);

  const backup = join(backups, backupsIn(backups).sort().at(-1) ?? '');
  const busy = await restore(dataDir, backup);
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/in use|used by/)]);
  await second.kill('SIGKILL');
  const damaged = join(backups, 'damaged.backup');
  writeFileSync(damaged, readFileSync(backup));
  truncateSync(damaged, 1000);
  const refused = await restore(dataDir, damaged);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not a complete export')]);
  const restored = await restore(dataDir, backup);
  expect(restored.code, restored.stderr).toBe(0);
  expect(restored.stdout).toMatch(/^Restored [\d,]+ rows of \d+ tables/);
  const { home } = findPlace(dataDir);
  expect(readdirSync(home).filter((name) => name.startsWith('cluster-before-')).length).toBe(1);
  expect(existsSync(join(dataDir, 'restoring'))).toBe(false);

  const third = await run(dataDir, port);
  const after = (await third.call<Reply<'triggerList'>>('GET', '/triggers')).body.triggers;
  expect(after.map(({ name }) => name)).toEqual(['kept']);
  const { hold } = (await third.call<Reply<'holdGet'>>('GET', '/account/hold')).body;
  expect(hold).toMatchObject({ cause: 'COPY', origin: backup.split('/').at(-1) });
  expect(await nameOf(third)).not.toBe('');
});

it('a backup that cannot be written is logged, and the service works', async () => {
  const dataDir = folder();
  const file = join(folder(), 'a-file');
  writeFileSync(file, '');
  const service = await run(dataDir, await freePort(), { SLUICE_BACKUP_DIR: join(file, 'backups') });
  await expect.poll(() => service.output()).toContain('backup failed, retrying in an hour');
  expect(await nameOf(service)).not.toBe('');
});

describe('settings', () => {
  it.each([
    [{ SLUICE_BACKUP_DIR: '/b', DATABASE_URL: 'postgres://127.0.0.1/x' }, /SLUICE_BACKUP_DIR/],
    [{ SLUICE_BACKUP_DIR: '/b', SLUICE_BACKUP_HOURS: '0' }, /SLUICE_BACKUP_HOURS/],
    [{ SLUICE_BACKUP_DIR: '/b', SLUICE_BACKUP_KEEP: 'all' }, /SLUICE_BACKUP_KEEP/],
  ])('%j are not taken', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
  });
});
