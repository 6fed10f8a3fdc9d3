/** Blobs in the database. A blob that was used on this node is read from its folder. */
import type { Connection } from '../database/connection.ts';
import type { Db } from '../database/schema.ts';
import { type BlobFiles, digest, openBlobFiles } from './blob-files.ts';
import { sweepBlobs } from './blob-sweep.ts';
import { type Blobs, BlobUnavailable } from './blobs.ts';
import { storeBlobs } from './store-blobs.ts';

export type BlobsOptions = { db: Db; connection: Connection; folder: string; cacheBytes: number };

export function openBlobs({ db, connection, folder, cacheBytes }: BlobsOptions): Blobs & { files: BlobFiles } {
  const files = openBlobFiles(folder, cacheBytes);
  return {
    files,
    async put(bytes) {
      const sha256 = digest(bytes);
      await storeBlobs(db, [{ sha256, bytes }]);
      await files.write(sha256, bytes);
      return sha256;
    },
    async get(sha256) {
      const cached = await files.read(sha256);
      if (cached) return cached;
      const row = await db.selectFrom('blobs').select('bytes').where('sha256', '=', sha256).executeTakeFirst();
      if (!row) throw new BlobUnavailable(`blob ${sha256} does not exist`, 'ENOENT');
      if (digest(row.bytes) !== sha256) throw new BlobUnavailable(`blob ${sha256} is damaged`, 'DAMAGED');
      await files.write(sha256, row.bytes);
      return row.bytes;
    },
    async has(sha256) {
      const row = await db.selectFrom('blobs').select('sha256').where('sha256', '=', sha256).executeTakeFirst();
      return row !== undefined;
    },
    sweep: (sweep) => sweepBlobs(db, files, sweep),
    description: { connection, folder },
  };
}
