/**
 * Removes unreferenced blobs while others are written. A blob is written before the row that refers to it, so only an
 * old blob may be removed, and writing bytes that are already stored renews the age of their file. A writer may do that
 * between the check of a file and its removal. The sweep therefore renames the file first and checks it again. After
 * the rename, a writer of the same bytes finds no file and writes one. A writer from before the rename has renewed the
 * renamed file, and it is restored. Any number of nodes may sweep one folder.
 */
import type { Stats } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type BlobSweep = {
  /** Returns those of these hashes that are referenced. */
  used: (sha256s: string[]) => Promise<Set<string>>;
  /** Younger blobs stay. */
  olderThanMs: number;
};

const ASIDE = '.aside';
/** Hashes per query. */
const AT_ONCE = 30_000;

export async function sweepBlobs(folder: string, sweep: BlobSweep): Promise<number> {
  const places = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  let removed = 0;
  let found = noFiles();
  // Sixteen folders at a time, and more while they are small: each query reads all versions in the database.
  for (const alike of Map.groupBy(places, (name) => name[0]).values()) {
    for (const name of alike) await gather(join(folder, name), sweep, found);
    if (found.whole.size < AT_ONCE) continue;
    removed += await sweepSome(found, sweep);
    found = noFiles();
  }
  return removed + (await sweepSome(found, sweep));
}

/** By hash: the path of the file, or its original path if it is renamed. */
type Files = { whole: Map<string, string>; aside: Map<string, string> };
const noFiles = (): Files => ({ whole: new Map(), aside: new Map() });
const isOlder = (file: Stats | undefined, thanMs: number) => file !== undefined && file.mtimeMs < thanMs;

async function gather(place: string, { olderThanMs }: BlobSweep, { whole, aside }: Files): Promise<void> {
  for (const name of await namesIn(place)) {
    const path = join(place, name);
    if (/^[0-9a-f]{64}$/.test(name)) whole.set(name, path);
    else if (name.endsWith(ASIDE)) aside.set(name.slice(0, -ASIDE.length), path.slice(0, -ASIDE.length));
    // An incomplete file, left by a crash.
    else if (name.endsWith('.new') && isOlder(await look(path), olderThanMs)) await rm(path, { force: true });
  }
}

async function sweepSome({ whole, aside }: Files, { used, olderThanMs }: BlobSweep): Promise<number> {
  const isOld = (file: Stats | undefined) => isOlder(file, olderThanMs);
  const usedBefore = whole.size > 0 ? await used([...whole.keys()]) : new Set<string>();
  for (const [sha256, path] of whole) {
    if (usedBefore.has(sha256) || !isOld(await look(path))) continue;
    if (await moved(path, path + ASIDE)) aside.set(sha256, path);
  }

  let removed = 0;
  const usedNow = aside.size > 0 ? await used([...aside.keys()]) : new Set<string>();
  for (const [sha256, path] of aside) {
    const file = await look(path + ASIDE);
    if (file && (usedNow.has(sha256) || !isOld(file))) await moved(path + ASIDE, path);
    else if (file) {
      await rm(path + ASIDE, { force: true });
      removed += 1;
    }
  }
  return removed;
}

/** The names in a folder; none if it does not exist. */
const namesIn = (path: string): Promise<string[]> => readdir(path).catch(unlessGone<string[]>([]));
const look = (path: string): Promise<Stats | undefined> => stat(path).catch(unlessGone(undefined));
const moved = (from: string, to: string): Promise<boolean> => rename(from, to).then(() => true, unlessGone(false));

function unlessGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
