/**
 * Installs the packages that only benchmarks use, when a benchmark or `npm run types:bench` first needs them. Their
 * package.json and lockfile are in this folder.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePrograms } from './programs.ts';

type Manifest = { version?: string; devDependencies?: Record<string, string> };

const FOLDER = import.meta.dirname;

/** Runs `npm ci` in this folder, with a message, when a package is missing or outdated. Exits when npm fails. */
export function installPackages(): void {
  const { devDependencies = {} } = manifest('package.json') ?? {};
  const isInstalled = ([name, version]: [string, string]) =>
    manifest(`node_modules/${name}/package.json`)?.version === version;
  if (Object.entries(devDependencies).every(isInstalled)) return;
  requirePrograms(['npm']);
  process.stderr.write('Installing the packages of the benchmarks: npm ci in bench/\n');
  const { status } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
}

function manifest(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(FOLDER, path), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}

if (import.meta.main) installPackages();
