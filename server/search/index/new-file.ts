/**
 * A file that is being written: it is never taken for a complete one, as it has its name only in the end. Until then its name
 * says who writes it, so that what a dead process has left is known.
 */
import { hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../lib/is-alive.ts';

/** Of what is larger the system makes larger pages, which it clears and fills for two times as long or more. */
const WRITE_BYTES = 128 * 1024;
const HOST = hash('sha256', hostname()).slice(0, 8);
const UNFINISHED = /^([0-9a-f]{8})-(\d+)-[0-9a-f-]{36}\.new$/;

export type NewFile = {
  fd: number;
  /** This many bytes were given. */
  written(): number;
  write(bytes: Uint8Array): void;
  flush(): void;
  /** Gives it its name, in the place of one that has that. */
  finish(name: string): void;
  abandon(): void;
};

export function createFile(folder: string): NewFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${HOST}-${process.pid}-${crypto.randomUUID()}.new`);
  const fd = openSync(path, 'wx+', 0o600);
  const buffer = Buffer.allocUnsafe(WRITE_BYTES);
  let held = 0;
  let flushed = 0;
  const put = (bytes: Uint8Array) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, flushed + done);
    flushed += bytes.length;
  };
  const flush = () => {
    put(buffer.subarray(0, held));
    held = 0;
  };
  return {
    fd,
    written: () => flushed + held,
    write(bytes) {
      if (held + bytes.length > WRITE_BYTES) flush();
      if (bytes.length > WRITE_BYTES) return put(bytes);
      buffer.set(bytes, held);
      held += bytes.length;
    },
    flush,
    finish(name) {
      try {
        renameSync(path, join(folder, name));
      } catch {
        // Its folder was lost, or another took it for one that no process writes: it is good for this process.
        rmSync(path, { force: true });
      }
    },
    abandon() {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}

/** How long an unfinished file may go without a write before it counts as abandoned. */
const FORGOTTEN_MS = 600_000;

/** Whether a name is one of an unfinished file. */
export const isUnfinished = (name: string): boolean => UNFINISHED.test(name);

/** Whether a file, last written at that time, has no writer any more. */
export function isForgotten(name: string, writtenMs: number): boolean {
  const [, host, pid] = UNFINISHED.exec(name) ?? [];
  if (Date.now() - writtenMs > FORGOTTEN_MS) return true;
  if (host !== HOST) return false;
  // The one before had the same number, as it has in a container.
  if (Number(pid) === process.pid) return writtenMs < Date.now() - process.uptime() * 1000;
  return !isAlive(Number(pid));
}
