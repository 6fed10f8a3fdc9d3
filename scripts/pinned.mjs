/**
 * Runs a script on the Node that came with `npm ci`: `node scripts/pinned.mjs scripts/start.ts`. Plain JavaScript for
 * any Node from 18 on, because this file runs on the system's.
 *
 * npm up to 10 doesn't link `.bin/node` when packages of several platforms offer it, so the link is made here; after
 * that every npm script finds the pinned Node on its path too. Where there is none (a Mac with an Apple chip, or
 * installed without optional packages) the system's own Node has to be new enough.
 */
import { spawn } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const platform = process.platform === 'win32' ? 'win' : process.platform;
const name = process.platform === 'win32' ? 'node.exe' : 'node';
const pinned = join(modules, `node-${platform}-${process.arch}`, 'bin', name);
const [major, minor] = process.versions.node.split('.').map(Number);

if (existsSync(pinned)) link();
else if (major < 24 || (major === 24 && minor < 15)) {
  console.error(`Sluice needs Node 24.15 or later here, and this is ${process.versions.node}.`);
  console.error('On this platform npm brings none along; install one from nodejs.org or your package manager.');
  process.exit(1);
}

const node = existsSync(pinned) ? pinned : process.execPath;
const env = { ...process.env, PATH: [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter) };
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));

function link() {
  const target = join(modules, '.bin', name);
  if (process.platform === 'win32' || existsSync(target)) return;
  rmSync(target, { force: true });
  symlinkSync(join('..', `node-${platform}-${process.arch}`, 'bin', name), target);
}
