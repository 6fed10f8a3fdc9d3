/**
 * Scheduled backups of the embedded database: an export (platform/database/transfer/) to a new file whenever the newest
 * one is old enough, by one process at a time. The oldest files are deleted once a new one is complete.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorFields } from '../lib/outage-log.ts';
import type { Services } from '../platform/context.ts';
import type { Connection } from '../platform/database/connection.ts';
import { exportToFile } from '../platform/database/transfer/transfer.ts';
import { createLoop, type Worker } from '../platform/loop.ts';

type BackupSettings = NonNullable<Services['settings']['backups']>;

const LOOK_MS = 60_000;
const AFTER_FAILURE_MS = 3_600_000;
const HOUR_MS = 3_600_000;
/** `sluice-20261126T020000Z.backup` */
const NAME = /^sluice-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** Does nothing without `settings.backups`. */
export function createBackups(services: Services, connection: Connection): Worker {
  const { settings, log, locks } = services;
  const { backups } = settings;
  let notBeforeMs = 0;
  return createLoop({
    name: 'backups',
    log,
    everyMs: LOOK_MS,
    async work() {
      if (!backups || Date.now() < notBeforeMs) return undefined;
      try {
        if (!(await isDue(backups))) return undefined;
        await locks.holdIfFree('backups', async () => {
          // Another process may have written one since.
          if (await isDue(backups)) await backUp(services, backups, connection);
        });
      } catch (error) {
        notBeforeMs = Date.now() + AFTER_FAILURE_MS;
        log.error(errorFields(error), 'backup failed, retrying in an hour');
      }
      return undefined;
    },
  });
}

async function isDue({ folder, everyHours }: BackupSettings): Promise<boolean> {
  const newest = (await listBackups(folder)).at(-1);
  return newest === undefined || Date.now() - newest.atMs >= everyHours * HOUR_MS;
}

async function backUp({ log, settings }: Services, backups: BackupSettings, connection: Connection): Promise<void> {
  const { folder, keep } = backups;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Of a service that was killed meanwhile.
  for (const name of await readdir(folder)) if (NAME.test(name.replace(/\.part$/, ''))) await removePart(folder, name);
  const startedMs = performance.now();
  const name = `sluice-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}.backup`;
  const { rows } = await exportToFile(connection, join(folder, name), {
    version: settings.version,
    log,
    progress() {},
  });
  const { size } = await stat(join(folder, name));
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
  log.info({ name, rows: Number(rows), bytes: size, seconds }, 'backup written');
  for (const old of (await listBackups(folder)).slice(0, -keep)) {
    await rm(join(folder, old.name));
    log.info({ name: old.name }, 'old backup deleted');
  }
}

async function removePart(folder: string, name: string): Promise<void> {
  if (name.endsWith('.part')) await rm(join(folder, name), { force: true });
}

/** The backups of a folder, oldest first. Other files are ignored. */
export async function listBackups(folder: string): Promise<{ name: string; atMs: number }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .flatMap((name) => {
      const [, ...parts] = NAME.exec(name) ?? [];
      const [year, month, day, ...time] = parts;
      return day === undefined ? [] : [{ name, atMs: Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`) }];
    })
    .sort((a, b) => a.atMs - b.atMs);
}
