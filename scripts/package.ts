/**
 * `npm run package`: makes the npm package of the compiled service and the built console, `dist-package/sluice-….tgz`.
 * `npx sluice` runs it. `--out <folder>`: makes it in that folder, which is below the repository.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compile, missingFiles, write } from './package/compile.ts';
import { consoleLicences, installedWith, licencesFile, licencesOf, refusedLicences } from './package/licences.ts';
import { INSTALLED, manifestOf, packageOf, type RootManifest } from './package/manifest.ts';
import { vendor } from './package/vendor.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The scripts that the command of the package runs. */
const SCRIPTS = /'(scripts\/[\w-]+)\.js'/g;

const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist-package' } } });
const out = resolve(ROOT, values.out);
const folder = join(out, 'package');
rmSync(out, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

buildConsole();
const command = readFileSync(join(ROOT, 'scripts/package/sluice.mjs'), 'utf8');
const scripts = [...command.matchAll(SCRIPTS)].map(([, path]) => `${path}.ts`);
const compiled = compile(ROOT, join(out, 'compiled'), ['server/main.ts', ...scripts]);
const bundled = [...compiled.imports].filter((each) => !INSTALLED.includes(packageOf(each)));
const { files, packages } = await vendor(ROOT, folder, join(out, 'imports'), bundled);
write(ROOT, folder, compiled, files);

const root = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as RootManifest;
const manifest = manifestOf(root, compiled.imports);
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
mkdirSync(join(folder, 'bin'));
writeFileSync(join(folder, 'bin/sluice.mjs'), command);
chmodSync(join(folder, 'bin/sluice.mjs'), 0o755);
cpSync(join(ROOT, 'docs'), join(folder, 'docs'), { recursive: true, filter: (path) => !/\/pictures\b/.test(path) });
cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
cpSync(join(ROOT, 'scripts/package/README.md'), join(folder, 'README.md'));

const contained = licencesOf(ROOT, packages);
const installed = installedWith(ROOT, [...INSTALLED, ...Object.keys(root.optionalDependencies)]);
writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.md'), licencesFile(contained, installed));

const problems = [
  ...missingFiles(folder, compiled).map((each) => `no such file: ${each}`),
  ...refusedLicences([...contained, ...installed, ...consoleLicences(join(folder, 'dist'))]).map(
    (each) => `a licence that is not allowed: ${each}`,
  ),
];
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', out], { cwd: folder, encoding: 'utf8' });
const [{ filename = '' } = {}] = JSON.parse(packed) as { filename: string }[];
const tarball = join(out, filename);
console.log(`${tarball}: ${(statSync(tarball).size / 1024 ** 2).toFixed(1)} MB`);

/** The console names the command of the package where a clone has npm scripts. */
function buildConsole(): void {
  const dist = join(folder, 'dist');
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const steps = [
    [vite, 'build', '--outDir', dist, '--logLevel', 'error'],
    [join(ROOT, 'scripts/compress.ts'), dist],
  ];
  const env = { ...process.env, VITE_PACKAGED: '1' };
  for (const args of steps)
    execFileSync(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] });
}
