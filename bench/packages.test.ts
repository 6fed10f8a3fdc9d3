/** Installs the packages of the benchmarks on a machine without them. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Writes the installed version of each package, as `npm ci` does, and counts its calls. */
const NPM = `#!${process.execPath}
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n');
for (const [name, version] of Object.entries(JSON.parse(readFileSync('package.json')).devDependencies)) {
  mkdirSync('node_modules/' + name, { recursive: true });
  writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ version }));
}`;

it('installs the packages once and prints one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packages-'));
  try {
    for (const name of ['package.json', 'packages.ts', 'programs.ts'])
      cpSync(join(import.meta.dirname, name), join(folder, name));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/npm'), NPM);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    expect(await run(folder)).toBe('Installing the packages of the benchmarks: npm ci in bench/\n');
    expect(await run(folder)).toBe('');
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('ci --loglevel=error\n');
    writeFileSync(join(folder, 'node_modules/bullmq/package.json'), '{"version":"1.0.0"}');
    expect(await run(folder)).toContain('npm ci in bench/');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Runs packages.ts and returns its stderr. */
function run(folder: string): Promise<string> {
  const env = { PATH: join(folder, 'bin') };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(folder, 'packages.ts')], { env }, (error, _stdout, stderr) =>
      error ? reject(error) : resolve(stderr),
    );
  });
}
