/**
 * Checks the lockfiles of the root, of bench/ and of sdks/. With --write, removes `resolved` and `engines`, see below.
 *
 * Fails on optional dependencies without an entry, which npm writes when the registry's view of one platform lags
 * behind: `npm install` works with such a file, `npm ci` on a clean machine doesn't. Fails on versions that aren't
 * exact. Fails on `engines` of optional packages: npm on an older Node would silently skip those packages (the build's
 * native parts among them), although they run on the bundled Node. Fails on `resolved`, which names the registry of the
 * machine that wrote the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Entry = {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
  optional?: boolean;
  engines?: unknown;
  resolved?: string;
};
type Versions = Record<string, string>;
type Packages = Record<string, Entry>;

const FOLDERS = ['', 'bench/', 'sdks/'];
const WRITE = 'run npm run lockfile -- --write';

function check(folder: string): string[] {
  const file = `${folder}package-lock.json`;
  const lockfile = JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages };
  const { packages } = lockfile;
  if (process.argv.includes('--write')) {
    for (const entry of Object.values(packages)) {
      delete entry.resolved;
      if (entry.optional) delete entry.engines;
    }
    writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  }
  const problems = Object.entries(packages).flatMap(([path, entry]) => problemsOf(packages, path, entry));
  return [...problems.map((problem) => `${file}: ${problem}`), ...inexact(packages[''] ?? {}, folder)];
}

function problemsOf(packages: Packages, path: string, entry: Entry): string[] {
  return [
    ...(entry.optional && entry.engines ? [`${path}: optional, and has engines; ${WRITE}`] : []),
    ...(entry.resolved ? [`${path}: names a registry; ${WRITE}`] : []),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !resolves(packages, path, name))
      .map((name) => `${path || 'package.json'}: ${name} has no entry in the lockfile`),
  ];
}

function inexact(root: Entry, folder: string): string[] {
  return Object.entries({ ...root.dependencies, ...root.devDependencies, ...root.optionalDependencies })
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${folder}package.json: ${name} is ${version}; expected an exact version`);
}

/** Resolves a package as Node does: from the package's folder upwards. */
function resolves(packages: Packages, from: string, name: string): boolean {
  for (let folder = from; ; ) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    const up = folder.lastIndexOf('node_modules/');
    folder = up <= 0 ? '' : folder.slice(0, up - 1);
  }
}

const problems = FOLDERS.flatMap(check);
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log('The lockfiles are complete and every version is exact.');
process.exitCode = problems.length > 0 ? 1 : 0;
