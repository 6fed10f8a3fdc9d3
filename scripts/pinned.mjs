/**
 * Runs a script on the Node that `npm ci` installs: `node scripts/pinned.mjs scripts/start.ts`. This file runs on the
 * system's Node, so it is plain JavaScript for any version from 18 on. Without a script it prints the path of that Node.
 *
 * npm up to 10 doesn't link `.bin/node` when packages of several platforms provide it, so this file creates the link.
 * From then on, every npm script finds the pinned Node in its path. If npm installs none (on a Mac with an Apple chip,
 * or without optional packages), the system's Node must be recent enough.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const pinned = join(modules, `node-${process.platform}-${process.arch}`, 'bin/node');
const [major, minor] = process.versions.node.split('.').map(Number);

if (process.platform === 'win32') {
  console.error('Windows is not supported: Sluice runs on Linux and macOS.');
  process.exit(1);
}
if (existsSync(pinned)) link();
else if (major < 24 || (major === 24 && minor < 15)) {
  console.error(`Sluice needs Node 24.15 or later, and the installed version is ${process.versions.node}.`);
  console.error('npm installed no Node for this platform: install one from nodejs.org or with your package manager.');
  process.exit(1);
}

const node = existsSync(pinned) ? pinned : process.execPath;
if (process.argv.length === 2) process.stdout.write(node);
else run(process.argv.slice(2));

function run(args) {
  const env = { ...process.env, PATH: [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter) };
  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

function link() {
  const target = join(modules, '.bin/node');
  if (existsSync(target)) return;
  rmSync(target, { force: true });
  symlinkSync(join('..', `node-${process.platform}-${process.arch}`, 'bin/node'), target);
}
