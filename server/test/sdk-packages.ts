/** Installs the packages of sdks/, which the root does not contain, when one is missing or has another version. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { isAlive } from '../lib/is-alive.ts';

export const SDK_FOLDER = join(import.meta.dirname, '../../sdks');
/** Contains the ID of the process that installs: tests of several files need the packages at once. */
const LOCK = join(SDK_FOLDER, '.installing');

const PATIENTLY = { timeout: 200_000, interval: 200 };

type Manifest = { version?: string; devDependencies?: Record<string, string> };

/** Without the packages' own scripts, none of which is needed. Waits while another process installs them. */
export async function installSdks(): Promise<void> {
  const isMine = await vi.waitFor(() => {
    if (areInstalled()) return false;
    if (takeLock()) return true;
    throw new Error('Another process installs the packages of sdks/.');
  }, PATIENTLY);
  if (!isMine) return;
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: SDK_FOLDER });
  } finally {
    rmSync(LOCK, { force: true });
  }
}

/** False while npm installs: it writes the packages one by one. */
function areInstalled(): boolean {
  if (isHeld()) return false;
  const { devDependencies = {} } = manifest('package.json') ?? {};
  return Object.entries(devDependencies).every(
    ([name, version]) => manifest(`node_modules/${name}/package.json`)?.version === version,
  );
}

function takeLock(): boolean {
  if (isHeld()) return false;
  rmSync(LOCK, { force: true });
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Whether the process of the lock is alive; one that was killed leaves its file. */
function isHeld(): boolean {
  if (!existsSync(LOCK)) return false;
  const pid = readFileSync(LOCK, 'utf8');
  // Empty: created, and not written yet.
  return pid === '' || isAlive(Number(pid));
}

function manifest(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(SDK_FOLDER, path), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
