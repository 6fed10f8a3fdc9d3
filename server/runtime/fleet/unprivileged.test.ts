/** The sandbox for a service that does not run as root. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SANDBOXES, tempFolder } from '../testing.ts';

const HOME = new URL('./home.ts', import.meta.url);
/** If the tests run as root: another user, who has to be able to read the checkout. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const reads = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$2"', 'sh', HOME.pathname, process.execPath], {
  ...user,
  env: {},
});

test.runIf(reads.status === 0).each(SANDBOXES)('functions run with %s', async (mode) => {
  const program = `
    const { openHome } = await import(${JSON.stringify(HOME.href)});
    const home = await openHome(${JSON.stringify(mode)}, { parent: '/tmp' });
    console.log(home.bwrap ? 'bwrap' : home.namespaces ? 'namespaces' : 'permissions', home.user);
    await home.remove();`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const env = { PATH: process.env['PATH'], HOME: tempFolder() };
  const { stdout } = await promisify(execFile)(process.execPath, args, { ...user, cwd: '/', env });
  expect(stdout.trim()).toBe(`${mode} undefined`);
});
