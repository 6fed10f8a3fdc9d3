/**
 * Removes unreferenced blobs while others are stored. A blob is stored before the row that refers to it, and storing it
 * again renews its age, so only an old blob may be removed. Files that the database does not have are imported if they
 * are referenced: installations of before, and their nodes during an upgrade, store code in the folder only.
 */
import { sql } from 'kysely';
import type { Db } from '../database/schema.ts';
import type { BlobFile, BlobFiles } from './blob-files.ts';
import { portionsOf } from './blob-portions.ts';
import type { BlobSweep } from './blobs.ts';
import { storeBlobs } from './store-blobs.ts';

/** Hashes per query. */
const AT_ONCE = 10_000;

/** Returns the number of blobs that were removed from the database. Any number of nodes may sweep. */
export async function sweepBlobs(db: Db, files: BlobFiles, sweep: BlobSweep): Promise<number> {
  const removed = await sweepTable(db, sweep);
  await sweepFiles(db, files, sweep);
  await files.trim();
  return removed;
}

async function sweepTable(db: Db, { used, olderThanMs }: BlobSweep): Promise<number> {
  const before = new Date(olderThanMs).toISOString();
  let removed = 0;
  for (let after = ''; ; ) {
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from blobs where sha256 > ${after} and put_at < ${before} order by sha256 limit ${AT_ONCE}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return removed;
    after = last.sha256;
    const found = rows.map(({ sha256 }) => sha256);
    const kept = await used(found);
    const unused = found.filter((sha256) => !kept.has(sha256));
    if (unused.length === 0) continue;
    // The age again: such a blob may have been stored again since.
    const { numAffectedRows } = await sql`
      delete from blobs where sha256 = any (${unused}::text[]) and put_at < ${before}
    `.execute(db);
    removed += Number(numAffectedRows ?? 0);
  }
}

/** Imports the referenced files that the database does not have, and removes the others. */
export async function sweepFiles(db: Db, files: BlobFiles, { used, olderThanMs }: BlobSweep): Promise<number> {
  let imported = 0;
  const settle = async (found: BlobFile[]) => {
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from unnest(${found.map(({ sha256 }) => sha256)}::text[]) as found (sha256)
      where not exists (select from blobs where blobs.sha256 = found.sha256)
    `.execute(db);
    if (rows.length === 0) return;
    const missing = rows.map(({ sha256 }) => sha256);
    const wanted = await used(missing);
    const isMissing = new Set(missing);
    const others = found.filter(({ sha256 }) => isMissing.has(sha256));
    imported += await importFiles(
      db,
      files,
      others.filter(({ sha256 }) => wanted.has(sha256)),
    );
    for (const { sha256, usedAtMs } of others)
      if (!wanted.has(sha256) && usedAtMs < olderThanMs) await files.remove(sha256);
  };
  let found: BlobFile[] = [];
  for await (const some of files.list()) {
    found.push(...some);
    if (found.length < AT_ONCE) continue;
    await settle(found);
    found = [];
  }
  if (found.length > 0) await settle(found);
  return imported;
}

async function importFiles(db: Db, files: BlobFiles, wanted: BlobFile[]): Promise<number> {
  let imported = 0;
  for (const some of portionsOf(wanted)) {
    const blobs: { sha256: string; bytes: Buffer }[] = [];
    for (const { sha256 } of some) {
      const bytes = await files.read(sha256);
      if (bytes) blobs.push({ sha256, bytes });
    }
    await db.transaction().execute((trx) => storeBlobs(trx, blobs));
    imported += blobs.length;
  }
  return imported;
}
