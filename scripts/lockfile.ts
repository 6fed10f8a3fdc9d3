/**
 * Checks the lockfile; with --write, mends what it can.
 *
 * Fails when it has holes: optional dependencies without an entry, which npm writes when the registry's view
 * of one platform lags behind. `npm install` works with such a file, `npm ci` on a clean machine doesn't. Fails on
 * versions that aren't exact. And fails on `engines` of optional packages: npm on an older Node would silently leave
 * those packages out (the build's native parts among them), although they run on the Node that comes along.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Entry = {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
  optional?: boolean;
  engines?: unknown;
};
type Versions = Record<string, string>;

const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };
const { packages } = lockfile;
const problems: string[] = [];

if (process.argv.includes('--write')) {
  for (const entry of Object.values(packages)) if (entry.optional) delete entry.engines;
  writeFileSync('package-lock.json', `${JSON.stringify(lockfile, null, 2)}\n`);
}

for (const [path, entry] of Object.entries(packages)) {
  if (entry.optional && entry.engines)
    problems.push(`${path}: optional, and has engines; run npm run lockfile -- --write`);
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (!resolves(path, name)) problems.push(`${path || 'package.json'}: ${name} has no entry in the lockfile`);
  }
}
const root = packages[''] ?? {};
for (const [name, version] of Object.entries({
  ...root.dependencies,
  ...root.devDependencies,
  ...root.optionalDependencies,
})) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    problems.push(`package.json: ${name} is ${version}; expected an exact version`);
}

/** As Node would look for it: from the package's own folder upwards. */
function resolves(from: string, name: string): boolean {
  for (let folder = from; ; ) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    const up = folder.lastIndexOf('node_modules/');
    folder = up <= 0 ? '' : folder.slice(0, up - 1);
  }
}

for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log('The lockfile is whole and every version is exact.');
process.exitCode = problems.length > 0 ? 1 : 0;
