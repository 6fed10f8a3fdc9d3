/**
 * Bundles one of our files for the sandbox in a short-lived process, so that the service has no compiler as a child.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WORKER = fileURLToPath(new URL('./bundle-worker.ts', import.meta.url));
const MAX_BYTES = 16 * 1024 * 1024;

/** Returns one ES module with everything that `entry` imports, except Node's built-in modules. */
export async function bundleOwn(entry: URL): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', WORKER, fileURLToPath(entry)];
  const { stdout } = await run(process.execPath, args, { cwd: '/', env: {}, maxBuffer: MAX_BYTES });
  return stdout;
}
