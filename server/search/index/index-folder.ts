/**
 * The folder of segments, which outlive the process: the next one opens them and reads no code again. Several nodes may
 * share it. A file never changes, and a process that has it open keeps it without its name; so to take a name away
 * costs no more than that a next process reads some code again, and any node may do so at any time. Nor does a node
 * that lost a name write the file again, so no two of them fight.
 *
 * A node removes the names of segments that it has rewritten. Files left by nodes that are gone are cleaned up by the
 * running ones: a starting node opens all there is, but what the rest of it covers, and rewrites without it what
 * another segment has, too, so each start leaves one copy of each code; and a running node checks now and then whether
 * a file that it doesn't hold has unreferenced code, and takes its name away once it had that for longer than the node
 * that holds it, if there is one, would need to rewrite it. As a file is named after the codes that it has, two nodes
 * that purge the same segment, or add the same, leave one file.
 */
import { closeSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SegmentView } from './segment.ts';
import { isForgotten, isUnfinished, NAME_BYTES, nameAt, openSegment, readNames } from './segment-file.ts';

type KeptFiles = {
  /** Opens what was kept, the largest first. `take` says whether it is of use. */
  open(newId: () => number, take: (view: SegmentView, names: Buffer) => boolean): Promise<void>;
  /** Takes its name away. */
  remove(fileName: string): void;
  /** Looks at the files of others, and removes unused ones; returns whether some may have to go later. */
  look(isUsed: (sha256: string) => boolean, isHeld: (fileName: string) => boolean): Promise<boolean>;
  /** Resolves when all names are gone that had to go. */
  settled(): Promise<unknown>;
};

type Opened = Awaited<ReturnType<typeof openSegment>>;
type Failed = { name: string; error: NodeJS.ErrnoException }[];

const SEGMENT = /^[0-9a-f]{32}\.segment$/;
/** More than there would be of ten million functions. */
const MOST_FILES = 1000;
/** A file may be removed while it is read, as another replaces it: then the files are listed again. */
const ROUNDS = 3;
/** A node that holds a segment with unreferenced code rewrites it in far less. */
const DEAD_MS = 300_000;
const CANNOT = 'search: index file unusable, rebuilding its codes';

export function createKeptFiles(folder: string, log: Pick<Logger, 'warn'>, deadMs = DEAD_MS): KeptFiles {
  const removing = new Set<Promise<void>>();
  /** Since when files of others are known to have unreferenced code. */
  let deadSince = new Map<string, number>();

  function remove(name: string): void {
    const removed = rm(join(folder, name), { force: true, recursive: true })
      .catch((error: unknown) => log.warn({ err: error, file: name }, 'search: a file of the index can’t be removed'))
      .finally(() => removing.delete(removed));
    removing.add(removed);
  }

  /** Names of the complete files; unfinished ones that no process writes any more are removed. */
  async function names(): Promise<string[]> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const all = await readdir(folder);
    for (const name of all.filter(isUnfinished)) {
      const file = await lstat(join(folder, name)).catch(() => undefined);
      if (file && isForgotten(name, file.mtimeMs)) remove(name);
    }
    return all.filter((name) => !isUnfinished(name));
  }

  /** Undefined when it can't be used, or is gone. */
  async function tryOpen(name: string, id: number, failed: Failed): Promise<Opened | undefined> {
    try {
      if (!SEGMENT.test(name)) throw new Error('no name of a segment');
      return await openSegment(join(folder, name), id, name);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed.push({ name, error });
      return undefined;
    }
  }

  /** Answers whether some vanished: another stands for them. */
  function reportFailed(failed: Failed): boolean {
    const stayed = failed.filter(({ error }) => !hasCode(error, 'ENOENT'));
    // It may be whole, and only not for us now.
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
        const failed: Failed = found.slice(MOST_FILES).map((name) => ({ name, error: new Error('one too many') }));
        for (const name of found) seen.add(name);
        const opened = await Promise.all(found.slice(0, MOST_FILES).map((name) => tryOpen(name, newId(), failed)));
        for (const each of opened) {
          // To take one in takes a while.
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
