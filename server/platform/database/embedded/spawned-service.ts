import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { reaches } from './account.ts';

/** For tests: a real process that only starts the database, and ends with the test at the latest. */
export type SpawnedService = {
  pid: number;
  /** Its output once it was ready, or its refusal to start. */
  said: Partial<{ adopted: boolean; host: string; postmaster: number; refusal: string; hint: string }>;
  /** Stops it cleanly; resolves when it has ended. */
  end(): Promise<void>;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
};

/** A system user other than root and the default one, for services that root starts as another user. */
export const DAEMON = { uid: 1, gid: 1 };

/** Whether that user can access this clone: it may be in root's home. */
export const daemonMayRun =
  process.getuid?.() === 0 &&
  [process.execPath, import.meta.dirname].every((path) => reaches(path, { ...DAEMON, spawn: DAEMON }));

const START = new URL('./start.ts', import.meta.url).href;
const PROCESSES = new URL('./processes.ts', import.meta.url).href;

const PROGRAM = `
import { startEmbedded } from ${JSON.stringify(START)};
import { readPostmasterFile } from ${JSON.stringify(PROCESSES)};
const log = { warn() {}, error() {} };
const say = (what) => process.stdout.write(JSON.stringify(what) + '\\n');
try {
  const database = await startEmbedded({ dataDir: process.argv[1], log });
  const host = database.connection.host;
  const { pid } = readPostmasterFile(process.argv[1] + '/postgres/cluster') ?? { pid: 0 };
  say({ adopted: database.adopted, host, postmaster: pid });
  process.stdin.resume().on('end', () => database.stop());
} catch (error) {
  if (!error.hint) throw error;
  say({ refusal: error.message, hint: error.hint });
}`;

export async function spawnService(dataDir: string, as: { uid?: number; gid?: number } = {}): Promise<SpawnedService> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, dataDir], {
    ...as,
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
  });
  const exit = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  const said = JSON.parse(await firstLine(child)) as SpawnedService['said'];
  return {
    pid: child.pid ?? 0,
    said,
    async end() {
      child.stdin?.end();
      await exit;
    },
    kill,
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the service printed nothing');
}
