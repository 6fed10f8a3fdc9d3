/** Controls a build process: runs one task at a time, and kills it together with all of its children. */
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Watchdog } from '../fleet/watchdog.ts';
import { limited } from '../limits.ts';
import { PackageError } from '../packages/package-error.ts';
import { PACKAGES_SECONDS } from '../packages/packages.ts';
import type { Registry } from '../packages/registry.ts';
import type { FromProcess, Result, Task, ToProcess } from './messages.ts';

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Limits for the process, and separately for the compiler that it starts. */
const DATA_KB = 1024 ** 2;
const HEAP_MB = 512;
const NICENESS = 5;
const STDERR_MAX_CHARS = 64 * 1024;

/** The messages of Go and V8 after a stack overflow or out of memory. */
const NESTED = /\d+ frames elided|Maximum call stack size exceeded/;
const MEMORY = /out of memory|cannot allocate memory|bad_alloc|allocation failed|Invalid (string|array) length/i;

/** The code crashed the process: the reason, and the file if it is known. */
export class Exhausted extends Error {
  override name = 'Exhausted';
  readonly reason: 'NESTED' | 'MEMORY' | 'TIME';
  readonly file: string | undefined;

  constructor(reason: Exhausted['reason'], file: string | undefined) {
    super(`The build process ended: ${reason}`);
    this.reason = reason;
    this.file = file;
  }
}

export type BuildProcess = {
  pid: number | undefined;
  /**
   * Runs a task within `timeoutMs`, excluding waits for the registry. Rejects with Exhausted when the process has
   * ended.
   */
  perform(task: Task, timeoutMs: number, registry: Registry): Promise<Result>;
  isAlive(): boolean;
  /** Kills the process and its children. Resolves when they have ended. */
  kill(): Promise<void>;
};

export function startBuildProcess(watchdog: Watchdog): BuildProcess {
  const [file = process.execPath, ...args] = [
    ...limited({ dataKb: DATA_KB, niceness: NICENESS }),
    process.execPath,
    `--max-old-space-size=${HEAP_MB}`,
    '--disable-warning=ExperimentalWarning',
    WORKER,
  ];
  const child = spawn(file, args, {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // The process leads a group, so that the compiler is killed with it.
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) watchdog.add(-pid);
  let said = '';
  let failedToStart: Error | undefined;
  const stderr = child.stderr as Readable;
  stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < STDERR_MAX_CHARS) said += text;
  });
  child.once('error', (error) => {
    failedToStart = error;
  });
  let alive = true;
  const gone = new Promise<void>((resolve) => {
    child.once('close', () => {
      alive = false;
      if (pid !== undefined) watchdog.remove(-pid);
      resolve();
    });
  });
  const killGroup = () => {
    try {
      if (pid !== undefined && alive) process.kill(-pid, 'SIGKILL');
    } catch {
      // All processes of the group have ended.
    }
  };
  const send = (message: ToProcess) => void (child.connected && child.send(message, () => undefined));

  const perform: BuildProcess['perform'] = (task, timeoutMs, registry) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(PACKAGES_SECONDS * 1000)]);
    let at: string | undefined;
    let isLate = false;
    const clock = pausable(timeoutMs, () => {
      isLate = true;
      killGroup();
    });
    const fetchTarball = async (message: FromProcess & { type: 'want-tarball' }) => {
      clock.pause();
      const { id } = message;
      const answer = await registry.tarball(message.locked, signal).then(
        (bytes): ToProcess => ({ type: 'tarball', id, bytes }),
        (error: Error): ToProcess =>
          error instanceof PackageError
            ? { type: 'no-tarball', id, refusal: error.message }
            : { type: 'no-tarball', id, failure: error.message },
      );
      clock.resume();
      send(answer);
    };
    const receive = (message: FromProcess) => {
      if (message.type === 'at') at = message.file;
      else if (message.type === 'want-tarball') void fetchTarball(message);
      else if (message.type === 'result') resolve(message.result);
      else reject(new Error(`A build failed: ${message.stack}`));
    };
    const end = () => {
      if (isLate) return reject(new Exhausted('TIME', at));
      if (failedToStart) return reject(failedToStart);
      if (NESTED.test(said)) return reject(new Exhausted('NESTED', at));
      // The kernel's OOM killer leaves no message.
      if (MEMORY.test(said) || child.signalCode === 'SIGKILL') return reject(new Exhausted('MEMORY', at));
      reject(new Error(`The build process ended (${child.signalCode ?? child.exitCode}): ${said.slice(0, 2000)}`));
    };
    child.on('message', receive);
    void gone.then(end);
    send({ type: 'task', task });
    return promise.finally(() => {
      clock.pause();
      stop.abort();
      child.off('message', receive);
    });
  };

  return {
    pid,
    perform,
    isAlive: () => alive && child.connected,
    kill() {
      killGroup();
      return gone;
    },
  };
}

/** Calls `end` after `ms`, excluding pauses, which may overlap. */
function pausable(ms: number, end: () => void): { pause(): void; resume(): void } {
  let left = ms;
  let pauses = 0;
  let since = performance.now();
  let timer = setTimeout(end, left);
  return {
    pause() {
      pauses += 1;
      if (pauses > 1) return;
      clearTimeout(timer);
      left -= performance.now() - since;
    },
    resume() {
      pauses -= 1;
      if (pauses > 0) return;
      since = performance.now();
      timer = setTimeout(end, Math.max(0, left));
    },
  };
}
