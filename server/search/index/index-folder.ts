/**
 * The folder of segment files, which outlive the process: the next process opens them instead of reading the documents
 * again. Several nodes may share the folder. A file never changes, and an open file stays readable after its name is
 * removed. Removing a name therefore costs at most reading some documents again, and any node may do it at any time. A
 * node whose file was removed does not write it again, so nodes do not undo each other's work.
 *
 * A node removes the names of segments that it has rewritten. Running nodes clean up the files of nodes that are gone.
 * A starting node opens every file, except those whose documents the other files cover, and rewrites those that
 * overlap, so each start leaves one copy of each document. A running node checks regularly whether files that it does
 * not hold have unreferenced documents. It removes such a file after longer than the node that may hold it needs to
 * rewrite it. A file is named after its documents, so two nodes that purge the same segment, or add the same documents,
 * write the same file.
 */
import { closeSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SegmentView } from './segment.ts';
import { isAbandoned, isUnfinished, NAME_BYTES, nameAt, openSegment, readNames } from './segment-file.ts';

type IndexFolder = {
  /** Opens the existing files, the largest first. `take` returns false for a file that is not needed. */
  open(newId: () => number, take: (view: SegmentView, names: Buffer) => boolean): Promise<void>;
  /** Removes the name of a file. */
  remove(fileName: string): void;
  /** Checks the files of other nodes and removes stale ones; returns whether some may become stale later. */
  look(isUsed: (sha256: string) => boolean, isHeld: (fileName: string) => boolean): Promise<boolean>;
  /** Resolves when all removals have finished. */
  settled(): Promise<unknown>;
};

type Opened = Awaited<ReturnType<typeof openSegment>>;
type Failed = { name: string; error: NodeJS.ErrnoException }[];

const SEGMENT = /^[0-9a-f]{32}\.segment$/;
/** More files than an index of ten million functions needs. */
const MOST_FILES = 1000;
/** Attempts: a file may be replaced while it is read. The files are then listed again. */
const ROUNDS = 3;
/** Much longer than a node needs to rewrite a segment with unreferenced documents. */
const DEAD_MS = 300_000;
const CANNOT = 'search: index file unusable, rebuilding its documents';

export function createIndexFolder(folder: string, log: Pick<Logger, 'warn'>, deadMs = DEAD_MS): IndexFolder {
  const removing = new Set<Promise<void>>();
  /** By file of another node: when its unreferenced documents were first seen. */
  let deadSince = new Map<string, number>();

  function remove(name: string): void {
    const removed = rm(join(folder, name), { force: true, recursive: true })
      .catch((error: unknown) => log.warn({ err: error, file: name }, 'search: index file could not be removed'))
      .finally(() => removing.delete(removed));
    removing.add(removed);
  }

  /** Names of the complete files. Abandoned unfinished files are removed. */
  async function names(): Promise<string[]> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const all = await readdir(folder);
    for (const name of all.filter(isUnfinished)) {
      const file = await lstat(join(folder, name)).catch(() => undefined);
      if (file && isAbandoned(name, file.mtimeMs)) remove(name);
    }
    return all.filter((name) => !isUnfinished(name));
  }

  /** Returns undefined for a file that is unusable or was removed. */
  async function tryOpen(name: string, id: number, failed: Failed): Promise<Opened | undefined> {
    try {
      if (!SEGMENT.test(name)) throw new Error('not the name of a segment');
      return await openSegment(join(folder, name), id, name);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed.push({ name, error });
      return undefined;
    }
  }

  /** Returns whether some files were removed meanwhile: others have replaced them. */
  function reportFailed(failed: Failed): boolean {
    const stayed = failed.filter(({ error }) => !hasCode(error, 'ENOENT'));
    // Out of file descriptors or memory: the file itself may be intact.
    for (const { name, error } of stayed) if (!hasCode(error, 'EMFILE', 'ENFILE', 'ENOMEM')) remove(name);
    const [first] = stayed;
    if (first) log.warn({ err: first.error, file: first.name, files: stayed.length }, CANNOT);
    return failed.length > stayed.length;
  }

  return {
    remove,
    settled: () => Promise.all(removing),

    async open(newId, take) {
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const found = await largestFirst(
          folder,
          (await names()).filter((name) => !seen.has(name)),
        );
        const failed: Failed = found.slice(MOST_FILES).map((name) => ({ name, error: new Error('too many files') }));
        for (const name of found) seen.add(name);
        const opened = await Promise.all(found.slice(0, MOST_FILES).map((name) => tryOpen(name, newId(), failed)));
        for (const each of opened) {
          // Applying a segment takes a while: let other work run.
          await setImmediate();
          if (!each || take(each.view, each.names)) continue;
          closeSync(each.view.fd);
          remove(each.view.fileName);
        }
        if (!reportFailed(failed)) return;
      }
    },

    async look(isUsed, isHeld) {
      const before = deadSince;
      deadSince = new Map();
      const now = Date.now();
      for (const name of (await names()).filter((each) => !isHeld(each))) {
        const addresses = await readNames(join(folder, name)).catch(() => Buffer.alloc(0));
        if (addresses.length > 0 && areAll(addresses, isUsed)) continue;
        const since = before.get(name) ?? now;
        if (now - since < deadMs) deadSince.set(name, since);
        else remove(name);
      }
      return deadSince.size > 0;
    },
  };
}

async function largestFirst(folder: string, names: string[]): Promise<string[]> {
  const sized: [bytes: number, name: string][] = [];
  for (const name of names) {
    const file = await lstat(join(folder, name)).catch(() => undefined);
    if (file) sized.push([file.size, name]);
  }
  return sized.sort(([a, left], [b, right]) => b - a || (left < right ? -1 : 1)).map(([, name]) => name);
}

function areAll(addresses: Buffer, isUsed: (sha256: string) => boolean): boolean {
  for (let place = 0; place < addresses.length / NAME_BYTES; place++)
    if (!isUsed(nameAt(addresses, place))) return false;
  return true;
}

const hasCode = (error: NodeJS.ErrnoException, ...codes: string[]) => codes.includes(error.code ?? '');
