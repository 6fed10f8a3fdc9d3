/** The scripts of operators (`npm run export` and others), as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const SCRIPTS = join(import.meta.dirname, '../../scripts');

export type Ran = { code: number | null; stdout: string; stderr: string };

/** Starts `scripts/<name>.ts` with these settings and no others. */
export function beginScript(
  name: string,
  args: string[],
  { cwd, ...settings }: { cwd?: string } & Record<string, string>,
): { child: ChildProcess; ran: Promise<Ran> } {
  const child = spawn(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return { child, ran: new Promise((ok) => child.once('close', (code) => ok({ code, stdout, stderr }))) };
}

export const runScript = (...args: Parameters<typeof beginScript>): Promise<Ran> => beginScript(...args).ran;
