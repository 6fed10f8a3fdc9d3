/** Builds the console if its inputs changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = [
  'src',
  'contract',
  'docs',
  'public',
  'index.html',
  'connect.html',
  'vite.config.ts',
  'scripts/docs',
  'scripts/vite-docs.ts',
  'scripts/vite-icons.ts',
  'scripts/vite-router.ts',
  'scripts/vite-imports.ts',
  'scripts/vite-routes.ts',
  'tailwind.config.ts',
  'package-lock.json',
];
const STAMP = join(ROOT, 'dist', '.inputs');

export function buildIfChanged(): void {
  const inputs = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === inputs) return;
  console.log('Building the console…');
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const steps = [
    [vite, 'build', '--logLevel', 'warn'],
    [join(ROOT, 'scripts/compress.ts')],
    [join(ROOT, 'scripts/budget.ts')],
  ];
  for (const args of steps) {
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) throw new Error('The console could not be built, see the output above.');
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, inputs);
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const path of INPUTS.flatMap(filesOf).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));
}
