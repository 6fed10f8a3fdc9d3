/**
 * Has the scanner of the installation look at code before it is stored: the files of the account, and the built code
 * with its packages. The command (SLUICE_SCAN_COMMAND) gets a folder as its last argument, and ends with 0 if it found
 * nothing and with 1 if it did, as ClamAV's programs do. Any other end refuses the code, too.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createKeyedSemaphore } from '../../connections/refresh/keyed-semaphore.ts';
import { badRequest, Failure } from '../../lib/failure.ts';
import type { Ctx } from '../../platform/context.ts';

const TIME_LIMIT_MS = 120_000;
const OUTPUT_MAX_BYTES = 64 * 1024;
const SHOWN_CHARS = 300;
/** Scanners use much memory. */
const turns = createKeyedSemaphore({ total: 2, each: 1 });

/** Resolves without a scanner, or if it found nothing. Throws 400 with the first line of what it found. */
export async function scanCode(
  { account_id, settings, log }: Pick<Ctx, 'account_id' | 'settings' | 'log'>,
  files: Record<string, string>,
): Promise<void> {
  const [command, ...args] = settings.scanCommand;
  if (command === undefined) return;
  await turns.run(account_id, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-scan-'));
    try {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text, { mode: 0o600 });
      }
      const { code, output } = await run(command, [...args, folder]);
      if (code === 0) return;
      const line = output.replaceAll(`${folder}/`, '').trim().split('\n')[0]?.slice(0, SHOWN_CHARS) ?? '';
      if (code === 1) throw badRequest(`files: the scanner of this installation refused them: ${line}`);
      log.error({ code, output: line }, 'code scanner failed, code refused');
      throw new Failure(503, 'The scanner of this installation failed, so the code was not stored.', {
        headers: { 'Retry-After': '60' },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** `code`: null without an exit code, such as for a missing program or after the time limit. */
function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done) => {
    const options = {
      timeout: TIME_LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_MAX_BYTES,
      env: { PATH: process.env['PATH'] },
    } as const;
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      done({ code, output: stdout || stderr || (error?.message ?? '') });
    });
  });
}
