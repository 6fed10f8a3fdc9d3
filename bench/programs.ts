/** Finds the programs that a benchmark needs and npm does not install. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs with the Debian package that has each. */
const PACKAGES = {
  csearch: 'codesearch',
  curl: 'curl',
  nginx: 'nginx',
  npm: 'npm',
  'redis-server': 'redis-server',
  rg: 'ripgrep',
  taskset: 'util-linux',
  wrk: 'wrk',
} as const;
export type Program = keyof typeof PACKAGES;

/** The path of a program; undefined when it isn't installed. Debian's nginx is in /usr/sbin, which PATH may lack. */
export function findProgram(program: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const beside = folders.filter((folder) => /\/bin$/.test(folder)).map((folder) => folder.replace(/bin$/, 'sbin'));
  return [...folders, ...beside].map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Exits with code 1 and one line on stderr when programs are missing. Call it before starting other processes.
 * `otherwise` is the way to run without them, for the message.
 */
export function requirePrograms(programs: readonly Program[], otherwise?: string): void {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map((program) => PACKAGES[program]))].join(' ');
  const instead = otherwise ? `, or ${otherwise}` : '';
  process.stderr.write(
    `This benchmark needs ${listed(missing)}: install ${packages} (Debian: apt install ${packages})${instead}.\n`,
  );
  process.exit(1);
}

const listed = (names: readonly string[]) => new Intl.ListFormat('en').format(names);
