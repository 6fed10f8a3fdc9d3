/** Installs the packages of sdks/, which the root does not contain, when one is missing or has another version. */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

export const SDK_FOLDER = join(import.meta.dirname, '../../sdks');
/** Contains the ID of the process that installs: tests of several files need the packages at once. */
const LOCK = join(SDK_FOLDER, '.installing');

type Manifest = { version?: string; devDependencies?: Record<string, string> };

/** Without the packages' own scripts, none of which is needed. */
export async function installSdks(): Promise<void> {
  while (!areInstalled()) {
    if (!takeLock()) {
      await setTimeout(200);
      continue;
    }
    try {
      await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: SDK_FOLDER });
    } finally {
      rmSync(LOCK, { force: true });
    }
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
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

function manifest(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(SDK_FOLDER, path), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
