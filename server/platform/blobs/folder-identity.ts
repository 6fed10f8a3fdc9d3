/** The id of a blob store in a folder: the file `.id`. A backup of the folder contains it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileRefusal } from '../database/file-refusal.ts';
import type { BlobIdentity } from './blobs.ts';

export function folderIdentity(folder: string): BlobIdentity {
  const idPlace = join(folder, '.id');
  const read = () => readId(idPlace);
  return {
    noun: 'folder',
    place: folder,
    idPlace,
    read,
    async make() {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if ((await read()).id === undefined) await writeId(folder, idPlace);
      } catch (error) {
        throw fileRefusal(folder, error);
      }
    },
  };
}

async function readId(idPlace: string): Promise<{ id?: string; cause?: string }> {
  try {
    const id = (await readFile(idPlace, 'utf8')).trim();
    return id === '' ? { cause: 'its .id file is empty' } : { id };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { cause: code === 'ENOENT' ? 'it has no .id file (ENOENT)' : `its .id file can’t be read (${code})` };
  }
}

/** Writes the id atomically, and never replaces the id of another node. */
async function writeId(folder: string, idPlace: string): Promise<void> {
  const half = join(folder, `.id.${randomUUID()}`);
  const file = await open(half, 'wx', 0o600);
  try {
    await file.writeFile(`${randomUUID()}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(half, idPlace);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(half, { force: true });
  }
  const parent = await open(folder, 'r');
  await parent.sync().finally(() => parent.close());
}
