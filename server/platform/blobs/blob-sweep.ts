/**
 * Removes blobs that nothing refers to, while others are put. A blob is put before the row that refers to it exists,
 * so only an old one may be removed; and putting bytes that are already stored renews the age of their file. Between
 * the look at a file and its end somebody may put it: so it is taken aside first, under another name, and looked at
 * once more. From then on a writer of the same bytes finds no file and writes one; a writer who did so before has left
 * the one that was taken aside young, and it goes back. Any number of nodes may sweep one folder.
 */
import type { Stats } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export type BlobSweep = {
  /** Which of these addresses are referred to. */
  used: (sha256s: string[]) => Promise<Set<string>>;
  /** What was put later than this stays. */
  olderThanMs: number;
};

const ASIDE = '.aside';
/** Addresses asked about together. */
const AT_ONCE = 30_000;

export async function sweepBlobs(folder: string, sweep: BlobSweep): Promise<number> {
  const places = (await namesIn(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  let removed = 0;
  let found = noFiles();
  // Sixteen folders at a time, and more while they have little: for each question the database reads all versions.
  for (const alike of Map.groupBy(places, (name) => name[0]).values()) {
    for (const name of alike) await gather(join(folder, name), sweep, found);
    if (found.whole.size < AT_ONCE) continue;
    removed += await sweepSome(found, sweep);
    found = noFiles();
  }
  return removed + (await sweepSome(found, sweep));
}

/** By address: where the file is, or would be if it weren't aside. */
type Files = { whole: Map<string, string>; aside: Map<string, string> };
const noFiles = (): Files => ({ whole: new Map(), aside: new Map() });
const isOlder = (file: Stats | undefined, thanMs: number) => file !== undefined && file.mtimeMs < thanMs;

async function gather(place: string, { olderThanMs }: BlobSweep, { whole, aside }: Files): Promise<void> {
  for (const name of await namesIn(place)) {
    const path = join(place, name);
    if (/^[0-9a-f]{64}$/.test(name)) whole.set(name, path);
    else if (name.endsWith(ASIDE)) aside.set(name.slice(0, -ASIDE.length), path.slice(0, -ASIDE.length));
    // What a crash left half written.
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

/** Nothing where there is no such folder, or no more. */
const namesIn = (path: string): Promise<string[]> => readdir(path).catch(unlessGone<string[]>([]));
const look = (path: string): Promise<Stats | undefined> => stat(path).catch(unlessGone(undefined));
const moved = (from: string, to: string): Promise<boolean> => rename(from, to).then(() => true, unlessGone(false));

function unlessGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
