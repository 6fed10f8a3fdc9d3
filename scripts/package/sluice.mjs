#!/usr/bin/env node
/**
 * The command `sluice` of the package. It runs the service, or a script of operators, on the Node that npm installed
 * with the package. This file runs on the system's Node, so it is plain JavaScript for any version from 18 on.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  start: ['server/main.js', 'run the service until a signal; also without a command'],
  export: ['scripts/export.js', '--to <postgres URL | file>: copy the database'],
  import: ['scripts/import.js', '--from <file>: fill an empty database'],
  restore: ['scripts/restore.js', '--from <file>: replace the embedded database with a backup'],
  release: ['scripts/release.js', 'end the hold of a restored or imported installation'],
  'replace-key': ['scripts/replace-key.js', 'continue after the loss of the master key'],
  reset: ['scripts/reset.js', 'delete the data folder'],
  'create-account': ['scripts/create-account.js', '<name> <email>: create an account'],
  'reset-password': ['scripts/reset-password.js', '<email> [--second-factor]: let a person set a new password'],
  'end-sessions': ['scripts/end-sessions.js', '<email> | --all: sign people out'],
};

const PARENT_CHECK_MS = 200;
const root = fileURLToPath(new URL('..', import.meta.url));
const [given = 'start', ...rest] = process.argv.slice(2);

if (process.platform === 'win32') fail('Windows is not supported: Sluice runs on Linux and macOS.');
else if (given === '--help' || given === '-h' || given === 'help') process.stdout.write(help());
else if (given === '--version' || given === '-v') process.stdout.write(`${manifest().version}\n`);
else if (!Object.hasOwn(COMMANDS, given)) fail(`There is no command ${given}.\n\n${help()}`);
else run(join(root, COMMANDS[given][0]), rest);

function run(file, args) {
  const node = findNode();
  if (node === undefined)
    return fail(
      `Sluice needs Node 24.15 or later, and the installed version is ${process.versions.node}.\n` +
        'npm installed no Node for this platform: install one from nodejs.org or with your package manager.',
    );
  const child = spawn(node, [file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // `npx` signals only the shell between itself and this process, and the shell passes nothing on.
  const { ppid } = process;
  const orphaned = setInterval(() => {
    if (process.ppid === ppid || process.env.npm_command !== 'exec') return;
    clearInterval(orphaned);
    child.kill('SIGTERM');
  }, PARENT_CHECK_MS).unref();
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

/** The Node that npm installed, otherwise the system's if it is recent enough. */
function findNode() {
  try {
    const found = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    const node = join(dirname(found), 'bin/node');
    if (existsSync(node)) return node;
  } catch {
    // npm installs none on a Mac with an Apple chip, or without optional packages.
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 15) ? process.execPath : undefined;
}

function help() {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, [, what]]) => `  ${name.padEnd(width)}  ${what}`);
  return `Sluice ${manifest().version}\n\nsluice [command]\n\n${lines.join('\n')}\n\nSettings are variables of the environment, see ${join(root, 'docs/reference/operating.md')}\n`;
}

function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
