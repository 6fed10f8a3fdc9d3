/** The program of the release before this one, from the history of the repository. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '../spawned.ts';

/** Until there is a release: the last commit with schema 050. Change it with each release to the one before. */
const COMMIT = '50f8261500d3349234482d325729feb600476850';
const ROOT = join(import.meta.dirname, '../../..');

const git = (...args: string[]) => spawnSync('git', ['-C', ROOT, ...args], { maxBuffer: 1024 * 1024 * 1024 });

/** Whether this checkout has the history. A download without it does not. */
export const HAS_PREVIOUS = git('cat-file', '-e', `${COMMIT}^{commit}`).status === 0;

/** Its files in a new folder, with the packages of this checkout. */
export function unpackPrevious(): { command: Command; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'sluice-previous-'));
  const files = git('archive', COMMIT, 'contract', 'package.json', 'scripts', 'server');
  const unpacked = spawnSync('tar', ['-x', '-C', root], { input: files.stdout });
  if (files.status !== 0 || unpacked.status !== 0) throw new Error(`${files.stderr}${unpacked.stderr}`);
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const command = { file: process.execPath, args: ['server/main.ts'], cwd: root };
  return { command, remove: () => rmSync(root, { recursive: true, force: true }) };
}
