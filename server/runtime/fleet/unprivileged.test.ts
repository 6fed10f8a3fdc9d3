/** The sandbox for a service that does not run as root. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SANDBOXES, tempFolder } from '../testing.ts';
import { reaches } from './home.ts';

const [HOME, SANDBOX_HOME] = ['./home.ts', './sandbox-home.ts'].map((name) => new URL(name, import.meta.url).href);
/** If the tests run as root: another user, who has to be able to read the checkout. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const isReadable = !user || [fileURLToPath(import.meta.url), process.execPath].every((file) => reaches(user, file));

test.runIf(isReadable).each(SANDBOXES)('functions run with %s', async (mode) => {
  const program = `
    const { openHome } = await import('${HOME}');
    const { modeOf } = await import('${SANDBOX_HOME}');
    const home = await openHome('${mode}');
    console.log(modeOf(home), home.user);
    await home.remove();`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
  const env = { PATH: process.env['PATH'], HOME: tempFolder() };
  const { stdout } = await promisify(execFile)(process.execPath, args, { ...user, cwd: '/', env });
  expect(stdout.trim()).toBe(`${mode} undefined`);
});
