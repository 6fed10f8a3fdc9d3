/**
 * Finds the Chromium for browser tests. Run as a script, it also installs one if none is found.
 * CHROMIUM_PATH=/path/to/chrome takes precedence.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from '@playwright/test';

/** The headless shell comes first: journeys take a fifth less time in it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'chrome',
];
const FIXED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findChromium(): string | undefined {
  const forced = process.env['CHROMIUM_PATH'];
  if (forced) {
    if (!isExecutable(forced)) throw new Error(`CHROMIUM_PATH=${forced} is not an executable file`);
    return forced;
  }
  const own = chromium.executablePath();
  if (own && existsSync(own)) return own;
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder && !folder.includes('node_modules'));
  return [...FIXED, ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))].find(isExecutable);
}

function ensureChromium(): string {
  const found = findChromium() ?? downloadChromium() ?? installPackage();
  if (!found)
    throw new Error(
      'No Chromium was found and none could be installed. Install Chrome or Chromium, or set CHROMIUM_PATH.',
    );
  return found;
}

const isRoot = process.getuid?.() === 0;

function downloadChromium(): string | undefined {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  run(process.execPath, [cli, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'], 300);
  return findChromium();
}

/** Installs the distribution's Chromium, as root on Debian and its derivatives. Waits for the lock of another apt. */
function installPackage(): string | undefined {
  if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  const install = (name: string) =>
    run('apt-get', ['install', '-y', '--no-install-recommends', ...wait, name, 'fonts-liberation'], 900);
  const installAny = () => install('chromium-headless-shell') || install('chromium');
  if (!installAny()) {
    run('apt-get', ['update', ...wait], 300);
    installAny();
  }
  return findChromium();
}

function run(command: string, args: string[], seconds: number): boolean {
  console.error(`$ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: seconds * 1000, env }).status === 0
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) console.log(ensureChromium());
